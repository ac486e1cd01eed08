import type { ReviewSummary } from '../../../shared/contract/review'
import { kindWords } from '../../../shared/approval/approval'
import { plainText } from '../../../shared/text/plain-text'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { agentTurn } from '../../../shared/review/proposal'
import { connectionsMirror } from '../../state/agents/connections-mirror'
import { approvalsMirror } from '../../state/approvals/approvals-mirror'
import { reviewsMirror } from '../../state/reviews/reviews-mirror'
import { announce } from '../../ui/browser/live-region'

/** Says in the live region who comes and goes and what is asked, without moving the focus. Runs until disposed. */
export function runAnnouncements(): Disposable {
  const owned = new DisposableStack()
  owned.add(
    disposable(
      reviewsMirror.store.subscribe((now, before) => {
        if (now.kind !== 'here' || before.kind !== 'here') return
        const known = new Set(before.data.reviews.map((review) => review.id))
        for (const review of now.data.reviews) {
          // The person's own replacement is told as one, however many files it changes.
          if (review.dialect === 'search' || review.phase === 'orphaned') continue
          if (!known.has(review.id)) announce(sentenceOf(review))
        }
      }),
    ),
  )
  owned.add(
    disposable(
      approvalsMirror.store.subscribe((now, before) => {
        if (now.kind !== 'here' || before.kind !== 'here') return
        const known = new Map(before.data.approvals.map(({ id, state }) => [id, state.kind]))
        for (const { id, question, state } of now.data.approvals) {
          const what = `${plainText(question.requester.agent)} wants to ${kindWords[question.kind]}`
          if (!known.has(id)) announce(what)
          else if (state.kind === 'withdrawn' && known.get(id) !== 'withdrawn') announce(`Withdrawn: ${what}`)
        }
      }),
    ),
  )
  owned.add(
    disposable(
      connectionsMirror.store.subscribe((now, before) => {
        if (now.kind !== 'here' || before.kind !== 'here') return
        const [is, was] = [now.data.connections, before.data.connections]
        for (const { id, agent } of is) {
          if (!was.some((other) => other.id === id)) announce(`${agent} is connected`)
        }
        for (const { id, agent } of was) {
          if (!is.some((other) => other.id === id)) announce(`${agent} is no longer connected`)
        }
      }),
    ),
  )
  return owned
}

function sentenceOf({ agent, name, duringTurn }: ReviewSummary): string {
  if (duringTurn) return `${name} changed during ${agentTurn(agent)}`
  return `${agent} proposes a change to ${name}`
}
