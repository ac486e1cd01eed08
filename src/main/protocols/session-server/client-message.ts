import { z } from 'zod'
import { type Result, fail, succeed } from '../../../shared/result'
import { mostMessages } from './session-request'

/** The longest text that can be sent to an agent, in characters. */
const longestContent = 1_000_000
/** How many messages a page has where the client does not say. */
const usualPage = 50

const uuid = z.string().min(1).max(200)
const clientId = z.union([z.string().max(500), z.number()])

/** What a client may send. Other members are ignored, since clients may be newer. */
const clientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user_message'),
    content: z.string().max(longestContent),
    clientId: clientId.optional(),
  }),
  z.object({ type: z.literal('subscribe'), fromUuid: uuid.nullish() }),
  z.object({
    type: z.literal('history'),
    beforeUuid: uuid.nullish(),
    limit: z.number().int().min(1).max(mostMessages).default(usualPage),
  }),
  z.object({ type: z.literal('typing'), isTyping: z.boolean() }),
  z.object({ type: z.literal('ack'), uuid }),
])
export type ClientMessage = z.infer<typeof clientMessage>

const typed = z.object({ type: z.string() })
const types: readonly string[] = ['user_message', 'subscribe', 'history', 'typing', 'ack']

/** Checks what a client has sent. Fails with a sentence for the client. */
export function readClientMessage(value: unknown): Result<ClientMessage> {
  const read = clientMessage.safeParse(value)
  if (read.success) return succeed(read.data)
  const { data } = typed.safeParse(value)
  if (data === undefined) {
    return fail('malformed', 'A message has to be an object with a “type”.')
  }
  if (!types.includes(data.type)) {
    return fail('unknown-type', `Messages of this type are not known. Send one of: ${types.join(', ')}.`)
  }
  const place = read.error.issues[0]?.path.join('.') ?? ''
  return fail('malformed', `“${place}” of the ${data.type} is missing or wrong.`)
}
