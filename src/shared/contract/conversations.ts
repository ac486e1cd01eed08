import { z } from 'zod'
import type { Item, Usage } from '../conversation/transcript'
import type { TranscriptChange } from '../conversation/live-transcript'
import { agentProcessState } from './agent-processes'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const id = z.string().min(1).max(200)
const text = z.string().min(1).max(1_000_000)

/** Something that the person chooses about how an agent works: its model, its mode, how hard it thinks. */
const conversationControl = z.object({
  id: z.string(),
  label: z.string(),
  value: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string(), description: z.string().optional() })),
})
export type ConversationControl = z.infer<typeof conversationControl>

/** A slash command of the agent. */
const agentCommand = z.object({ name: z.string(), description: z.string() })
export type AgentCommand = z.infer<typeof agentCommand>

/** A message that waits until the agent is ready for it. */
const queuedMessage = z.object({ id: z.string(), text: z.string() })
export type QueuedMessage = z.infer<typeof queuedMessage>

/** The state of a conversation with an agent that Greenlight runs. */
const liveConversation = z.object({
  title: z.string(),
  /** Who answers. */
  agent: z.string(),
  folder: path.nullable(),
  activity: z.enum(['working', 'idle']),
  process: agentProcessState,
  /** In the order in which they will be sent. */
  queue: z.array(queuedMessage),
  /** The person has stopped the agent: the queue waits until they send something. */
  isQueueHeld: z.boolean(),
  controls: z.array(conversationControl),
  commands: z.array(agentCommand),
  /** Tokens, as the agent counts them; null if it doesn't. */
  usage: z.custom<Usage>().nullable(),
  costUSD: z.number().nullable(),
})
export type LiveConversationState = z.infer<typeof liveConversation>

const message = z.object({ id, message: id })
const page = z.object({ items: z.array(z.custom<Item>()), hasEarlier: z.boolean() })

export const conversationsCalls = {
  /**
   * Sends a message to a conversation's agent. In a terminal it is typed and submitted; an ended session is resumed
   * first, if the settings allow it. If the agent is working, the message goes to its queue.
   */
  'conversation.send': defineCall(z.object({ id, text }), resultOf(nothing)),
  /** Stops the agent's turn. */
  'conversation.stop': defineCall(z.object({ id }), resultOf(nothing)),
  /** Restarts the process of a conversation's agent. */
  'conversation.restart': defineCall(z.object({ id }), resultOf(nothing)),
  /** Changes a waiting message. Fails as `gone` if it has been sent. */
  'conversation.edit': defineCall(message.extend({ text }), resultOf(nothing)),
  /** Moves a waiting message to an index among the others. */
  'conversation.move': defineCall(message.extend({ to: z.number().int().min(0) }), resultOf(nothing)),
  /** Removes a waiting message; gives its text. */
  'conversation.withdraw': defineCall(message, resultOf(z.object({ text: z.string() }))),
  'conversation.choose': defineCall(
    z.object({ id, control: z.string().max(200), value: z.string().max(1000) }),
    resultOf(nothing),
  ),
  /** The page before an item. */
  'conversation.earlier': defineCall(z.object({ id, before: z.string().max(200) }), resultOf(page)),
}

export const conversationsTopics = {
  /** A conversation that Greenlight runs; a delta has what changed. Null for an unknown id. */
  conversation: defineTopic(z.object({ id }), liveConversation.nullable(), liveConversation.partial()),
  /** Its transcript: the last page, then what changes. */
  transcript: defineTopic(
    z.object({ id }),
    page.nullable(),
    z.object({ changes: z.array(z.custom<TranscriptChange>()) }),
  ),
}
