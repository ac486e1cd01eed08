import { z } from 'zod'
import { defineTopic, failure, path, textRef } from './define'
import { comparedWith } from './tabs'

/** Two texts to show side by side, the older one first, or why they can't be shown. */
export const comparison = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('texts'),
    before: textRef,
    after: textRef,
    /** The label of each side. */
    beforeName: z.string(),
    afterName: z.string(),
  }),
  z.object({ kind: z.literal('failed'), failure }),
])
export type Comparison = z.infer<typeof comparison>

export const comparisonTopics = {
  /** A file as it is now, with unsaved text, and what it is compared with. Sent again when either changes. */
  comparison: defineTopic(z.object({ path, against: comparedWith }), comparison, comparison),
}
