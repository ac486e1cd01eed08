import { z } from 'zod'
import type { Field, FieldValues } from '../approval/approval-fields'
import { fieldValues } from '../approval/approval-schemas'
import type { Item, Usage } from '../conversation/transcript'
import type { TranscriptChange } from '../conversation/live-transcript'
import { agentProcessState } from './agent-processes'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const id = z.string().min(1).max(200)
/** Names a draft: a session, a conversation that has none yet, or the next one in a folder. */
const draft = z.string().min(1).max(5000)
const text = z.string().min(1).max(1_000_000)

/** A picture that goes with a message; `data` is base64. */
const picture = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string().min(1).max(14_000_000),
})
export type Picture = z.infer<typeof picture>

/** A message that no agent has read, to be written on. Several that came back unsent have more than may be sent at once. */
export const unsentMessage = z.object({
  text: z.string().max(1_000_000),
  pictures: z.array(picture.extend({ name: z.string().max(1000) })).max(200),
})
export type UnsentMessage = z.infer<typeof unsentMessage>

/** What was kept by one conversation, or by one draft. */
export interface KeptMessages {
  readonly id: string
  readonly messages: readonly UnsentMessage[]
}

/** What the person says to an agent. */
const outgoing = z.object({
  text: z.string().max(1_000_000),
  pictures: z.array(picture).max(20),
  /** What the person has selected and open goes with it. */
  withContext: z.boolean(),
})
export type OutgoingMessage = z.infer<typeof outgoing>

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

/** Something that is on or off for a conversation as a whole; `help` says what it does in its present state. */
const conversationSwitch = z.object({
  id: z.string(),
  label: z.string(),
  help: z.string(),
  isOn: z.boolean(),
})
export type ConversationSwitch = z.infer<typeof conversationSwitch>

/** What an agent has and obeys, a list each: tools, MCP servers, skills, plugins, sub-agents, permission rules. */
const agentPart = z.object({
  id: z.string(),
  label: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      /** Its state or what it is, in a few words; may be empty. */
      detail: z.string(),
      state: z.enum(['plain', 'good', 'off', 'bad']),
      /** What the person can do with it. */
      acts: z.array(z.object({ id: z.string(), label: z.string() })),
    }),
  ),
})
export type AgentPart = z.infer<typeof agentPart>

/** Work that continues while the agent does something else. `startedAt` in milliseconds since the epoch. */
const backgroundTask = z.object({ id: z.string(), title: z.string(), startedAt: z.number() })
export type BackgroundTask = z.infer<typeof backgroundTask>

/** A message that waits until the agent is ready for it. */
const queuedMessage = z.object({
  id: z.string(),
  text: z.string(),
  pictures: z.number().int(),
  /** The agent has it already and reads it when it gets to it; it can be withdrawn, not changed or moved. */
  isGiven: z.boolean(),
})
export type QueuedMessage = z.infer<typeof queuedMessage>

/** The state of a conversation with an agent that Greenlight runs. */
const liveConversation = z.object({
  title: z.string(),
  /** Who answers. */
  agent: z.string(),
  folder: path.nullable(),
  /** The agent's own session id, once it has one. */
  session: z.string().nullable(),
  activity: z.enum(['working', 'idle']),
  process: agentProcessState,
  /** In the order in which they will be sent. */
  queue: z.array(queuedMessage),
  /** The person has stopped the agent: the queue waits until they send something. */
  isQueueHeld: z.boolean(),
  controls: z.array(conversationControl),
  switches: z.array(conversationSwitch),
  commands: z.array(agentCommand),
  parts: z.array(agentPart),
  tasks: z.array(backgroundTask),
  /** Tokens in the model's context, and how many it holds; null if unknown. */
  context: z.object({ used: z.number(), size: z.number() }).nullable(),
  /** It didn't answer a stop in time, so the person may end its process. */
  isUnresponsive: z.boolean(),
  /** What it can do beside talking. */
  abilities: z.object({
    pictures: z.boolean(),
    /** It takes messages while it works. */
    gives: z.boolean(),
    forks: z.boolean(),
    rewinds: z.boolean(),
    figures: z.boolean(),
  }),
  /** Tokens, as the agent counts them; null if it doesn't. */
  usage: z.custom<Usage>().nullable(),
  costUSD: z.number().nullable(),
})
export type LiveConversationState = z.infer<typeof liveConversation>

/** Figures about a conversation, in words, for the person. */
const figures = z.array(
  z.object({ title: z.string(), rows: z.array(z.object({ label: z.string(), value: z.string() })) }),
)
export type ConversationFigures = z.infer<typeof figures>

/** An agent that a conversation can be begun with, and the form for it. */
const conversationOffer = z.object({
  /** The agent's id. */
  agent: z.string(),
  title: z.string(),
  fields: z.array(z.custom<Field>()),
  /** What the form begins with: what was chosen last, else sane defaults. */
  values: z.custom<FieldValues>(),
  /** Why it can't be begun now, as a sentence with a next step. */
  problem: z.string().nullable(),
})
export type ConversationOffer = z.infer<typeof conversationOffer>

const message = z.object({ id, message: id })
const items = z.array(z.custom<Item>())
const page = z.object({
  items,
  /** What the sub-agents of these items' calls have said. */
  agents: z.array(z.object({ agent: z.string(), items })),
  hasEarlier: z.boolean(),
})

export const conversationsCalls = {
  /**
   * Sends a message to a conversation's agent. In a terminal it is typed and submitted; an ended session is resumed
   * first, if the settings allow it. If the agent is working, the message goes to its queue.
   */
  'conversation.send': defineCall(outgoing.extend({ id }), resultOf(nothing)),
  /** The agents that a conversation can be begun with. */
  'conversation.offers': defineCall(nothing, z.object({ offers: z.array(conversationOffer) })),
  /** Begins one and shows its tab; `first`, if there is one, is sent at once. */
  'conversation.begin': defineCall(
    z.object({ agent: id, values: fieldValues, first: outgoing.nullable() }),
    resultOf(z.object({ id: z.string() })),
  ),
  /**
   * Shows the conversation that a session is in, or begins one that goes on from it: from a copy, if the session runs in a
   * terminal. `id`: null if it is in another window, which comes to the front.
   */
  'conversation.resume': defineCall(
    z.object({ session: id }),
    resultOf(z.object({ id: z.string().nullable(), isCopy: z.boolean() })),
  ),
  /** Ends the process tree of an agent that answers nothing. */
  'conversation.end': defineCall(z.object({ id }), resultOf(nothing)),
  'conversation.switch': defineCall(
    z.object({ id, switch: z.string().max(200), on: z.boolean() }),
    resultOf(nothing),
  ),
  /** Does one of the acts of an entry among the agent's parts. */
  'conversation.act': defineCall(
    z.object({ id, part: z.string().max(200), entry: z.string().max(1000), act: z.string().max(200) }),
    resultOf(nothing),
  ),
  'conversation.stopTask': defineCall(z.object({ id, task: z.string().max(200) }), resultOf(nothing)),
  /** Begins another conversation from before a prompt, with another one in its place. Gives the new one. */
  'conversation.fork': defineCall(
    outgoing.extend({ id, before: z.string().max(200) }),
    resultOf(z.object({ id: z.string() })),
  ),
  /** Shows as reviews what it takes to have the files as they were before a prompt. `files`: how many reviews. */
  'conversation.rewind': defineCall(
    z.object({ id, before: z.string().max(200) }),
    resultOf(z.object({ files: z.number() })),
  ),
  'conversation.figures': defineCall(z.object({ id }), resultOf(figures)),
  'conversation.keepPictures': defineCall(unsentMessage.pick({ pictures: true }).extend({ draft }), nothing),
  /**
   * What was kept for a draft and waits nowhere any more. `had`: the ids of what the page has from earlier answers; it
   * isn't given again, and what isn't a draft's pictures goes.
   */
  'conversation.takeUnsent': defineCall(
    z.object({ draft, had: z.array(z.string().regex(/^[\da-f]{16}$/)).max(1000) }),
    z.object({ kept: z.array(z.custom<KeptMessages>()) }),
  ),
  /** Stops the agent's turn. */
  'conversation.stop': defineCall(z.object({ id }), resultOf(nothing)),
  /** Restarts the process of a conversation's agent. */
  'conversation.restart': defineCall(z.object({ id }), resultOf(nothing)),
  /** Changes a waiting message. Fails as `gone` if it has been sent. */
  'conversation.edit': defineCall(message.extend({ text }), resultOf(nothing)),
  /** Moves a waiting message to an index among the others. */
  'conversation.move': defineCall(message.extend({ to: z.number().int().min(0) }), resultOf(nothing)),
  /** Gives a waiting message to the working agent, which reads it when it gets to it. */
  'conversation.give': defineCall(message, resultOf(nothing)),
  /** Removes a waiting message; gives its text. */
  'conversation.withdraw': defineCall(message, resultOf(outgoing.pick({ text: true, pictures: true }))),
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
