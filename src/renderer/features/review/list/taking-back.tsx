import { useState } from 'react'
import type { DecidedReview } from '../../../../shared/contract/review'
import { attempt } from '../../../state/host/calls'
import { reopenReview } from '../../../state/reviews/reviews-mirror'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'

/**
 * Buttons that take a decision back: the file gets what it held before, or the change is open again. Both say that it is
 * done.
 */
export function TakingBack({
  decided: { id, name, canUndo, canReopen },
  words,
  label,
  onFailure,
}: {
  decided: Pick<DecidedReview, 'id' | 'name' | 'canUndo' | 'canReopen'>
  /** What putting back is called here, and its full name. */
  words: string
  label: string
  onFailure: (sentence: string) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const putBack = async () => {
    setBusy(true)
    const result = await attempt('review.undo', { id })
    setBusy(false)
    if (result.ok) announce(`${name} is as it was before the change.`)
    else onFailure(result.failure.message)
  }
  const reopen = async () => {
    setBusy(true)
    if (await reopenReview(id)) announce(`${name} is open again.`)
    setBusy(false)
  }
  const common = { size: 'small', variant: 'quiet', disabled: isBusy } as const
  return (
    <>
      {canUndo ? (
        <Button {...common} aria-label={label} onClick={() => void putBack()}>
          {words}
        </Button>
      ) : null}
      {canReopen ? (
        <Button {...common} aria-label={`Reopen ${name}`} onClick={() => void reopen()}>
          Reopen
        </Button>
      ) : null}
    </>
  )
}
