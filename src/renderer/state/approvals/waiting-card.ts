import { type Approval, isAsked } from '../../../shared/approval/approval'
import { isInWords, isTyping } from '../tabs/text-work'
import { approvalsMirror, chosenApproval } from './approvals-mirror'

/**
 * What takes the place of the approval that is shown, if that was withdrawn: a question that waits already or has just
 * come. Null: it stays, as one does that the person goes back to.
 */
export function approvalInstead(
  shown: string | null,
  before: readonly Approval[],
  now: readonly Approval[],
): Approval | null {
  const at = now.findIndex(({ id }) => id === shown)
  const card = now[at]
  if (!card || isAsked(card)) return null
  const wasShownSo = before.some((one) => one.id === card.id && !isAsked(one))
  const others = [...now.slice(at + 1), ...now.slice(0, at)].filter(isAsked)
  const isNew = ({ id }: Approval) => before.every((one) => one.id !== id)
  return (wasShownSo ? others.find(isNew) : others[0]) ?? null
}

/**
 * Has what waits take the place of what is withdrawn. Of the focus only that in the old card goes to the new one; a card
 * in which the person writes, or pauses in what they wrote, stays. What wasn't in sight as withdrawn stays in the list.
 */
export function runWaitingCards(): void {
  approvalsMirror.store.subscribe((now, before) => {
    if (now.kind !== 'here' || before.kind !== 'here') return
    const { id } = chosenApproval.getState()
    const next = approvalInstead(id, before.data.approvals, now.data.approvals)
    if (next === null) return
    const card = document.activeElement?.closest<HTMLElement>('[data-approval]')
    const hasFocus = card?.dataset['approval'] === id
    if (!hasFocus || !(isTyping() || isInWords()))
      chosenApproval.setState({ id: next.id, takesFocus: hasFocus })
  })
}
