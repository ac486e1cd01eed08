import type { Disposable } from '../../../shared/lifetime'
import type { DrivenConversation } from '../../core/conversation/conversation'
import type { Conversations } from '../../core/conversation/conversations'
import type { UnsentMessages } from '../../core/conversation/unsent-messages'
import type { Notices } from '../../core/notices/notices'

/** Says where messages are that still waited in a conversation when it was over. */
export function tellLeftMessages(
  conversations: Pick<Conversations, 'onLeft'>,
  unsent: Pick<UnsentMessages, 'leftBy'>,
  notices: Pick<Notices, 'add'>,
): Disposable {
  const tellOf = async (id: string, { state, from }: DrivenConversation) => {
    const { title, session } = state
    const left = await unsent.leftBy(id)
    // That they can't be kept has been told.
    if (left === 0) return
    const [were, them] = left === 1 ? ['1 message was', 'it'] : [`${left} messages were`, 'them']
    const where = (session ?? from) === null ? 'begin a new conversation' : 'open its session'
    const text = `${were} still waiting in “${title}”. To send ${them}, ${where}: the field has ${them}.`
    notices.add({ kind: 'info', text })
  }
  return conversations.onLeft(({ id, conversation }) => void tellOf(id, conversation))
}
