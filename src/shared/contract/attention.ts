import { z } from 'zod'
import { defineCall, defineTopic, nothing, path } from './define'

/** What is waiting for the person, to be shown. */
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
  /** Whether the person is looking: the window is visible and has the focus. They aren't called meanwhile. */
  'attention.looking': defineCall(z.object({ looking: z.boolean() }), nothing),
}

export const attentionTopics = {
  attention: defineTopic(
    nothing,
    /** How many things are waiting for the person in this window. */
    z.object({ waiting: z.number().int() }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('waiting'), waiting: z.number().int() }),
      /**
       * Something new is waiting and nobody is looking. `told`: the system has shown it, so the page only plays a
       * sound.
       */
      z.object({
        kind: z.literal('called'),
        title: z.string(),
        body: z.string(),
        target: attentionTarget,
        told: z.boolean(),
      }),
      /** The person wants to see it: show it, and leave the focus where it is. */
      z.object({ kind: z.literal('show'), target: attentionTarget }),
    ]),
  ),
}
