import type { Disposable } from '../../../shared/lifetime'
import { agentTurn, someAgent } from '../../../shared/review/proposal'
import type { Changes } from '../../core/changes/changes'
import type { ChangeGroup } from '../../core/changes/change-groups'
import type { Waiting } from '../../core/notices/attention'
import type { Notices } from '../../core/notices/notices'
import type { WindowFolders } from '../window-folders'

/** Groups of files that were written at once in a window's folders. */
export function groupsIn(changes: Changes, folders: WindowFolders): ChangeGroup[] {
  return changes.groups.list().filter(({ folder }) => folders.paths.includes(folder))
}

/** Those groups, as what waits for the person. */
export function groupsThatWait(changes: Changes, folders: WindowFolders): Waiting[] {
  return groupsIn(changes, folders).map((group) => ({
    id: `group ${group.id}`,
    title: sentenceOf(group),
    body: `${group.isMore ? 'More than ' : ''}${group.files.length} files`,
    target: { kind: 'reviews' },
  }))
}

/** Shows a notice for each new group until nothing is left of the group. */
export function tellGroups(changes: Changes, folders: WindowFolders, notices: Notices): Disposable {
  // Groups of an earlier start are only in the list.
  const told = new Map<string, string | null>(groupsIn(changes, folders).map(({ id }) => [id, null]))
  return changes.groups.onChange(() => {
    const groups = groupsIn(changes, folders)
    for (const [id, notice] of told) {
      if (groups.some((group) => group.id === id)) continue
      told.delete(id)
      if (notice !== null) notices.dismiss(notice)
    }
    for (const group of groups) {
      if (told.has(group.id)) continue
      const action = { kind: 'show-reviews', label: 'Show' } as const
      told.set(group.id, notices.add({ kind: 'warning', text: sentenceOf(group), action }))
    }
  })
}

function sentenceOf({ agent }: ChangeGroup): string {
  return `Many files changed at once during ${agentTurn(agent?.name ?? someAgent, agent?.command)}.`
}
