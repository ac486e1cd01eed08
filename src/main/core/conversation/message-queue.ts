import type { OutgoingMessage } from '../../../shared/contract/conversations'

/** A message in the queue. `given`: the agent already has it, but hasn't read it yet. */
export interface WaitingMessage {
  readonly id: string
  readonly message: OutgoingMessage
  readonly given: boolean
}

/** Messages that wait until an agent is ready, in sending order. None of them is lost. */
export class MessageQueue {
  #messages: readonly WaitingMessage[] = []
  #next = 1

  get all(): readonly WaitingMessage[] {
    return this.#messages
  }

  add(message: OutgoingMessage): WaitingMessage {
    const waiting = { id: `m${this.#next++}`, message, given: false }
    this.#messages = [...this.#messages, waiting]
    return waiting
  }

  /** Removes and returns the first message that the agent hasn't been given; null if there is none. */
  take(): WaitingMessage | null {
    const first = this.#messages.find(({ given }) => !given) ?? null
    this.#messages = this.#messages.filter((one) => one !== first)
    return first
  }

  /** Returns a message that couldn't be sent to the front of those that the agent hasn't been given. */
  putBack(message: WaitingMessage): void {
    const given = this.#messages.filter((one) => one.given)
    this.#messages = [...given, message, ...this.#messages.filter((one) => !one.given)]
  }

  /** The agent has been given a message, which moves it ahead of those not given. False if it isn't waiting. */
  give(id: string): boolean {
    const found = this.find(id)
    if (!found) return false
    if (found.given) return true
    this.withdraw(id)
    this.putBack({ ...found, given: true })
    return true
  }

  /** The agent is gone: what it had been given waits here again, in the same place. False if that was nothing. */
  giveBackAll(): boolean {
    const had = this.#messages.some(({ given }) => given)
    this.#messages = this.#messages.map((one) => ({ ...one, given: false }))
    return had
  }

  /** The agent returns a message unread, which becomes the first of those not given. */
  takeBack(id: string): void {
    const found = this.withdraw(id)
    if (found) this.putBack({ ...found, given: false })
  }

  /** False if it is no longer waiting here. */
  edit(id: string, text: string): boolean {
    if (!this.#isHere(id)) return false
    this.#messages = this.#messages.map((one) =>
      one.id === id ? { ...one, message: { ...one.message, text } } : one,
    )
    return true
  }

  /** `to`: its index among all that wait, but always after those given. False if it is no longer waiting here. */
  move(id: string, to: number): boolean {
    const moved = this.#messages.find((one) => one.id === id)
    if (!moved || !this.#isHere(id)) return false
    const others = this.#messages.filter((one) => one !== moved)
    const at = Math.max(to, others.filter(({ given }) => given).length)
    this.#messages = [...others.slice(0, at), moved, ...others.slice(at)]
    return true
  }

  /** Removes and returns a message; null if it is no longer waiting. */
  withdraw(id: string): WaitingMessage | null {
    const found = this.find(id)
    this.#messages = this.#messages.filter((one) => one !== found)
    return found
  }

  find(id: string): WaitingMessage | null {
    return this.#messages.find((one) => one.id === id) ?? null
  }

  #isHere(id: string): boolean {
    return this.find(id)?.given === false
  }
}
