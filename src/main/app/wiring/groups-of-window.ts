import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { agentTurn, someAgent } from '../../../shared/review'
import type { ChangeGroup } from '../../core/changes/change-groups'
import type { Waiting } from '../../core/notices/attention'
import type { WindowHost } from '../window-host'

/** Groups of files that were written at once in a window's folders. */
export function groupsOf({ parts, folders }: WindowHost): ChangeGroup[] {
  return parts.changes.groups.list().filter(({ folder }) => folders.includes(folder))
}

/** What of them waits for the person. */
export function groupsThatWait(window: WindowHost): Waiting[] {
  return groupsOf(window).map((group) => ({
    id: `group ${group.id}`,
    title: sentenceOf(group),
    body: `${group.isMore ? 'More than ' : ''}${group.files.length} files`,
    target: { kind: 'reviews' },
  }))
}

/** Tells of each group that comes, until nothing of it is left. */
export function tellGroups(window: WindowHost): Disposable {
  const { parts, notices } = window
  // Those of an earlier start are in the list.
  const told = new Map<string, string | null>(groupsOf(window).map(({ id }) => [id, null]))
  const owned = new DisposableStack()
  owned.add(
    parts.changes.groups.onChange(() => {
      const groups = groupsOf(window)
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
    }),
  )
  owned.add(disposable(() => told.clear()))
  return owned
}

function sentenceOf({ agent }: ChangeGroup): string {
  return `Many files were changed at once during ${agentTurn(agent?.name ?? someAgent)}.`
}
