import { basename } from 'node:path'
import type { ChangeGroup } from '../../../shared/contract/changes'
import { describePlace } from '../folders'
import { someAgent } from '../../../shared/review'
import type { WindowHost } from '../window-host'
import { groupsOf } from './groups-of-window'
import type { PageHandlers } from './page-handlers'

/** So many files of a group are shown. */
const mostShown = 1000

/** The first files of a group, by path. */
function inOrder<F extends { path: string }>(files: readonly F[]): F[] {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1))
  return sorted.slice(0, mostShown)
}

/** Groups of files that were written at once, as one window's page sees them. */
export function changeHandlers(
  window: WindowHost,
): PageHandlers<'changes.keepAll' | 'changes.putBackAll' | 'changes.review', 'changes'> {
  const { changes, home } = window.parts
  const groups = (): ChangeGroup[] =>
    groupsOf(window).map(({ id, agent, files, isMore, at }) => ({
      id,
      agent: agent?.name ?? someAgent,
      count: files.length,
      isMore,
      at,
      files: inOrder(files).map(({ path, before }) => ({
        path,
        name: basename(path),
        folder: describePlace(window.workspace, path, home).folder,
        isNew: before.kind === 'absent',
      })),
    }))
  return {
    calls: {
      'changes.keepAll': ({ id }) => changes.keepAll(id),
      'changes.putBackAll': ({ id }) => changes.putBackAll(id),
      'changes.review': ({ id, path }) => changes.review(id, path),
    },
    topics: {
      changes: (_params, sink) => {
        sink.snapshot({ groups: groups() })
        return changes.groups.onChange(() => sink.delta({ groups: groups() }))
      },
    },
  }
}
