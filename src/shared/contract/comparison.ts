import { z } from 'zod'
import { defineTopic, failure, path, textRef } from './define'
import { comparedWith } from './tabs'

/** Two texts to be shown side by side, the older one first; or why they cannot be. */
export const comparison = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('texts'),
    before: textRef,
    after: textRef,
    /** What each side is, as a person says it. */
    beforeName: z.string(),
    afterName: z.string(),
  }),
  z.object({ kind: z.literal('failed'), failure }),
])
export type Comparison = z.infer<typeof comparison>

export const comparisonTopics = {
  /** A file as it is now, unsaved text too, against what it is compared with. Told anew when either changes. */
  comparison: defineTopic(z.object({ path, against: comparedWith }), comparison, comparison),
}
