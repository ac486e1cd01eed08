import type { QueuedMessage } from '../../../shared/contract/conversations'

/** Messages that wait until an agent is ready, in the order in which they are sent. Nothing that is in it is lost. */
export class MessageQueue {
  #messages: readonly QueuedMessage[] = []
  #next = 1

  get all(): readonly QueuedMessage[] {
    return this.#messages
  }

  add(text: string): QueuedMessage {
    const message = { id: `m${this.#next++}`, text }
    this.#messages = [...this.#messages, message]
    return message
  }

  /** Takes the first one out; null where there is none. */
  take(): QueuedMessage | null {
    const [first, ...rest] = this.#messages
    this.#messages = rest
    return first ?? null
  }

  /** Puts one that could not be sent back in front. */
  putBack(message: QueuedMessage): void {
    this.#messages = [message, ...this.#messages]
  }

  /** False where it does not wait any more. */
  edit(id: string, text: string): boolean {
    if (!this.#has(id)) return false
    this.#messages = this.#messages.map((one) => (one.id === id ? { ...one, text } : one))
    return true
  }

  /** `to`: its place among the others. False where it does not wait any more. */
  move(id: string, to: number): boolean {
    const moved = this.#messages.find((one) => one.id === id)
    if (!moved) return false
    const others = this.#messages.filter((one) => one !== moved)
    this.#messages = [...others.slice(0, to), moved, ...others.slice(to)]
    return true
  }

  /** Takes one out; null where it does not wait any more. */
  withdraw(id: string): QueuedMessage | null {
    const found = this.#messages.find((one) => one.id === id)
    this.#messages = this.#messages.filter((one) => one !== found)
    return found ?? null
  }

  #has(id: string): boolean {
    return this.#messages.some((one) => one.id === id)
  }
}
