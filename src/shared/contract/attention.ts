import { z } from 'zod'
import { defineCall, defineTopic, nothing, path } from './define'

/** Where the person looks at what waits for them. */
export const attentionTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('review'), review: z.string() }),
  z.object({ kind: z.literal('approval'), approval: z.string() }),
  z.object({ kind: z.literal('terminal'), terminal: z.string() }),
  z.object({ kind: z.literal('file'), path }),
  /** The list of reviews. */
  z.object({ kind: z.literal('reviews') }),
])
export type AttentionTarget = z.infer<typeof attentionTarget>

export const attentionCalls = {
  /** Whether the window has the person's eyes: it is visible and has the focus. Nobody is called while it does. */
  'attention.looking': defineCall(z.object({ looking: z.boolean() }), nothing),
}

export const attentionTopics = {
  attention: defineTopic(
    nothing,
    /** How much waits for the person in this window. */
    z.object({ waiting: z.number().int() }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('waiting'), waiting: z.number().int() }),
      /** Something new waits and nobody looks. `told`: the system has said so already, the page only sounds. */
      z.object({
        kind: z.literal('called'),
        title: z.string(),
        body: z.string(),
        target: attentionTarget,
        told: z.boolean(),
      }),
      /** The person wants to see it: bring it up, and leave the focus where it is. */
      z.object({ kind: z.literal('show'), target: attentionTarget }),
    ]),
  ),
}
