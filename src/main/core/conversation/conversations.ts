import { randomUUID } from 'node:crypto'
import { liveIdPrefix } from '../../../shared/conversation/live-id'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { DrivenConversation } from './conversation'

/** The conversations of a window whose agents Greenlight runs. */
export class Conversations {
  readonly #all = new Map<string, DrivenConversation>()

  /** Registers a conversation until the result is disposed of. */
  add(conversation: DrivenConversation): Disposable & { readonly id: string } {
    const id = liveIdPrefix + randomUUID()
    this.#all.set(id, conversation)
    const end = disposable(() => void this.#all.delete(id))
    return { id, dispose: () => end.dispose() }
  }

  get(id: string): DrivenConversation | undefined {
    return this.#all.get(id)
  }
}
