import { turnIn } from '../turn-in'
import { History, ListChecks } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { describe } from '../../../ui/labels/description'
import type { DecidedReview, ReviewSummary } from '../../../../shared/contract/review'
import { decidedWords, howDecided } from '../../../../shared/review/decided-words'
import { useConnections } from '../../../state/agents/connections-mirror'
import { useChangeGroups } from '../../../state/reviews/change-groups-mirror'
import { inOrder, useDecidedReviews, usePendingReviews } from '../../../state/reviews/reviews-mirror'
import { showRecord, useRecordShown } from '../../../state/reviews/shown-record'
import { useTerminals } from '../../../state/agents/terminals-mirror'
import { AgentDot } from '../../../ui/labels/agent-dot'
import { EmptyState } from '../../../ui/layout/empty-state'
import { IconButton } from '../../../ui/controls/icon-button'
import { LineCounts } from '../../../ui/labels/line-counts'
import { PaneHeader } from '../../../ui/layout/pane-header'
import { TimeText } from '../../../ui/labels/time-text'
import { type Distinction, tellApart } from './look-alikes'
import { decidableReviews, DecideAll } from './decide-all'
import { useFailureLine } from './failure-line'
import { ChangeGroups } from './group-list'
import { OrphanedDrafts } from './orphaned-drafts'
import { TakingBack } from './taking-back'
import { WriteRecord } from '../record/record-list'
import './pending-reviews.css'

/** What the list of reviews needs. */
export interface PendingReviewsProps {
  /** Shows a review; the person asked for it. */
  onOpen: (reviewId: string) => void
  /** Shows all reviews in one scroll; not offered without it. */
  onOpenAll?: () => void
  /** All reviews are shown in one scroll, which has the buttons for all of them. */
  isAllShown?: boolean
  /** The review that is shown. */
  current?: string | null
  /** What else waits for the person, listed among the reviews. */
  others?: readonly WaitingBeside[]
}

/** Something that waits and isn't a review; `askedAt` in milliseconds since the epoch. */
export interface WaitingBeside {
  id: string
  askedAt: number
  item: ReactNode
}

const noOthers: readonly WaitingBeside[] = []

const phaseWords: Record<ReviewSummary['phase'], string> = {
  open: '',
  queued: 'Queued',
  awaiting: 'Being written',
  overdue: 'Not written yet',
  orphaned: 'No longer asked',
}

/** Every pending change of all agents, oldest first, and those decided recently. */
export function PendingReviews({
  onOpen,
  onOpenAll,
  isAllShown = false,
  current,
  others = noOthers,
}: PendingReviewsProps) {
  const reviews = inOrder(usePendingReviews())
  const decided = [...useDecidedReviews()].sort((one, two) => two.decidedAt - one.decidedAt)
  const [failure, fail] = useFailureLine()
  const isRecordShown = useRecordShown()
  const decidable = isAllShown ? [] : decidableReviews(reviews)
  const connections = useConnections()?.connections ?? []
  const { terminals } = useTerminals()
  const hasGroups = useChangeGroups().length > 0
  const orphans = reviews.filter(({ phase }) => phase === 'orphaned')
  const folded = orphans.length > 1 ? orphans : []
  const listed = reviews.filter((review) => !folded.includes(review))
  const itemOf = (review: ReviewSummary) => (
    <PendingItem
      key={review.id}
      review={review}
      distinction={tellApart(review, reviews, connections, terminals)}
      isCurrent={review.id === current}
      onOpen={() => onOpen(review.id)}
    />
  )

  const all = inOrder([
    ...listed.map((review) => ({ askedAt: review.askedAt, item: itemOf(review) })),
    ...others,
  ])

  return (
    <div className="gl-pending fills">
      <PaneHeader title="Reviews">
        <IconButton
          label="Record of writes"
          icon={<History />}
          aria-pressed={isRecordShown}
          onClick={() => showRecord(!isRecordShown)}
        />
        {onOpenAll && reviews.length >= 2 ? (
          <IconButton
            label="Review all files"
            icon={<ListChecks />}
            aria-pressed={isAllShown}
            onClick={onOpenAll}
          />
        ) : null}
      </PaneHeader>
      {isRecordShown ? <WriteRecord /> : null}
      {isRecordShown ? null : (
        <>
          <ChangeGroups onOpen={onOpen} onFailure={fail} />
          {reviews.length === 0 && others.length === 0 && !hasGroups ? (
            <EmptyState title="Nothing to review">
              Proposed changes appear here before they’re written.
            </EmptyState>
          ) : null}
          {reviews.length === 0 && others.length === 0 ? null : (
            <>
              {decidable.length > 0 ? <DecideAll reviews={decidable} onFailure={fail} /> : null}
              {all.length === 0 ? null : <ul aria-label="Pending reviews">{all.map(({ item }) => item)}</ul>}
              {folded.length === 0 ? null : (
                <OrphanedDrafts drafts={folded} onFailure={fail}>
                  {folded.map(itemOf)}
                </OrphanedDrafts>
              )}
            </>
          )}
          {failure}
          {decided.length > 0 ? (
            <section className="gl-decided" aria-labelledby="gl-decided-title">
              <h3 id="gl-decided-title" className="aside">
                Recently decided
              </h3>
              <ul aria-label="Recently decided">
                {decided.map((review) => (
                  <DecidedItem key={review.id} review={review} onFailure={fail} />
                ))}
              </ul>
            </section>
          ) : null}
        </>
      )}
    </div>
  )
}

function PendingItem({
  review,
  distinction: { who, turn },
  isCurrent,
  onOpen,
}: {
  review: ReviewSummary
  distinction: Distinction
  isCurrent: boolean
  onOpen: () => void
}) {
  const phase = [phaseWords[review.phase], turn].filter(Boolean).join(', ')
  const asker = review.agents ?? review.agent
  // The agent is named too: not everybody can tell the dots' colours apart.
  const from = review.duringTurn ? [who] : who === null ? [asker] : [review.agent, who]
  const more = [from.filter(Boolean).join(', '), review.folder].filter(Boolean).join(' · ')
  // Nobody can see who wrote it, only whose turn it was.
  const turnOf = review.duringTurn ? `During ${turnIn(review)}` : null
  const written = review.effect === 'written' ? 'Already written' : null
  const description = describe(useId(), [who, written, turnOf, phase])
  return (
    <li aria-label={`${review.name}, ${asker}`}>
      {description.words}
      <button
        type="button"
        className="gl-pending-open"
        aria-label={`${review.name}, ${asker}`}
        aria-current={isCurrent ? 'true' : undefined}
        {...description.of}
        title={review.path}
        onClick={onOpen}
      >
        <span className="gl-pending-line row">
          <AgentDot agent={review.agent} />
          <span className="name gl-pending-name" dir="auto">
            {review.name}
          </span>
          {review.content === 'text' ? (
            <LineCounts added={review.addedLines} removed={review.removedLines} />
          ) : (
            <span>binary</span>
          )}
        </span>
        <span className="gl-pending-line row gl-pending-more aside">
          {more === '' ? null : <span className="name gl-pending-folder">{more}</span>}
          {review.isOutside ? <span className="gl-pending-phase">Outside</span> : null}
          {written === null ? null : <span className="gl-pending-phase">{turnOf ?? written}</span>}
          {phase === '' ? null : <span className="gl-pending-phase">{phase}</span>}
          <TimeText at={review.askedAt} />
        </span>
      </button>
    </li>
  )
}

function DecidedItem({
  review,
  onFailure,
}: {
  review: DecidedReview
  onFailure: (sentence: string) => void
}) {
  return (
    <li className="gl-decided-item" title={review.path}>
      <AgentDot agent={review.agent} hollow />
      <span className="gl-decided-what column">
        <span className="gl-pending-line row">
          <span className="name" dir="auto">
            {review.name}
          </span>
          {review.folder === '' ? null : (
            <span className="name gl-decided-folder aside">{review.folder}</span>
          )}
        </span>
        <span className="aside">
          {howDecided(review)} <TimeText at={review.decidedAt} />
        </span>
      </span>
      <TakingBack
        decided={review}
        words="Undo"
        label={`Undo ${decidedWords[review.how].toLowerCase()} ${review.name}`}
        onFailure={onFailure}
      />
    </li>
  )
}
