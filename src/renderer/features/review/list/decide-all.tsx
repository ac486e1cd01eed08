import { useState } from 'react'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { HostClient } from '../../../state/host/client'
import { Button } from '../../../ui/controls/button'
import { countOf } from '../../../ui/wording/number-format'
import { sentenceFor } from '../call-faults'
import { passFocusOn } from '../focus-return'

/** As the contract has it. */
const mostAtOnce = 1000

/** Those of the reviews that are decided by "all": what a person can oversee, asked now and inside the folder. */
export function decidableReviews(reviews: readonly ReviewSummary[]): ReviewSummary[] {
  return reviews.filter((review) => review.phase === 'open' && !review.isOutside)
}

type Answer = 'accept' | 'reject'

/** The buttons of both answers; of files that are written already none is accepted, it is kept. */
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

/** What was done to so many of these. */
function doneWords(answer: Answer, reviews: readonly ReviewSummary[], count: number): string {
  const areWritten = reviews.every(isWritten)
  const done = answer === 'accept' ? (areWritten ? 'Kept' : 'Accepted') : areWritten ? 'Put back' : 'Rejected'
  return `${done} ${countOf(count, 'file')}.`
}

function isWritten({ effect }: ReviewSummary): boolean {
  return effect === 'written'
}

/** The two largest acts of the page: asked once more, with what they are about. */
export function DecideAll({
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
    try {
      const name = kind === 'accept' ? 'review.acceptAll' : 'review.rejectAll'
      const ids = asked.reviews.map(({ id, revision }) => ({ id, revision }))
      let [done, left] = [0, 0]
      let problem: string | undefined
      // A call takes no more than so many.
      for (let from = 0; from < ids.length; from += mostAtOnce) {
        const part = await client.call(name, { reviews: ids.slice(from, from + mostAtOnce) })
        done += part.done
        left += part.left
        problem ??= part.problem
      }
      const what = doneWords(kind, asked.reviews, done)
      if (problem !== undefined) onFailure(`${what} ${countOf(left, 'file')} left to decide. ${problem}`)
      else
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
  const question = answerQuestion(kind, asked.reviews)
  return (
    <div
      ref={passFocusOn}
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
          // The second press of a double click was meant for the button before.
          onClick={(event) => event.detail < 2 && void run()}
        >
          {answerWords(kind, asked.reviews)} {countOf(count, 'file')}
        </Button>
        <Button ref={(button) => button?.focus()} size="small" variant="quiet" onClick={() => setAsked(null)}>
          Cancel
        </Button>
      </span>
    </div>
  )
}
