import { countChanges, type Draft, type Hunk } from '../../../shared/review/draft'

const known = new WeakMap<readonly Hunk[], ReturnType<typeof countChanges>>()

/** `countChanges`, computed once for a draft although many parts of the view ask. */
export function countsOf(draft: Draft): ReturnType<typeof countChanges> {
  const found = known.get(draft.hunks) ?? countChanges(draft)
  known.set(draft.hunks, found)
  return found
}
