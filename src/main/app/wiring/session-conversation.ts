import { withoutValue } from '../../../shared/result'
import type { Conversation } from '../../core/conversation/conversation'
import type { History, SessionWindow } from './history'

/** The conversation of a recorded session: its agent runs in a terminal, where what is said is typed. */
export function sessionConversation(id: string, history: History, window: SessionWindow): Conversation {
  return {
    send: async ({ text }) => withoutValue(await history.send(id, text, window)),
    stop: () => history.stop(id),
  }
}
