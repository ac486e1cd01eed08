import type { StoreApi } from 'zustand/vanilla'
import type { ReviewSummary } from '../../../shared/contract/review'
import { kindWords } from '../../../shared/approval/approval'
import { plainText } from '../../../shared/text/plain-text'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { agentTurn, isPersonsOwn } from '../../../shared/review/proposal'
import { connectionsMirror } from '../../state/agents/connections-mirror'
import { approvalsMirror } from '../../state/approvals/approvals-mirror'
import type { Mirrored } from '../../state/host/mirror'
import { reviewsMirror } from '../../state/reviews/reviews-mirror'
import { announce } from '../../ui/browser/live-region'

/** Says in the live region who comes and goes and what is asked, without moving the focus. Runs until disposed. */
export function runAnnouncements(): Disposable {
  const owned = new DisposableStack()
  owned.add(
    onChange(reviewsMirror, (now, before) => {
      const known = new Set(before.reviews.map(({ id }) => id))
      for (const review of now.reviews) {
        // The person's own proposals are told as one, however many files they change.
        if (isPersonsOwn(review) || review.phase === 'orphaned') continue
        if (!known.has(review.id)) announce(sentenceOf(review))
      }
    }),
  )
  owned.add(
    onChange(approvalsMirror, (now, before) => {
      const known = new Map(before.approvals.map(({ id, state }) => [id, state.kind]))
      for (const { id, question, state } of now.approvals) {
        const what = `${plainText(question.requester.agent)} wants to ${kindWords[question.kind]}`
        if (!known.has(id)) announce(what)
        else if (state.kind === 'withdrawn' && known.get(id) !== 'withdrawn') announce(`Withdrawn: ${what}`)
      }
    }),
  )
  owned.add(
    onChange(connectionsMirror, ({ connections: now }, { connections: before }) => {
      const isIn = (list: typeof now, id: string) => list.some((other) => other.id === id)
      for (const { id, agent } of now) if (!isIn(before, id)) announce(`${agent} is connected`)
      for (const { id, agent } of before) if (!isIn(now, id)) announce(`${agent} is no longer connected`)
    }),
  )
  return owned
}

/** Hears each change of what a mirror holds, but not its first snapshot. */
function onChange<S>(
  { store }: { store: StoreApi<Mirrored<S>> },
  hear: (now: S, before: S) => void,
): Disposable {
  return disposable(
    store.subscribe((now, before) => {
      if (now.kind === 'here' && before.kind === 'here') hear(now.data, before.data)
    }),
  )
}

function sentenceOf({ agent, name, duringTurn }: ReviewSummary): string {
  if (duringTurn) return `${name} changed during ${agentTurn(agent)}`
  return `${agent} proposes a change to ${name}`
}
