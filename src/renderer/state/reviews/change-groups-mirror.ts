import type { ChangeGroup } from '../../../shared/contract/changes'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'
import { useWaitingApprovals } from '../approvals/approvals-mirror'
import { reviewsMirror } from './reviews-mirror'

/** Groups of files that agents have written without asking. */
const changesMirror = mirrorTopic(client, 'changes', {}, mergeDelta<{ groups: ChangeGroup[] }>)

const none: readonly ChangeGroup[] = []

/** The groups that wait for the person, the oldest first, followed. */
export function useChangeGroups(): readonly ChangeGroup[] {
  return useMirror(changesMirror, (state) => state?.groups ?? none)
}

/** How much there is to decide, followed: each review and each approval, and each group as one. */
export function useToDecide(): number {
  return useReviewsToDecide() + useWaitingApprovals()
}

/** How many changes there are to decide, followed. */
export function useReviewsToDecide(): number {
  const groups = useMirror(changesMirror, (state) => state?.groups.length ?? 0)
  return useMirror(reviewsMirror, (state) => state?.reviews.length ?? 0) + groups
}

/** What there is to decide, in words, followed: "2 reviews, 1 approval". `change` is the word for a change. */
export function useToDecideWords(change: 'review' | 'change' = 'review'): string {
  const reviews = useReviewsToDecide()
  const approvals = useWaitingApprovals()
  const words = [[reviews, change] as const, [approvals, 'approval'] as const]
  return words
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`)
    .join(', ')
}
