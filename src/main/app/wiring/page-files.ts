import type { DirectoryState } from '../../../shared/contract/files'
import { type Disposable, disposable } from '../../../shared/lifetime'
import { listDirectory } from '../../core/files/list-directory'
import { isInside } from '../folders'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** The file tree, a level at a time. */
export function fileHandlers(window: WindowHost): PageHandlers<never, 'directory'> {
  return {
    calls: {},
    topics: {
      directory: ({ path }, sink) => {
        let isEnded = false
        let watch: Disposable | null = null
        let isFirst = true
        let running: Promise<void> = Promise.resolve()
        const tell = async () => {
          const state = await readLevel(window, path)
          if (isEnded) return
          if (isFirst) sink.snapshot(state)
          else sink.delta(state)
          isFirst = false
        }
        const look = () => {
          running = running.then(tell)
        }
        void window.parts.watcher.watchDirectory(path, look).then((watching) => {
          if (isEnded) watching.dispose()
          else watch = watching
          look()
        })
        return disposable(() => {
          isEnded = true
          watch?.dispose()
        })
      },
    },
  }
}

async function readLevel(window: WindowHost, path: string): Promise<DirectoryState> {
  if (!window.folders.some((folder) => isInside(folder, path))) {
    return {
      kind: 'failed',
      failure: { code: 'outside', message: 'This folder is not open here. Open it in a window of its own.' },
    }
  }
  const listed = await listDirectory(path)
  // What git keeps for itself is nothing to open.
  if (listed.ok) listed.value.entries = listed.value.entries.filter(({ name }) => name !== '.git')
  return listed.ok ? { kind: 'entries', ...listed.value } : { kind: 'failed', failure: listed.failure }
}
