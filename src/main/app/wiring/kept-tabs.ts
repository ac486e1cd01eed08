import { isLiveId } from '../../../shared/conversation/live-id'
import type { ConversationStarter } from '../../core/conversation/conversation'
import type { Conversations } from '../../core/conversation/conversations'
import type { StoredPage, StoredTabs } from '../../core/settings/stored-tabs'
import { sessionOfTab, tabOfSession } from '../page/session-handlers'

/**
 * How one of a window's own pages is stored; null if it isn't. A conversation is stored as its session's page: where it
 * can't be brought back, its record is shown.
 */
export function keptPage(name: string, conversations: Pick<Conversations, 'get'>): StoredPage | null {
  const id = sessionOfTab(name)
  if (id === null) return null
  if (!isLiveId(id)) return { page: name }
  const conversation = conversations.get(id)?.kept
  return conversation ? { page: tabOfSession(conversation.session), conversation } : null
}

/** Brings the conversations of stored tabs back; gives the tabs that show them. */
export function bringConversationsBack(
  stored: StoredTabs,
  starters: readonly ConversationStarter[],
): StoredTabs {
  const tabs = stored.tabs.map((tab) => {
    if (!('page' in tab) || !tab.conversation) return tab
    const { conversation, ...record } = tab
    const starter = starters.find(({ agent }) => agent === conversation.agent)
    const id = starter?.bringBack?.(conversation)
    return id === undefined ? record : { ...record, page: tabOfSession(id) }
  })
  return { ...stored, tabs }
}
