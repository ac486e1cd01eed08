import type { QueuedMessage } from '../../../shared/contract/conversations'

/** Messages that wait until an agent is ready, in sending order. None of them is lost. */
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

  /** Takes the first one out; null if there is none. */
  take(): QueuedMessage | null {
    const [first, ...rest] = this.#messages
    this.#messages = rest
    return first ?? null
  }

  /** Puts a message that couldn't be sent back to the front. */
  putBack(message: QueuedMessage): void {
    this.#messages = [message, ...this.#messages]
  }

  /** False if it is no longer waiting. */
  edit(id: string, text: string): boolean {
    if (!this.#has(id)) return false
    this.#messages = this.#messages.map((one) => (one.id === id ? { ...one, text } : one))
    return true
  }

  /** `to`: its index among the others. False if it is no longer waiting. */
  move(id: string, to: number): boolean {
    const moved = this.#messages.find((one) => one.id === id)
    if (!moved) return false
    const others = this.#messages.filter((one) => one !== moved)
    this.#messages = [...others.slice(0, to), moved, ...others.slice(to)]
    return true
  }

  /** Takes one out; null if it is no longer waiting. */
  withdraw(id: string): QueuedMessage | null {
    const found = this.#messages.find((one) => one.id === id)
    this.#messages = this.#messages.filter((one) => one !== found)
    return found ?? null
  }

  #has(id: string): boolean {
    return this.#messages.some((one) => one.id === id)
  }
}
