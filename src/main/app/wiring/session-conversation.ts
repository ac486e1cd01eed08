import { type Done, succeed } from '../../../shared/result'
import type { Conversation } from '../../core/conversation/conversation'
import type { History, SessionWindow } from './history'

/** The conversation of a recorded session: its agent runs in a terminal, where what is said is typed. */
export function sessionConversation(id: string, history: History, window: SessionWindow): Conversation {
  return {
    async send(text): Promise<Done> {
      const sent = await history.send(id, text, window)
      return sent.ok ? succeed({}) : sent
    },
    stop: () => history.stop(id),
  }
}
