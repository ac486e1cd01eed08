import { resolve } from 'node:path'
import type { GitMark, GitRepository } from '../../../shared/contract/git'
import { type Listen, DisposableStack } from '../../../shared/lifetime'
import { isWithin } from '../../../shared/text/path-name'
import type { Documents } from '../../core/editing/documents'
import type { FileWatcher } from '../../core/files/watcher'
import { FollowedStatus } from '../../core/git/followed-status'
import { NestedRepositories } from '../../core/git/nested-repositories'
import type { ReviewDesk } from '../../core/review/desk'
import type { WindowFolders } from '../window-folders'
import type { PageHandlers } from './page-handlers'

/** How often git is asked about a nested repository in which nothing seems to happen, in milliseconds. */
const nestedIdle = 30_000

interface Followed {
  status: FollowedStatus
  nested: boolean
  told: GitRepository | null
}

interface GitSources {
  folders: WindowFolders
  watcher: FileWatcher
  documents: Documents
  desk: ReviewDesk
  /** The person has made, moved or removed files. */
  onFilesMoved: Listen<void>
  env: Readonly<Record<string, string | undefined>>
  report(error: unknown): void
}

/** What git says about the window's folders and the repositories in them; asked only while a page shows it. */
export function gitHandlers({
  folders: open,
  watcher,
  documents,
  desk,
  onFilesMoved,
  env,
  report,
}: GitSources): PageHandlers<'git', 'git'> {
  /** Set by the topic's subscription. */
  let look: (folders: readonly string[]) => void = () => undefined
  return {
    calls: {
      'git.look': ({ folders }) => look(folders),
    },
    topics: {
      git: (_params, sink) => {
        sink.snapshot({ repositories: [] })
        const followed = new Map<string, Followed>()
        const owned = new DisposableStack()
        const tell = (folder: string) => {
          const entry = followed.get(folder)
          if (!entry) return
          const { status } = entry.status
          const next: GitRepository | null = status && {
            folder,
            nested: entry.nested,
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
        const follow = (folder: string, nested: boolean) => {
          if (followed.has(folder)) return
          const status = new FollowedStatus({
            folder,
            program: { env },
            watcher,
            report,
            isTop: nested,
            ...(nested ? { idle: nestedIdle } : {}),
          })
          followed.set(folder, { status, nested, told: null })
          status.onChange(() => tell(folder))
        }
        const isIn = (path: string) => open.paths.some((folder) => folder !== path && isWithin(folder, path))
        const followAll = () => {
          for (const [folder, { nested }] of followed) {
            if (nested ? !isIn(folder) || open.paths.includes(folder) : !open.paths.includes(folder))
              drop(folder)
          }
          for (const folder of open.paths) follow(folder, false)
        }
        const inside = owned.add(
          new NestedRepositories({
            tell: (folder, isRepository) => {
              if (!isRepository && followed.get(folder)?.nested) drop(folder)
              else if (isRepository && isIn(folder)) follow(folder, true)
            },
          }),
        )
        look = (folders) =>
          inside.look(folders.filter((folder) => resolve(folder) === folder && isIn(folder)))
        followAll()
        owned.add(open.onChange(followAll))
        // What happens in the app itself, also in folders that nobody watches.
        const touch = () => followed.forEach(({ status }) => status.touch())
        owned.add(documents.on((event) => event.kind === 'saved' && touch()))
        owned.add(desk.onChange((event) => event.kind === 'ended' && touch()))
        owned.add(onFilesMoved(touch))
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

/** The delta for a page that has the one state and is to have the other. */
function changeBetween(before: GitRepository, after: GitRepository) {
  const { folder, head, isPartial } = after
  const gone = new Map<string, GitMark>(before.marks)
  const put = after.marks.filter(([path, mark]) => {
    const isKnown = gone.get(path) === mark
    gone.delete(path)
    return !isKnown
  })
  return { folder, head, isPartial, put, gone: [...gone.keys()] }
}
