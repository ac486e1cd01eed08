import { basename } from 'node:path'
import type { ChangeGroup } from '../../../shared/contract/changes'
import type { Changes } from '../../core/changes/changes'
import { describePlace } from '../folder-names'
import { someAgent } from '../../../shared/review/proposal'
import type { WindowFolders } from '../window-folders'
import { groupsIn } from '../wiring/groups-of-window'
import { type PageHandlers, sendWhole } from './page-handlers'

/** At most this many files of a group are shown. */
const mostShown = 1000

/** The first files of a group, by path. */
function inOrder<F extends { path: string }>(files: readonly F[]): F[] {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  return sorted.slice(0, mostShown)
}

/** Groups of files that were written at once, as one window's page sees them. */
export function changeHandlers({
  changes,
  folders,
  home,
}: {
  changes: Changes
  folders: WindowFolders
  home: string
}): PageHandlers<'changes', 'changes'> {
  const groups = (): ChangeGroup[] =>
    groupsIn(changes, folders).map(({ id, revision, agent, files, isMore, at }) => ({
      id,
      revision,
      agent: agent?.name ?? someAgent,
      command: agent?.command ?? null,
      count: files.length,
      isMore,
      at,
      files: inOrder(files).map(({ path, before }) => ({
        path,
        name: basename(path),
        folder: describePlace(folders.named, path, home).folder,
        isNew: before.kind === 'absent',
      })),
    }))
  return {
    calls: {
      'changes.keepAll': ({ id, revision }) => changes.keepAll(id, revision),
      'changes.putBackAll': ({ id, revision }) => changes.putBackAll(id, revision),
      'changes.review': ({ id, path }) => changes.review(id, path),
    },
    topics: {
      changes: sendWhole(() => ({ groups: groups() }), changes.groups.onChange),
    },
  }
}
