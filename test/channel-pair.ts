import { type Listen, Emitter } from '../src/shared/lifetime'
import type { Channel } from '../src/shared/rpc/rpc'

/** Two ends of one channel in memory: for tests, and for parts in one process. Delivery is synchronous. */
export function createChannelPair(): [Channel, Channel] {
  const left = new ChannelEnd()
  const right = new ChannelEnd()
  left.other = right
  right.other = left
  return [left, right]
}

class ChannelEnd implements Channel {
  other: ChannelEnd | null = null
  readonly #messages = new Emitter<string>()
  readonly #closes = new Emitter<void>()
  readonly onMessage: Listen<string> = this.#messages.on
  readonly onClose: Listen<void> = this.#closes.on
  #open = true

  hear(frame: string): void {
    this.#messages.emit(frame)
  }

  send(frame: string): void {
    if (this.#open) this.other?.hear(frame)
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    this.other?.close()
    this.#closes.emit()
  }
}
