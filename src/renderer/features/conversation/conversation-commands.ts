import type { Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'

/** What the commands can do with a conversation that is shown. */
export interface ConversationHandle {
  find(): void
  toNewest(): void
  write(): void
  /** Goes on with it in a conversation, where it is a session that can be resumed. */
  converse?: (() => void) | undefined
}

/** The views in the page, by their element. */
export const shownConversations = new Map<Element, ConversationHandle>()

const scope = 'conversation'

/** Registers the commands of conversations until disposed. */
export function registerConversationCommands(): Disposable {
  const handleAt = (target: Element | null) => {
    const view = target?.closest(`[data-scope~="${scope}"]`)
    return view ? shownConversations.get(view) : undefined
  }
  const on = (run: (handle: ConversationHandle) => void) => (target: Element | null) => {
    const handle = handleAt(target)
    if (handle) run(handle)
  }
  return registerCommands([
    {
      id: 'conversation.find',
      title: 'Find in conversation',
      keys: ['Mod+F'],
      scope,
      run: on((handle) => handle.find()),
    },
    {
      id: 'conversation.toNewest',
      title: 'Jump to latest message',
      keys: ['Mod+End'],
      scope,
      when: (target) => !target?.closest('textarea, input'),
      run: on((handle) => handle.toNewest()),
    },
    {
      id: 'conversation.write',
      title: 'Write a message',
      scope,
      run: on((handle) => handle.write()),
    },
    {
      id: 'conversation.resume',
      title: 'Resume session as a conversation',
      scope,
      when: (target) => handleAt(target)?.converse !== undefined,
      run: on((handle) => handle.converse?.()),
    },
  ])
}
