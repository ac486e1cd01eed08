import { resolve, sep } from 'node:path'
import type { DirectoryState } from '../../../shared/contract/files'
import { DisposableStack, disposable } from '../../../shared/lifetime'
import { isWithin } from '../../../shared/text/path-name'
import { Exclusions } from '../../core/files/exclusions'
import { type DirectoryEvent, WatchedDirectory } from '../../core/files/watched-directory'
import type { FileWatcher } from '../../core/files/watcher'
import type { WindowSettings } from '../../core/settings/window-settings'
import type { WindowFolders } from '../window-folders'
import type { FileOperations } from '../wiring/file-operations'
import type { PageHandlers } from './page-handlers'

/** The file tree, a level at a time, and what a person does with files in it. */
export function fileHandlers({
  operations,
  folders,
  settings,
  watcher,
}: {
  operations: FileOperations
  folders: WindowFolders
  settings: WindowSettings
  watcher: FileWatcher
}): PageHandlers<'files', 'directory'> {
  return {
    calls: {
      'files.create': ({ folder, name, kind }) => operations.create(folder, name, kind),
      'files.rename': ({ path, name }) => operations.rename(path, name),
      'files.move': ({ paths, folder }) => operations.move(paths, folder),
      'files.copy': ({ paths, folder }) => operations.copy(paths, folder),
      'files.trash': ({ paths }) => operations.trash(paths),
      'files.delete': ({ paths }) => operations.remove(paths),
      'files.reveal': ({ path }) => operations.reveal(path),
    },
    topics: {
      directory: ({ path }, sink) => {
        const top = folders.paths.find((folder) => isWithin(folder, path))
        if (top === undefined || resolve(path) !== path) {
          sink.snapshot(notOpen)
          return disposable(() => undefined)
        }
        const owned = new DisposableStack()
        let exclusions = new Exclusions(settings.get().filesExclude)
        let isFirst = true
        const level = owned.add(
          new WatchedDirectory(path, {
            watcher,
            keep: (entry) => {
              const within = entry.path.slice(top.length).replace(/^[/\\]/, '')
              const name = sep === '/' ? within : within.replaceAll(sep, '/')
              return !exclusions.excludes(name, entry.kind === 'folder')
            },
            tell: (event) => {
              const state = stateOf(event)
              if (state && isFirst) sink.snapshot(state)
              else if (state) sink.delta({ kind: 'state', state })
              else if (event.kind === 'more' || event.kind === 'change') sink.delta(event)
              isFirst = false
            },
          }),
        )
        owned.add(
          settings.onChange((change) => {
            if (!change.filesExclude) return
            exclusions = new Exclusions(change.filesExclude)
            level.refresh()
          }),
        )
        return owned
      },
    },
  }
}

const notOpen: DirectoryState = {
  kind: 'failed',
  failure: { code: 'outside', message: 'This folder isn’t open here. Open it in its own window.' },
}

/** The whole level, where the event is one. */
function stateOf(event: DirectoryEvent): DirectoryState | null {
  switch (event.kind) {
    case 'level': {
      const { entries, total, truncated } = event
      return { kind: 'entries', entries, total, truncated }
    }
    case 'failed':
      return { kind: 'failed', failure: event.failure }
    case 'more':
    case 'change':
      return null
  }
}
