import type { Review } from './review'

/** So many orphans that nobody has touched are kept, the newest. */
export const mostUntouched = 20

/**
 * Orphans that need not be kept: the person has typed and decided nothing in them, so they hold what the agent proposed
 * and nothing else, and there are newer ones, of their file or too many at all.
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
