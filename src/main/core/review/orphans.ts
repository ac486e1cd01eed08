import type { Review } from './review'

/** How many untouched orphans are kept: the newest. */
export const mostUntouched = 20

/**
 * Untouched orphans that can go. They hold nothing but what the agent proposed, and there are newer ones of the same
 * file, or too many altogether.
 */
export function superfluousOrphans(reviews: Iterable<Review>): Review[] {
  const newest = [...reviews]
    .filter(({ machine: { phase, touched } }) => phase.kind === 'orphaned' && !touched)
    .reverse()
  const paths = new Set<string>()
  let kept = 0
  return newest.filter(({ realPath }) => {
    const isNeeded = !paths.has(realPath) && kept < mostUntouched
    paths.add(realPath)
    if (isNeeded) kept++
    return !isNeeded
  })
}
