import { createStore } from 'zustand/vanilla'
import type { DirectoryState } from '../../../shared/contract/files'
import { client } from '../../state/client'
import { type Mirror, mirrorTopic, replaceByDelta } from '../../state/mirror'
import type { Directories } from './tree-rows'

/** The folders that the tree shows now, as the host has them. */
export const directories = createStore<{ known: Directories }>()(() => ({ known: new Map() }))

const mirrors = new Map<string, Mirror<DirectoryState, DirectoryState>>()

/** Subscribes to exactly these folders: new ones are asked for, others let go. */
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
    const mirror = mirrorTopic(client, 'directory', { path }, replaceByDelta<DirectoryState>)
    mirror.store.subscribe(() => {
      if (mirrors.get(path) === mirror) publish()
    })
    mirrors.set(path, mirror)
    changed = true
  }
  if (changed) publish()
}

function publish(): void {
  directories.setState({
    known: new Map([...mirrors].map(([path, mirror]) => [path, mirror.store.getState()])),
  })
}
