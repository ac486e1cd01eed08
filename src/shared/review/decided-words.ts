import type { DecidedReview } from '../contract/review'

/** How a change was decided, as lists say it. */
export const decidedWords: Record<DecidedReview['how'], string> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  'put-back': 'Put back',
  withdrawn: 'No longer asked',
  kept: 'Kept as yours',
  discarded: 'Discarded',
  'answered-there': 'Accepted elsewhere',
  'let-through': 'Written by rule',
  unasked: 'Written unasked',
}

/** The same, naming the rule that let the change through. */
export function howDecided({ how, rule }: Pick<DecidedReview, 'how' | 'rule'>): string {
  return rule === undefined ? decidedWords[how] : `${decidedWords[how]} ${rule}`
}
