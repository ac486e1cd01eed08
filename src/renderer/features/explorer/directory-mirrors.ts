import { createStore } from 'zustand/vanilla'
import type { DirectoryDelta, DirectoryState, FileEntry } from '../../../shared/contract/files'
import { client } from '../../state/host/client'
import { type Mirror, mirrorTopic } from '../../state/host/mirror'
import type { Directories } from './tree-rows'

/** The folders that the tree shows, mirrored from the host. */
export const directories = createStore<{ known: Directories }>()(() => ({ known: new Map() }))

const mirrors = new Map<string, Mirror<DirectoryState, DirectoryDelta>>()
let publishing = false

/** Applies one delta of a folder's content. */
export function applyDirectory(state: DirectoryState, delta: DirectoryDelta): DirectoryState {
  if (delta.kind === 'state') return delta.state
  // There is nothing to change; the host sends a new state.
  if (state.kind === 'failed') return state
  if (delta.kind === 'more') return { ...state, entries: [...state.entries, ...delta.entries] }
  const gone = new Set(delta.gone)
  const left = gone.size === 0 ? state.entries : state.entries.filter(({ name }) => !gone.has(name))
  const entries: FileEntry[] = []
  let next = 0
  for (const { at, entry } of delta.come) {
    const until = Math.max(next, Math.min(left.length, next + at - entries.length))
    for (const kept of left.slice(next, until)) entries.push(kept)
    next = until
    entries.push(entry)
  }
  for (const kept of left.slice(next)) entries.push(kept)
  return { ...state, entries, total: entries.length, truncated: delta.truncated }
}

/** Subscribes to exactly these folders, and unsubscribes from all others. */
export function wantDirectories(wanted: ReadonlySet<string>): void {
  let changed = false
  for (const [path, mirror] of mirrors) {
    if (wanted.has(path)) continue
    mirror.dispose()
    mirrors.delete(path)
    changed = true
  }
  for (const path of wanted) {
    if (mirrors.has(path)) continue
    const mirror = mirrorTopic(client, 'directory', { path }, applyDirectory)
    mirror.store.subscribe(() => {
      if (mirrors.get(path) === mirror) publishSoon()
    })
    mirrors.set(path, mirror)
    changed = true
  }
  if (changed) publish()
}

/** Publishes once for everything that comes in the same turn. */
function publishSoon(): void {
  if (publishing) return
  publishing = true
  queueMicrotask(publish)
}

function publish(): void {
  publishing = false
  directories.setState({
    known: new Map([...mirrors].map(([path, mirror]) => [path, mirror.store.getState()])),
  })
}
