import type { Disposable } from '../../../shared/lifetime'
import type { Conversations } from '../../core/conversation/conversations'
import type { Notices } from '../../core/notices/notices'

/** Says where messages are that still waited in a conversation when it was over. */
export function tellLeftMessages(
  conversations: Pick<Conversations, 'onLeft'>,
  notices: Pick<Notices, 'add'>,
): Disposable {
  return conversations.onLeft(({ state: { title, session }, waiting: { length } }) => {
    const [were, them] = length === 1 ? ['1 message was', 'it'] : [`${length} messages were`, 'them']
    const where = session === null ? 'begin a new conversation' : 'open its session'
    const text = `${were} still waiting in “${title}”. To send ${them}, ${where}: the field has ${them}.`
    notices.add({ kind: 'info', text })
  })
}
