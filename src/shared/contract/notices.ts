import { z } from 'zod'
import { defineCall, defineTopic, nothing, path } from './define'

/** A sentence for the person, with at most one thing to do about it. */
export const notice = z.object({
  id: z.string(),
  kind: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  action: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('undo-review'), label: z.string(), review: z.string() }),
      z.object({ kind: z.literal('reopen-review'), label: z.string(), review: z.string() }),
      z.object({ kind: z.literal('open-review'), label: z.string(), review: z.string() }),
      z.object({ kind: z.literal('undo-reviews'), label: z.string(), reviews: z.array(z.string()) }),
      z.object({ kind: z.literal('open-file'), label: z.string(), path }),
      z.object({ kind: z.literal('show-reviews'), label: z.string() }),
    ])
    .nullable(),
  /** It disappears after some seconds; the others stay until dismissed. */
  passing: z.boolean(),
})
export type Notice = z.infer<typeof notice>

export const noticesCalls = {
  'notices.dismiss': defineCall(z.object({ id: z.string().max(100) }), nothing),
}

export const noticesTopics = {
  notices: defineTopic(
    nothing,
    z.object({ notices: z.array(notice) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('add'), notice }),
      z.object({ kind: z.literal('remove'), id: z.string() }),
    ]),
  ),
}
