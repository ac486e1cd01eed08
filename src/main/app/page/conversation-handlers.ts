import { addChange, type TranscriptChange } from '../../../shared/conversation/live-transcript'
import { DisposableStack, disposable } from '../../../shared/lifetime'
import { fail, succeed } from '../../../shared/result'
import type { ConversationStarter } from '../../core/conversation/conversation'
import type { Conversations } from '../../core/conversation/conversations'
import type { UnsentMessages } from '../../core/conversation/unsent-messages'
import type { History, SessionWindow } from '../wiring/history'
import type { ConversationResuming } from '../wiring/resume-as-conversation'
import { sessionConversation } from '../wiring/session-conversation'
import type { PageHandlers } from './page-handlers'

/** So many items come first, and so many in each page before. */
const pageLength = 60
/** What an agent says is sent at most this often, in milliseconds: a page doesn't draw more often. */
const pause = 16

const noStarter = fail('absent', 'No conversation can be begun with this agent. Choose another one.')
const gone = fail('gone', 'This conversation is over. Start a new one.')

/** Conversations: what is said in those that Greenlight runs, and what a person does with any of them. */
export function conversationHandlers({
  conversations,
  unsent,
  starters,
  history,
  window,
  resuming,
}: {
  conversations: Conversations
  unsent: Pick<UnsentMessages, 'keepDraft' | 'take'>
  starters(): readonly ConversationStarter[]
  history: History
  window: SessionWindow
  resuming: ConversationResuming
}): PageHandlers<'conversation', 'conversation' | 'transcript'> {
  const conversationOf = (id: string) => conversations.get(id) ?? sessionConversation(id, history, window)
  return {
    calls: {
      'conversation.send': ({ id, ...message }) => conversationOf(id).send(message),
      'conversation.stop': ({ id }) => conversationOf(id).stop(),
      'conversation.restart': async ({ id }) => (await conversations.get(id)?.restart()) ?? gone,
      'conversation.edit': ({ id, message, text }) => conversations.get(id)?.edit(message, text) ?? gone,
      'conversation.move': ({ id, message, to }) => conversations.get(id)?.move(message, to) ?? gone,
      'conversation.give': async ({ id, message }) => (await conversations.get(id)?.give(message)) ?? gone,
      'conversation.withdraw': async ({ id, message }) =>
        (await conversations.get(id)?.withdraw(message)) ?? gone,
      'conversation.choose': async ({ id, control, value }) =>
        (await conversations.get(id)?.choose(control, value)) ?? gone,
      'conversation.end': async ({ id }) => (await conversations.get(id)?.end()) ?? gone,
      'conversation.switch': async ({ id, switch: name, on }) =>
        (await conversations.get(id)?.switch(name, on)) ?? gone,
      'conversation.act': async ({ id, part, entry, act }) =>
        (await conversations.get(id)?.act(part, entry, act)) ?? gone,
      'conversation.stopTask': async ({ id, task }) => (await conversations.get(id)?.stopTask(task)) ?? gone,
      'conversation.fork': async ({ id, before, ...message }) =>
        (await conversations.get(id)?.fork(before, message)) ?? gone,
      'conversation.rewind': async ({ id, before }) => (await conversations.get(id)?.rewind(before)) ?? gone,
      'conversation.figures': async ({ id }) => (await conversations.get(id)?.figures()) ?? gone,
      'conversation.keepPictures': ({ draft, pictures }) => unsent.keepDraft(draft, pictures),
      'conversation.takeUnsent': async ({ draft, had }) => ({ kept: await unsent.take(draft, had) }),
      'conversation.offers': async () => ({
        offers: await Promise.all(starters().map((starter) => starter.offer())),
      }),
      'conversation.begin': async ({ agent, values, first }) =>
        (await starters()
          .find((starter) => starter.agent === agent)
          ?.begin(values, first, 'person')) ?? noStarter,
      'conversation.resume': ({ session }) => resuming.resume(session),
      'conversation.earlier': ({ id, before }) => {
        const source = conversations.get(id)?.source
        return source ? succeed(source.page(pageLength, before)) : gone
      },
    },
    topics: {
      conversation: ({ id }, sink) => {
        const conversation = conversations.get(id)
        sink.snapshot(conversation?.state ?? null)
        return conversation?.onState((change) => sink.delta(change)) ?? disposable(() => undefined)
      },
      transcript: ({ id }, sink) => {
        const source = conversations.get(id)?.source
        sink.snapshot(source?.page(pageLength) ?? null)
        if (!source) return disposable(() => undefined)
        let changes: TranscriptChange[] = []
        let toldAt = -Infinity
        let timer: NodeJS.Timeout | undefined
        const tell = () => {
          timer = undefined
          toldAt = performance.now()
          sink.delta({ changes })
          changes = []
        }
        return new DisposableStack(
          source.onChange((change) => {
            addChange(changes, change)
            if (timer !== undefined) return
            if (performance.now() - toldAt >= pause) tell()
            // It is left to run: one that is cleared wakes Node up all the same.
            else timer = setTimeout(tell, pause)
          }),
          disposable(() => clearTimeout(timer)),
        )
      },
    },
  }
}
