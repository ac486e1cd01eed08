import { useState } from 'react'
import type { DecidedReview } from '../../../../shared/contract/review'
import { attempt } from '../../../state/host/calls'
import { reopenReview } from '../../../state/reviews/reviews-mirror'
import { announce } from '../../../ui/browser/live-region'

/** Takes back a decision: puts back what the file held before, or reopens the change. Both say that it is done. */
export function useTakingBack(
  { id, name }: Pick<DecidedReview, 'id' | 'name'>,
  onFailure: (sentence: string) => void,
): { isBusy: boolean; putBack: () => Promise<void>; reopen: () => Promise<void> } {
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
  return { isBusy, putBack, reopen }
}
