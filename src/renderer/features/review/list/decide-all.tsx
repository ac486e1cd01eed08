import { useState } from 'react'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { countOf } from '../../../ui/wording/number-format'
import { callForAll } from './call-for-all'
import { Confirmation } from './confirmation'

/** The reviews that "all" decides: open ones inside the folder. */
export function decidableReviews(reviews: readonly ReviewSummary[]): ReviewSummary[] {
  return reviews.filter((review) => review.phase === 'open' && !review.isOutside)
}

type Answer = 'accept' | 'reject'

/** The words on both buttons. Files that are already written are kept, not accepted. */
export function answerWords(answer: Answer, reviews: readonly ReviewSummary[]): string {
  const areWritten = reviews.every(isWritten)
  if (answer === 'accept') return areWritten ? 'Keep' : 'Accept'
  return areWritten ? 'Put back' : 'Reject'
}

/** The question before an answer is given to all of these. */
export function answerQuestion(answer: Answer, reviews: readonly ReviewSummary[]): string {
  const written = reviews.filter(isWritten).length
  const asked = reviews.length - written
  if (asked === 0) {
    return answer === 'accept'
      ? `Keep ${countOf(written, 'file')} as written?`
      : `Put back ${countOf(written, 'file')}?`
  }
  const files = countOf(asked, 'file')
  const also = countOf(written, 'written file')
  if (answer === 'accept') {
    return `Write the changes to ${files} in this folder${written === 0 ? '' : ` and keep ${also}`}?`
  }
  return `Reject the changes to ${files}${written === 0 ? '' : ` and put back ${also}`}?`
}

/** What was done to `count` of these. */
function doneWords(answer: Answer, reviews: readonly ReviewSummary[], count: number): string {
  const areWritten = reviews.every(isWritten)
  const done = answer === 'accept' ? (areWritten ? 'Kept' : 'Accepted') : areWritten ? 'Put back' : 'Rejected'
  return `${done} ${countOf(count, 'file')}.`
}

function isWritten({ effect }: ReviewSummary): boolean {
  return effect === 'written'
}

/** The two largest acts of the page: each asks once more and says what it is about. */
export function DecideAll({
  reviews,
  onFailure,
}: {
  reviews: readonly ReviewSummary[]
  onFailure: (sentence: string) => void
}) {
  // What was asked about is what is decided: a review that came or changed since is not in it.
  const [asked, setAsked] = useState<{ kind: Answer; reviews: readonly ReviewSummary[] } | null>(null)
  const [isBusy, setBusy] = useState(false)

  if (asked === null) {
    return (
      <div className="gl-pending-all">
        <Button size="small" onClick={() => setAsked({ kind: 'accept', reviews })}>
          {answerWords('accept', reviews)} all
        </Button>
        <Button size="small" variant="quiet" onClick={() => setAsked({ kind: 'reject', reviews })}>
          {answerWords('reject', reviews)} all
        </Button>
      </div>
    )
  }

  const { kind } = asked
  const run = async () => {
    setBusy(true)
    const result = await callForAll(
      kind === 'accept' ? 'review.acceptAll' : 'review.rejectAll',
      asked.reviews,
    )
    setBusy(false)
    setAsked(null)
    if (!result.ok) return onFailure(result.failure.message)
    const { done, left, problem } = result.value
    const what = doneWords(kind, asked.reviews, done)
    if (problem !== undefined) onFailure(`${what} ${countOf(left, 'file')} left to decide. ${problem}`)
    else if (left === 0) announce(what)
    else
      announce(`${what} ${countOf(left, 'file')} changed meanwhile and still wait${left === 1 ? 's' : ''}.`)
  }
  return (
    <Confirmation
      className="gl-pending-all gl-pending-asking"
      question={answerQuestion(kind, asked.reviews)}
      verb={`${answerWords(kind, asked.reviews)} ${countOf(asked.reviews.length, 'file')}`}
      variant={kind === 'accept' ? 'primary' : 'danger'}
      isBusy={isBusy}
      onYes={() => void run()}
      onNo={() => setAsked(null)}
    />
  )
}
