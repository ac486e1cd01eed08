import type { WebSocket } from 'ws'
import { type Done, type Failure, fail, succeed } from '../../../shared/result'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { FramedLines } from '../kit/framed-lines'
import { type HearFrame, loggedPart, loggedText } from '../kit/logged-text'

/** The largest frame and the longest message that is taken, in bytes. A larger frame ends the connection with 1009. */
export const maxMessage = 64 * 1024 * 1024
/** Above this many unsent bytes nothing more is read from a client until it has read what it was sent. */
const unsentLimit = 4 * 1024 * 1024
/** No more may wait for a client to read it, in bytes. */
const mostUnsent = 64 * 1024 * 1024

/** Who hears what comes over a socket. */
export interface SocketListener {
  /** Called with each line. No more is read until the returned promise settles. */
  line(line: ProcessLine): void | Promise<void>
  /** The connection is over; called once, with a sentence for the person. Not after `close`. */
  closed(why: Failure): void
}

/** A client's connection as lines, both ways. */
export class SdkSocket {
  readonly #socket: WebSocket
  readonly #frames = new FramedLines(maxMessage)
  readonly #hear: HearFrame
  #listener: SocketListener | null = null
  readonly #waiting: Buffer[] = []
  #isTaking = false
  /** Why the socket has closed, until all that came before is taken. */
  #closing: Failure | null = null
  #isPaused = false
  #isOver = false

  constructor(socket: WebSocket, hear: HearFrame) {
    this.#socket = socket
    this.#hear = hear
  }

  /** Begins to listen, once. */
  listen(listener: SocketListener): void {
    this.#listener = listener
    this.#socket.on('message', (frame: Buffer, isBinary) => {
      if (this.#isOver) return
      if (isBinary) return this.#refuse()
      this.#waiting.push(frame)
      if (!this.#isTaking) void this.#takeWaiting()
    })
    this.#socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') this.#closing = tooLarge
    })
    this.#socket.on('close', () => {
      this.#closing ??= hungUp
      if (!this.#isTaking) void this.#takeWaiting()
    })
  }

  /** Sends a line. Resolves once the system has taken it; fails if nobody is there, or reads. */
  write(line: string): Promise<Done> {
    const socket = this.#socket
    if (this.#isOver || socket.readyState !== socket.OPEN)
      return Promise.resolve({ ok: false, failure: hungUp })
    if (socket.bufferedAmount > mostUnsent) return Promise.resolve(behind)
    this.#hear('out', loggedText(line), line.length)
    return new Promise((resolve) => {
      socket.send(`${line}\n`, (error) => {
        this.#goOn()
        resolve(error ? { ok: false, failure: hungUp } : succeed({}))
      })
      if (socket.bufferedAmount > unsentLimit) this.#pause()
    })
  }

  /** Ends the connection. */
  close(code: number, reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    // Its closing frame has to be read, or the connection would hang for half a minute.
    this.#socket.resume()
    this.#socket.close(code, reason)
  }

  async #takeWaiting(): Promise<void> {
    this.#isTaking = true
    for (let frame = this.#waiting.shift(); frame !== undefined; frame = this.#waiting.shift()) {
      const taken = this.#takeAll(this.#frames.read(frame))
      if (taken) await taken
    }
    if (this.#closing && !this.#isOver) {
      await this.#takeAll(this.#frames.rest())
      this.#end(this.#closing)
    }
    this.#isTaking = false
    this.#goOn()
  }

  /** Takes lines one after another. A promise only where one has to be waited for: most are done with at once. */
  #takeAll(lines: Iterator<ProcessLine>): void | Promise<void> {
    for (let next = lines.next(); next.done !== true; next = lines.next()) {
      if (this.#isOver) return
      const taken = this.#take(next.value)
      if (!taken) continue
      this.#pause()
      return taken.then(() => this.#takeAll(lines))
    }
  }

  #take(line: ProcessLine): void | Promise<void> {
    if (line.kind === 'line') this.#hear('in', loggedText(line.text), line.text.length)
    else this.#hear('in', line.head.slice(0, loggedPart), line.bytes)
    return this.#listener?.line(line)
  }

  #refuse(): void {
    this.close(1003, 'Only text frames are taken.')
    this.#listener?.closed(binary)
  }

  #end(why: Failure): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener?.closed(why)
  }

  #pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  #goOn(): void {
    if (!this.#isPaused || this.#isTaking || this.#socket.bufferedAmount >= unsentLimit / 2) return
    this.#isPaused = false
    this.#socket.resume()
  }
}

const { failure: hungUp } = fail(
  'hung-up',
  'The program has hung up. Start it again with the same address to go on.',
)
const { failure: tooLarge } = fail(
  'too-large',
  `The program sent more than ${maxMessage / 1024 / 1024} MB at once, so it was disconnected. Start it again.`,
)
const { failure: binary } = fail(
  'binary',
  'The program sent a binary frame, which this protocol doesn’t have, so it was disconnected. Start it again.',
)
const behind = fail(
  'behind',
  'The program doesn’t read what it is sent. Wait for it or end it, then send this again.',
)
