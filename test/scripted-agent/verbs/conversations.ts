import { z } from 'zod'
import type { LiveConversationState } from '../../../src/shared/contract/conversations'
import type { TranscriptChange } from '../../../src/shared/conversation/live-transcript'
import type { ScriptedConversations } from '../scripted-conversations'
import { scriptedState } from '../scripted-state'
import type { ScriptedStarter } from '../scripted-starter'
import type { Verbs } from '../verbs'

const wish = z.object({
  title: z.string(),
  /** So many messages are there at first. */
  messages: z.number().int().default(0),
})
const update = z.object({
  id: z.string(),
  state: z.custom<Partial<Omit<LiveConversationState, 'queue' | 'isQueueHeld' | 'isUnresponsive'>>>(),
})
const change = z.object({ id: z.string(), change: z.custom<TranscriptChange>() })

/**
 * `converse`: opens a conversation with a process of its own (`speaker.mjs`), which ends with the connection. Gives its id
 * and the process's number; the event `process` brings the number of each one after it, `said` each message, `act`,
 * `forked` and `rewound` what else was asked. `update` changes its state, `fill` gives it all that a conversation can tell
 * of itself, `change` changes its transcript. `begun` gives the
 * conversations that the page has begun; `offer` says why none can be begun, or null.
 */
export function conversationVerbs(conversations: ScriptedConversations, starter: ScriptedStarter): Verbs {
  return {
    converse: async ({ params, signal, tell }) => {
      const { title, messages } = wish.parse(params)
      const { id, pid, dispose } = await conversations.open(title, messages, tell)
      signal.addEventListener('abort', dispose)
      return { id, pid }
    },
    update: ({ params }) => {
      const { id, state } = update.parse(params)
      conversations.get(id).live.update(state)
    },
    change: ({ params }) => {
      const said = change.parse(params)
      conversations.get(said.id).live.say(said.change)
    },
    fill: ({ params }) => {
      conversations.get(z.object({ id: z.string() }).parse(params).id).live.update(scriptedState.full)
    },
    begun: () => starter.begun,
    offer: ({ params }) => {
      starter.problem = z.object({ problem: z.string().nullable() }).parse(params).problem
    },
  }
}
