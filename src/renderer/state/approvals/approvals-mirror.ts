import { useMemo } from 'react'
import { createStore } from 'zustand/vanilla'
import {
  type Approval,
  type ApprovalRecordEntry,
  type ApprovalRule,
  isAsked,
} from '../../../shared/approval/approval'
import type { Topics } from '../../../shared/contract/contract'
import { send } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, putById, readMirror, replaceByDelta, useMirror } from '../host/mirror'
import { wantedTab } from '../tabs/wanted-tab'

type State = Topics['approvals']['snapshot']

export function applyApprovals({ approvals }: State, delta: Topics['approvals']['delta']): State {
  if (delta.kind === 'remove') return { approvals: approvals.filter(({ id }) => id !== delta.id) }
  return { approvals: putById(approvals, delta.approval) }
}

/** What agents ask in this window beside changes, the oldest first. */
export const approvalsMirror = mirrorTopic(client, 'approvals', {}, applyApprovals)
const rulesMirror = mirrorTopic(client, 'approvalRules', {}, replaceByDelta)
const recordMirror = mirrorTopic(client, 'approvalRecord', {}, replaceByDelta)

const none: readonly Approval[] = []
const noRules: readonly ApprovalRule[] = []
const noEntries: readonly ApprovalRecordEntry[] = []

/** All approvals shown, including withdrawn ones; followed. */
export function useApprovals(): readonly Approval[] {
  return useMirror(approvalsMirror, (state) => state?.approvals ?? none)
}

const askedIn = (state: State | null) => (state?.approvals ?? none).filter(isAsked)

/** How many an agent waits for, followed. */
export function useWaitingApprovals(): number {
  return useMirror(approvalsMirror, (state) => askedIn(state).length)
}

export function useApprovalRules(): readonly ApprovalRule[] {
  return useMirror(rulesMirror, (state) => state?.rules ?? noRules)
}

/** The latest first. */
export function useApprovalRecord(): readonly ApprovalRecordEntry[] {
  const entries = useMirror(recordMirror, (state) => state?.entries ?? noEntries)
  return useMemo(() => entries.toReversed(), [entries])
}

/** The approvals that an agent waits for, now. */
export function askedApprovals(): readonly Approval[] {
  return askedIn(readMirror(approvalsMirror))
}

/** The parts of the approvals tab. */
export type ApprovalsPart = 'waiting' | 'rules' | 'record'

/**
 * The part and the approval to show in the approvals tab, and whether it gets the focus. Once it is gone another one is
 * shown.
 */
export const chosenApproval = createStore<{ id: string | null; takesFocus: boolean; part: ApprovalsPart }>()(
  () => ({ id: null, takesFocus: false, part: 'waiting' }),
)

/** Shows an approval in the tab of approvals. */
export function showApproval(id: string, takesFocus: boolean): void {
  const before = chosenApproval.getState()
  // Both the answer and the list may ask for this; the second must not take the focus back.
  chosenApproval.setState({
    id,
    takesFocus: takesFocus || (before.id === id && before.takesFocus),
    part: 'waiting',
  })
  send('approvals.show', {})
}

/** Shows the tab of approvals, in the part that it was left in or another, and goes there. */
export function showApprovals(part = chosenApproval.getState().part): void {
  chosenApproval.setState({ part })
  wantedTab.make((tab) => tab.kind === 'approvals')
  send('approvals.show', {})
}
