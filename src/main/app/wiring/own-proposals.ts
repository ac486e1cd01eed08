import { type Done, fail, succeed } from '../../../shared/result'
import type { Proposal } from '../../../shared/review/proposal'
import type { Tabs } from '../../core/editing/tabs'
import type { ReviewDesk } from '../../core/review/desk'

/** So many files are proposed at one time; a person looks at each. */
export const mostOwn = 200

/**
 * Opens a proposal that the person had made themselves, and waits until its review stands. Nobody waits for the verdict.
 * Fails with the desk's sentence if it refuses.
 */
export function beginOwn(
  desk: Pick<ReviewDesk, 'open' | 'onChange' | 'summary'>,
  proposal: Proposal,
  signal: AbortSignal = new AbortController().signal,
): Promise<Done> {
  return new Promise((resolve) => {
    const listening = desk.onChange((event) => {
      if (event.kind !== 'put' || desk.summary(event.id)?.path !== proposal.path) return
      listening.dispose()
      resolve(succeed({}))
    })
    void desk.open(proposal, signal).then((opening) => {
      listening.dispose()
      resolve(opening.kind === 'refused' ? fail('refused', opening.message) : succeed({}))
    })
  })
}

/** One file is shown in its review, several in the scroll of all reviews. */
export function showOwn(
  { desk, tabs }: { desk: Pick<ReviewDesk, 'summaries'>; tabs: Pick<Tabs, 'openReview' | 'openOther'> },
  connection: string,
  paths: readonly string[],
): void {
  const [path] = paths
  if (path === undefined) return
  const review = desk
    .summaries()
    .find((summary) => summary.path === path && summary.connection === connection)
  if (paths.length === 1 && review) tabs.openReview(review.id, path)
  else tabs.openOther('reviews')
}
