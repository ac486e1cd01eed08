import { useState } from 'react'
import type { DecidedReview, ReviewSummary } from '../../../shared/contract/review'
import { RpcError } from '../../../shared/rpc'
import type { HostClient } from '../../state/client'
import { useDecidedReviews, usePendingReviews } from '../../state/reviews'
import { AgentDot } from '../../ui/agent-dot'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { LineCounts } from '../../ui/line-counts'
import { announce as announceInPage } from '../../ui/live-region'
import { PaneHeader } from '../../ui/pane-header'
import { countOf } from '../../ui/number-format'
import { TimeText } from '../../ui/time-text'
import './pending-reviews.css'

/** What the list of reviews needs. */
export interface PendingReviewsProps {
  client: HostClient
  /** Shows a review; the person asked for it. */
  onOpen: (reviewId: string) => void
  /** The review that is shown now. */
  current?: string | null
  announce?: (sentence: string) => void
}

const phaseWords: Record<ReviewSummary['phase'], string> = {
  open: '',
  queued: 'Queued',
  awaiting: 'Being written',
  overdue: 'Not written yet',
  orphaned: 'Agent is gone',
}
const decidedWords: Record<DecidedReview['how'], string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  withdrawn: 'No longer asked',
  kept: 'Kept as yours',
  discarded: 'Discarded',
}

/** Every change that waits for the person, over all agents, oldest first; and those lately decided. */
export function PendingReviews({ client, onOpen, current, announce = announceInPage }: PendingReviewsProps) {
  const reviews = [...usePendingReviews()].sort((one, two) => one.askedAt - two.askedAt)
  const decided = [...useDecidedReviews()].sort((one, two) => two.decidedAt - one.decidedAt)
  const [failure, setFailure] = useState<string | null>(null)
  const say = (sentence: string) => announce(sentence)
  const fail = (sentence: string) => {
    setFailure(sentence)
    announce(sentence)
  }
  // "All" are those that a person can oversee here: asked now, and inside the folder.
  const decidable = reviews.filter((review) => review.phase === 'open' && !review.isOutside)

  return (
    <div className="gl-pending">
      <PaneHeader title="Reviews" />
      {reviews.length === 0 ? (
        <EmptyState title="Nothing to review.">
          Changes an agent proposes appear here before they are written.
        </EmptyState>
      ) : (
        <>
          {decidable.length > 0 ? (
            <DecideAll client={client} reviews={decidable} onDone={say} onFailure={fail} />
          ) : null}
          <ul className="gl-pending-list" aria-label="Pending reviews">
            {reviews.map((review) => (
              <PendingItem
                key={review.id}
                review={review}
                isCurrent={review.id === current}
                onOpen={() => onOpen(review.id)}
              />
            ))}
          </ul>
        </>
      )}
      {failure === null ? null : (
        <p className="gl-pending-failure" role="alert">
          {failure}
        </p>
      )}
      {decided.length > 0 ? (
        <section className="gl-decided" aria-labelledby="gl-decided-title">
          <h3 id="gl-decided-title">Recently decided</h3>
          <ul aria-label="Recently decided">
            {decided.map((review) => (
              <DecidedItem key={review.id} client={client} review={review} onDone={say} onFailure={fail} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

function PendingItem({
  review,
  isCurrent,
  onOpen,
}: {
  review: ReviewSummary
  isCurrent: boolean
  onOpen: () => void
}) {
  const phase = phaseWords[review.phase]
  return (
    <li className="gl-pending-item" aria-label={`${review.name}, ${review.agent}`}>
      <button
        type="button"
        className="gl-pending-open"
        aria-label={`${review.name}, ${review.agent}`}
        aria-current={isCurrent ? 'true' : undefined}
        title={review.path}
        onClick={onOpen}
      >
        <span className="gl-pending-line">
          <AgentDot agent={review.agent} />
          <span className="name gl-pending-name">{review.name}</span>
          {review.content === 'text' ? (
            <LineCounts added={review.addedLines} removed={review.removedLines} />
          ) : (
            <span>binary</span>
          )}
        </span>
        <span className="gl-pending-line gl-pending-more">
          <span className="name gl-pending-folder">
            {review.folder === '' ? review.agent : review.folder}
          </span>
          {review.isOutside ? <span className="gl-pending-phase">Outside</span> : null}
          {phase === '' ? null : <span className="gl-pending-phase">{phase}</span>}
          <TimeText at={review.askedAt} />
        </span>
      </button>
    </li>
  )
}

/** The two largest acts of the page: asked once more, with what they are about. */
function DecideAll({
  client,
  reviews,
  onDone,
  onFailure,
}: {
  client: HostClient
  reviews: readonly ReviewSummary[]
  onDone: (sentence: string) => void
  onFailure: (sentence: string) => void
}) {
  // What was asked about is what is decided: a review that came or changed since is not in it.
  const [asked, setAsked] = useState<{ kind: 'accept' | 'reject'; reviews: readonly ReviewSummary[] } | null>(
    null,
  )
  const [isBusy, setBusy] = useState(false)

  if (asked === null) {
    return (
      <div className="gl-pending-all">
        <Button size="small" onClick={() => setAsked({ kind: 'accept', reviews })}>
          Accept all
        </Button>
        <Button size="small" variant="quiet" onClick={() => setAsked({ kind: 'reject', reviews })}>
          Reject all
        </Button>
      </div>
    )
  }

  const { kind } = asked
  const run = async () => {
    setBusy(true)
    try {
      const name = kind === 'accept' ? 'review.acceptAll' : 'review.rejectAll'
      const ids = asked.reviews.map(({ id, revision }) => ({ id, revision }))
      const { done, left } = await client.call(name, { reviews: ids })
      const what = `${kind === 'accept' ? 'Accepted' : 'Rejected'} ${countOf(done, 'file')}.`
      onDone(
        left === 0
          ? what
          : `${what} ${countOf(left, 'file')} changed meanwhile and still wait${left === 1 ? 's' : ''}.`,
      )
    } catch (error) {
      onFailure(sentenceFor(error))
    } finally {
      setBusy(false)
      setAsked(null)
    }
  }
  const count = asked.reviews.length
  const question =
    kind === 'accept'
      ? `Write the changes to ${countOf(count, 'file')} in this folder?`
      : `Reject the changes to ${countOf(count, 'file')}?`
  return (
    <div
      className="gl-pending-all gl-pending-asking"
      role="group"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setAsked(null)
      }}
    >
      <p>{question}</p>
      <span className="gl-pending-buttons">
        <Button
          size="small"
          variant={kind === 'accept' ? 'primary' : 'danger'}
          disabled={isBusy}
          onClick={() => void run()}
        >
          {kind === 'accept' ? `Accept ${countOf(count, 'file')}` : `Reject ${countOf(count, 'file')}`}
        </Button>
        <Button ref={(button) => button?.focus()} size="small" variant="quiet" onClick={() => setAsked(null)}>
          Cancel
        </Button>
      </span>
    </div>
  )
}

function DecidedItem({
  client,
  review,
  onDone,
  onFailure,
}: {
  client: HostClient
  review: DecidedReview
  onDone: (sentence: string) => void
  onFailure: (sentence: string) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const undo = async () => {
    setBusy(true)
    try {
      const result = await client.call('review.undo', { id: review.id })
      if (result.ok) onDone(`${review.name} is as it was before the change.`)
      else onFailure(result.failure.message)
    } catch (error) {
      onFailure(sentenceFor(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="gl-decided-item" title={review.path}>
      <AgentDot agent={review.agent} hollow />
      <span className="gl-decided-what">
        <span className="name">{review.name}</span>
        <span className="gl-decided-how">
          {decidedWords[review.how]} <TimeText at={review.decidedAt} />
        </span>
      </span>
      {review.canUndo ? (
        <Button
          size="small"
          variant="quiet"
          disabled={isBusy}
          aria-label={`Undo ${decidedWords[review.how].toLowerCase()} ${review.name}`}
          onClick={() => void undo()}
        >
          Undo
        </Button>
      ) : null}
    </li>
  )
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof RpcError)) throw error
  return error.code === 'disconnected'
    ? 'Greenlight is not connected at the moment. Nothing was decided; try again in a few seconds.'
    : 'That did not work because of a fault in Greenlight. Its log says more.'
}
