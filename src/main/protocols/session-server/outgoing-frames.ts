import type { WebSocket } from 'ws'
import type { Disposable } from '../../../shared/lifetime'
import { type HearFrame, loggedPart } from '../kit/logged-text'
import type { Frame } from './frame-format'

/** Above this many unsent bytes, the session is not read on until the client has read. */
const pauseAt = 1024 * 1024
const resumeAt = 256 * 1024
/** The most unsent bytes of messages that are not in the session's file. */
const unsentEnd = 8 * 1024 * 1024
/** Sends frames over a socket, no faster than its client reads them. */
export class OutgoingFrames implements Disposable {
  readonly #socket: WebSocket
  readonly #stalled: number
  readonly #hear: HearFrame
  #isOver = false
  #wake: (() => void) | null = null

  /** `stalled`: after how many milliseconds without reading anything a client counts as stalled. */
  constructor(socket: WebSocket, stalled: number, hear: HearFrame) {
    this.#socket = socket
    this.#stalled = stalled
    this.#hear = hear
  }

  /** Sends at once; what the client has not read waits in memory. */
  send({ data, isBinary }: Frame): void {
    if (this.#isOver || this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(data, { binary: isBinary }, () => this.#wake?.())
    const text =
      typeof data === 'string'
        ? data.slice(0, loggedPart)
        : Buffer.from(data.buffer, data.byteOffset, Math.min(loggedPart, data.byteLength)).toString('utf8')
    this.#hear('out', text, data.length)
  }

  /** Whether no more may wait in memory. */
  get isOverfull(): boolean {
    return this.#socket.bufferedAmount > unsentEnd
  }

  /** If much is unsent, waits until the client has read most of it. False if it has stopped reading. */
  async flow(): Promise<boolean> {
    if (this.#socket.bufferedAmount <= pauseAt) return true
    while (!this.#isOver && this.#socket.bufferedAmount > resumeAt) {
      const unsent = this.#socket.bufferedAmount
      const isMoving = await this.#moves()
      if (!isMoving && this.#socket.bufferedAmount >= unsent) return false
    }
    return true
  }

  dispose(): void {
    this.#isOver = true
    this.#wake?.()
  }

  #moves(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isMoving: boolean): void => {
        clearTimeout(timer)
        this.#wake = null
        resolve(isMoving)
      }
      const timer = setTimeout(() => settle(false), this.#stalled)
      this.#wake = () => settle(true)
    })
  }
}
