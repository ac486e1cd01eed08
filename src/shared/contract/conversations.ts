import { z } from 'zod'
import type { Item } from '../conversation/transcript'
import type { TranscriptChange } from '../conversation/live-transcript'
import { agentProcessState } from './agent-processes'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const id = z.string().min(1).max(200)
const text = z.string().min(1).max(1_000_000)

/** Something about how an agent works that the person chooses: its model, its mode, how hard it thinks. */
const conversationControl = z.object({
  id: z.string(),
  label: z.string(),
  value: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string(), description: z.string().optional() })),
})
export type ConversationControl = z.infer<typeof conversationControl>

/** What can be typed to an agent after a slash. */
const agentCommand = z.object({ name: z.string(), description: z.string() })
export type AgentCommand = z.infer<typeof agentCommand>

/** A message that waits until the agent is ready. */
const queuedMessage = z.object({ id: z.string(), text: z.string() })
export type QueuedMessage = z.infer<typeof queuedMessage>

/** A conversation with an agent that Greenlight runs, as it stands. */
const liveConversation = z.object({
  title: z.string(),
  /** Who answers. */
  agent: z.string(),
  folder: path.nullable(),
  activity: z.enum(['working', 'idle']),
  process: agentProcessState,
  /** In the order in which they are sent. */
  queue: z.array(queuedMessage),
  /** The person has stopped the agent: what waits goes on only when they send something. */
  isQueueHeld: z.boolean(),
  controls: z.array(conversationControl),
  commands: z.array(agentCommand),
  /** Tokens, as the agent counts them; null where it does not. */
  usage: z
    .object({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() })
    .nullable(),
  costUSD: z.number().nullable(),
})
export type LiveConversationState = z.infer<typeof liveConversation>

const message = z.object({ id, message: id })
/** A stretch of what is said. */
const page = z.object({ items: z.array(z.custom<Item>()), hasEarlier: z.boolean() })

export const conversationsCalls = {
  /**
   * Says something to a conversation's agent. One that runs in a terminal has it typed there and submitted, and is
   * resumed where nothing runs and the settings allow it; one that works has it in its queue.
   */
  'conversation.send': defineCall(z.object({ id, text }), resultOf(nothing)),
  /** Has the agent stop what it does. */
  'conversation.stop': defineCall(z.object({ id }), resultOf(nothing)),
  /** Restarts the process of a conversation's agent. */
  'conversation.restart': defineCall(z.object({ id }), resultOf(nothing)),
  /** Changes a message that waits. Fails as `gone` where it has been sent meanwhile. */
  'conversation.edit': defineCall(message.extend({ text }), resultOf(nothing)),
  /** Moves a message that waits to a place among the others, which is counted without it. */
  'conversation.move': defineCall(message.extend({ to: z.number().int().min(0) }), resultOf(nothing)),
  /** Takes back a message that waits; gives its text. */
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
  /** What is said in it: the last page, then what changes. */
  transcript: defineTopic(
    z.object({ id }),
    page.nullable(),
    z.object({ changes: z.array(z.custom<TranscriptChange>()) }),
  ),
}
