import { type Result, fail } from '../../../shared/result'
import type { FileSwapper, SwapFailure } from '../files/compare-and-swap'
import { isStillReal } from '../files/real-path'
import { removeIfSame } from '../files/remove-if-same'
import type { Review } from './review'
import { acceptedContentOf } from './review-content'
import { unknownBefore } from './sentences'
import { bytesBefore } from './written-proposal'

/**
 * Writes a review's result, or the text from before if a written change was rejected, but only if the file still holds
 * what was last seen.
 */
export async function writeResult(
  review: Review,
  swapper: FileSwapper,
): Promise<Result<unknown, SwapFailure | { code: string; message: string }>> {
  const { machine, content, realPath } = review
  const expected = machine.disk === 'absent' ? null : machine.disk
  const bytes = isPutBack(review) ? bytesBefore(content) : acceptedContentOf(content).bytes
  if (bytes === 'unknown') return unknownBefore
  if (!(await isStillReal(realPath))) {
    return fail('changed', `${realPath} is now a link to another file. Check it, then decide.`)
  }
  const leaves = isPutBack(review) ? machine.base : acceptedContentOf(content).fingerprint
  return leaves === 'absent' && expected !== null
    ? removeIfSame(realPath, machine.disk)
    : swapper.swap(realPath, expected, bytes, { createParents: true })
}

/** Whether the text from before is to be written. */
export function isPutBack({ machine }: Review): boolean {
  return machine.effect === 'written' && machine.verdict?.kind === 'rejected'
}
