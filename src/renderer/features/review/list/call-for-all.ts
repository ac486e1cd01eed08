import type { Calls } from '../../../../shared/contract/contract'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { type Result, succeed } from '../../../../shared/result'
import { failureOf } from '../../../state/host/calls'
import { client } from '../../../state/host/client'

type AllCall = 'review.acceptAll' | 'review.rejectAll' | 'review.discardAll'

/** The contract’s limit. */
const mostAtOnce = 1000

/** Decides all of these reviews, each as it was when the person was asked. */
export async function callForAll(
  name: AllCall,
  asked: readonly ReviewSummary[],
): Promise<Result<Calls[AllCall]['result']>> {
  const reviews = asked.map(({ id, revision }) => ({ id, revision }))
  const all: Calls[AllCall]['result'] = { done: 0, left: 0 }
  try {
    for (let from = 0; from < reviews.length; from += mostAtOnce) {
      const part = await client.call(name, { reviews: reviews.slice(from, from + mostAtOnce) })
      all.done += part.done
      all.left += part.left
      if (part.problem !== undefined) all.problem ??= part.problem
    }
    return succeed(all)
  } catch (error) {
    return failureOf(name, error)
  }
}
