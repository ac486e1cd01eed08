import type { GitMark, GitRepository } from '../../../shared/contract/git'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { FollowedStatus } from '../../core/git/followed-status'
import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** What git says of the window's folders; asked only while a page shows it. */
export function gitHandlers(window: WindowHost): PageHandlers<never, 'git'> {
  const { parts } = window
  return {
    calls: {},
    topics: {
      git: (_params, sink) => {
        sink.snapshot({ repositories: [] })
        const followed = new Map<string, { status: FollowedStatus; told: GitRepository | null }>()
        const owned = new DisposableStack()
        const tell = (folder: string) => {
          const entry = followed.get(folder)
          if (!entry) return
          const { status } = entry.status
          const next: GitRepository | null = status && {
            folder,
            head: status.head,
            marks: [...status.marks],
            isPartial: status.isPartial,
          }
          if (next === null) {
            if (entry.told) sink.delta({ kind: 'remove', folder })
          } else if (entry.told === null) sink.delta({ kind: 'put', repository: next })
          else sink.delta({ kind: 'change', ...changeBetween(entry.told, next) })
          entry.told = next
        }
        const drop = (folder: string) => {
          const entry = followed.get(folder)
          followed.delete(folder)
          entry?.status.dispose()
          if (entry?.told) sink.delta({ kind: 'remove', folder })
        }
        const follow = () => {
          for (const folder of followed.keys()) if (!window.folders.includes(folder)) drop(folder)
          for (const folder of window.folders) {
            if (followed.has(folder)) continue
            const status = new FollowedStatus({
              folder,
              program: { env: parts.env },
              watcher: parts.watcher,
              report: (error) => parts.options.log.error('git status fault', { error }),
            })
            followed.set(folder, { status, told: null })
            status.onChange(() => tell(folder))
          }
        }
        follow()
        owned.add(window.onFolders(follow))
        for (const sign of signs(window, () => followed.values())) owned.add(sign)
        owned.add({
          dispose: () => {
            for (const { status } of followed.values()) status.dispose()
            followed.clear()
          },
        })
        return owned
      },
    },
  }
}

/** What happens in the app itself, also in folders that nobody watches. */
function signs(window: WindowHost, followed: () => Iterable<{ status: FollowedStatus }>): Disposable[] {
  const { documents, desk } = window.parts
  const touch = () => {
    for (const { status } of followed()) status.touch()
  }
  return [
    documents.on((event) => event.kind === 'saved' && touch()),
    desk.onChange((event) => event.kind === 'ended' && touch()),
    window.onFilesMoved(touch),
  ]
}

/** What a page has to know that has the one and shall have the other. */
export function changeBetween(before: GitRepository, after: GitRepository) {
  const { folder, head, isPartial } = after
  const gone = new Map<string, GitMark>(before.marks)
  const put = after.marks.filter(([path, mark]) => {
    const isKnown = gone.get(path) === mark
    gone.delete(path)
    return !isKnown
  })
  return { folder, head, isPartial, put, gone: [...gone.keys()] }
}
