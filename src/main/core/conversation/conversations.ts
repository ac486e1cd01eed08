import { randomUUID } from 'node:crypto'
import { liveIdPrefix } from '../../../shared/conversation/live-id'
import { type Disposable, DisposableStack, disposable, Emitter } from '../../../shared/lifetime'
import type { DrivenConversation } from './conversation'
import type { DrivenSessions } from './driven-sessions'
import type { UnsentMessages } from './unsent-messages'

/** A window's conversations with agents that Greenlight runs. Once disposed of, it knows none of them any more. */
export class Conversations implements Disposable {
  readonly #all = new Map<string, DrivenConversation>()
  readonly #titled = new Emitter<string>()
  readonly #renewed = new Emitter<void>()
  readonly #left = new Emitter<{ id: string; conversation: DrivenConversation }>()
  readonly #sessions: DrivenSessions
  readonly #unsent: Pick<UnsentMessages, 'follow'>
  readonly #next: () => string
  readonly #owned = new Map<string, Disposable>()
  /** A conversation's title has changed; tells its id. */
  readonly onTitle = this.#titled.on
  /** What brings a conversation back may be another by now. */
  readonly onRenewed = this.#renewed.on
  /** A conversation is over, and messages still waited in it. */
  readonly onLeft = this.#left.on

  /** `sessions`: the driven sessions of all windows. `next`: names what begins the window's next conversation. */
  constructor(sessions: DrivenSessions, unsent: Pick<UnsentMessages, 'follow'>, next: () => string) {
    this.#sessions = sessions
    this.#unsent = unsent
    this.#next = next
  }

  /** Registers a conversation until the result is disposed of. */
  add(conversation: DrivenConversation): Disposable & { readonly id: string } {
    const id = liveIdPrefix + randomUUID()
    let kept = ''
    const look = () => {
      const now = JSON.stringify(conversation.kept)
      if (now !== kept) this.#renewed.emit()
      kept = now
    }
    this.#all.set(id, conversation)
    const end = new DisposableStack(
      disposable(() => {
        this.#all.delete(id)
        this.#owned.delete(id)
        if (conversation.waiting.length > 0) this.#left.emit({ id, conversation })
      }),
      this.#sessions.add(conversation),
      this.#unsent.follow(id, conversation, this.#next()),
      conversation.onState(({ title, session, controls }) => {
        if (title !== undefined) this.#titled.emit(id)
        if (session !== undefined || controls !== undefined) look()
      }),
    )
    this.#owned.set(id, end)
    return { id, dispose: () => end.dispose() }
  }

  dispose(): void {
    for (const end of [...this.#owned.values()]) end.dispose()
  }

  get(id: string): DrivenConversation | undefined {
    return this.#all.get(id)
  }

  /** The conversation that goes on in a session; if there are several, the latest. */
  ofSession(session: string): { id: string; conversation: DrivenConversation } | undefined {
    const all = [...this.#all].filter(([, { state }]) => state.session === session)
    return all.map(([id, conversation]) => ({ id, conversation })).at(-1)
  }
}
