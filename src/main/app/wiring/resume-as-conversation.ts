import { type Result, fail, succeed } from '../../../shared/result'
import { claude } from '../../core/agents/claude'
import type { ConversationStarter } from '../../core/conversation/conversation'
import type { Conversations } from '../../core/conversation/conversations'
import type { Tabs } from '../../core/editing/tabs'
import { tabOfSession } from '../page/session-handlers'
import { type History, unknownSession } from './history'

/** A window that has conversations in its tabs. */
export interface ConversationWindow {
  readonly conversations: Conversations
  readonly tabs: Tabs
  readonly starters: readonly ConversationStarter[]
  requestFocus(): void
}

/** The conversation that a session goes on in. */
export interface ResumedConversation {
  /** Null where it is in another window, which comes to the front. */
  id: string | null
  /** The session goes on elsewhere too: what goes on here is a copy. */
  isCopy: boolean
}

/** Continues recorded sessions as conversations of a window. */
export class ConversationResuming {
  readonly #window: ConversationWindow
  readonly #windows: () => readonly ConversationWindow[]
  readonly #history: Pick<History, 'placeOf' | 'list'>
  readonly #underWay = new Map<string, Promise<Result<ResumedConversation>>>()

  constructor(
    window: ConversationWindow,
    windows: () => readonly ConversationWindow[],
    history: Pick<History, 'placeOf' | 'list'>,
  ) {
    this.#window = window
    this.#windows = windows
    this.#history = history
  }

  /**
   * Shows the conversation that a session is in, restarted if its agent has ended, or begins one. Of a session that runs
   * in a terminal it begins a copy: two processes in one session would write into each other’s conversation.
   */
  resume(session: string): Promise<Result<ResumedConversation>> {
    const before = this.#underWay.get(session)
    if (before) return before
    const own = this.#resume(session).finally(() => this.#underWay.delete(session))
    this.#underWay.set(session, own)
    return own
  }

  async #resume(session: string): Promise<Result<ResumedConversation>> {
    const isRunning = (await this.#history.placeOf(session)).kind !== 'none'
    for (const window of this.#windows()) {
      const found = window.conversations.ofSession(session)
      const isOver = found?.conversation.state.process.phase === 'ended'
      // One that has ended can't be restarted while the session runs in a terminal, nor if its program started by itself.
      if (!found || (isOver && (isRunning || found.conversation.kept === null))) continue
      window.tabs.openOther(tabOfSession(found.id))
      if (window !== this.#window) window.requestFocus()
      const started = isOver ? await found.conversation.restart() : succeed({})
      return started.ok ? succeed({ id: window === this.#window ? found.id : null, isCopy: false }) : started
    }
    if (!this.#history.list.get(session)) return unknownSession
    const starter = this.#window.starters.find(({ agent }) => agent === claude.id)
    const begun = (await starter?.resume?.(session, isRunning)) ?? noStarter
    return begun.ok ? succeed({ id: begun.value.id, isCopy: isRunning }) : begun
  }
}

const noStarter = fail('absent', 'This session can’t be resumed as a conversation. Resume it in a terminal.')
