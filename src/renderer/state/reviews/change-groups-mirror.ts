import type { ChangeGroup } from '../../../shared/contract/changes'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'
import { reviewsMirror } from './reviews-mirror'

/** Files that agents have written at once without asking, in groups. */
const changesMirror = mirrorTopic(client, 'changes', {}, mergeDelta<{ groups: ChangeGroup[] }>)

const none: readonly ChangeGroup[] = []

/** The groups that wait for the person, the oldest first, followed. */
export function useChangeGroups(): readonly ChangeGroup[] {
  return useMirror(changesMirror, (state) => state?.groups ?? none)
}

/** How much there is to decide, followed: each review, and each group as one. */
export function useToDecide(): number {
  const groups = useMirror(changesMirror, (state) => state?.groups.length ?? 0)
  return useMirror(reviewsMirror, (state) => state?.reviews.length ?? 0) + groups
}
