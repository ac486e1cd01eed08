import type { WebSocket } from 'ws'
import type { SessionFile } from '../../core/history/session-file'
import type { FileLine } from '../../core/history/session-line'
import type { Disposable } from '../../../shared/lifetime'
import type { FrameParser } from '../kit/frame-parser'
import { loggedPart } from '../kit/logged-text'
import { readClientMessage, type ClientMessage } from './client-message'
import { frameFormats, readFrame, type FrameFormat } from './frame-format'
import { frameOfLine } from './line-frames'
import { OutgoingFrames } from './outgoing-frames'
import type { SubscriberEntry } from './ports'
import { chooser, uuidOf, walkBack, type ChooseLine } from './session-lines'
import type { SubscriptionWish } from './session-request'

/** How long a subscriber may take, in milliseconds. */
export interface Patience {
  /** Without reading anything that waits for it, before it is dropped. */
  stalled: number
  /** For a `subscribe` that says where to begin, before everything is sent. */
  subscribe: number
  /** Between two pings. */
  ping: number
}

export const usualPatience: Patience = { stalled: 30_000, subscribe: 50, ping: 30_000 }

type Job =
  | { kind: 'begin'; wish: Pick<SubscriptionWish, 'last' | 'fromUuid'> }
  | { kind: 'anew' }
  | { kind: 'history'; ask: Extract<ClientMessage, { type: 'history' }> }

export interface SubscriberOptions {
  socket: WebSocket
  session: SessionFile
  wish: SubscriptionWish
  entry: SubscriberEntry
  patience: Patience
  /** Parses what is too large to be parsed where everyone waits. */
  frames: FrameParser
  onMessage(message: Extract<ClientMessage, { type: 'user_message' | 'typing' }>): void
  /** All that there was has been sent; called once. */
  onCaughtUp(): void
  /** The connection is over; called once. */
  onClosed(): void
}

/**
 * One program that follows a session. It has a place of its own in the session's file and reads on from there as fast
 * as it takes what is sent: nothing of the session waits in memory, and a slow one holds up nobody else.
 */
export class Subscriber implements Disposable {
  readonly #options: SubscriberOptions
  readonly #socket: WebSocket
  readonly #format: FrameFormat
  readonly #outgoing: OutgoingFrames
  readonly #chosen: ChooseLine
  readonly #jobs: Job[] = []
  /** The next line to be sent begins here. */
  #place = 0
  /** The first line that was sent begins here; pages of history go on before it. */
  #earliest: { offset: number; uuid: string | null } | null = null
  /** Identifies the file, so that another one in its place is noticed. */
  #file: string | null = null
  #lastUuid: string | null = null
  #ackedUuid: string | null = null
  #begun = false
  #isWanted = false
  #isRunning = false
  #isCaughtUp = false
  #isGone = false
  #isOver = false
  #dropped: string | null = null
  #awaitsPong = 0
  #beginning: NodeJS.Timeout | undefined

  constructor(options: SubscriberOptions) {
    this.#options = options
    this.#socket = options.socket
    this.#format = frameFormats[options.wish.format]
    this.#chosen = chooser(options.wish.all)
    this.#outgoing = new OutgoingFrames(options.socket, options.patience.stalled, options.entry.frame)
    this.#socket.on('message', (data: Buffer, isBinary) => this.#hear(data, isBinary))
    this.#socket.on('pong', () => (this.#awaitsPong = 0))
    // What is wrong with a frame ends the connection; `close` follows.
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => this.#end())
    const { last, fromUuid } = options.wish
    if (last !== null || fromUuid !== null) this.#begin({ last, fromUuid })
    else {
      const everything = () => this.#begin({ last: null, fromUuid: null })
      this.#beginning = setTimeout(everything, options.patience.subscribe)
    }
  }

  /** The session has grown. */
  nudge(): void {
    this.#isWanted = true
    this.#run()
  }

  /** The session's file was replaced or written over. */
  anew(): void {
    this.#jobs.push({ kind: 'anew' })
    this.nudge()
  }

  /** Sends a message that isn't a line of the session. */
  tell(message: object): void {
    if (this.#isOver) return
    if (this.#outgoing.isOverfull) return this.#drop(tooSlow)
    this.#outgoing.send(this.#format.write(message))
  }

  /** Pings the subscriber; one that didn't answer twice is dropped. */
  ping(): void {
    if (this.#isOver) return
    if (this.#awaitsPong >= 2) {
      this.#dropped = 'It did not answer.'
      return this.#socket.terminate()
    }
    this.#awaitsPong += 1
    this.#socket.ping()
  }

  /** Ends the subscription because the server ends. */
  dispose(): void {
    if (this.#isOver) return
    this.#socket.close(1001, 'The server stops.')
    this.#end()
  }

  #begin(wish: Pick<SubscriptionWish, 'last' | 'fromUuid'>): void {
    clearTimeout(this.#beginning)
    this.#begun = true
    this.#jobs.push({ kind: 'begin', wish })
    this.nudge()
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return
    this.#options.entry.frame('in', data.toString('utf8', 0, loggedPart), data.length)
    const frame = readFrame(data, isBinary)
    const read = frame.ok ? readClientMessage(frame.value) : frame
    if (!read.ok) {
      this.tell({ type: 'error', error: read.failure.message, code: read.failure.code, ...textIn(frame) })
      return this.#beginAtLast()
    }
    const message = read.value
    switch (message.type) {
      case 'subscribe':
        return this.#begin({ last: null, fromUuid: message.fromUuid ?? null })
      case 'history':
        this.#beginAtLast()
        this.#jobs.push({ kind: 'history', ask: message })
        return this.#run()
      case 'ack':
        this.#ackedUuid = message.uuid
        return this.#beginAtLast()
      case 'user_message':
      case 'typing':
        this.#beginAtLast()
        return this.#options.onMessage(message)
    }
  }

  /** The first message isn't `subscribe`, so none will say where to begin. */
  #beginAtLast(): void {
    if (!this.#begun) this.#begin({ last: null, fromUuid: null })
  }

  #run(): void {
    if (this.#isRunning || this.#isOver || !this.#begun) return
    this.#isRunning = true
    void this.#work().finally(() => {
      this.#isRunning = false
      // Asked for in this very moment.
      if (this.#isWanted || this.#jobs.length > 0) this.#run()
    })
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const job = this.#jobs.shift()
      if (job) await this.#do(job)
      else if (this.#isWanted) await this.#sendSlice()
      else return
    }
  }

  async #do(job: Job): Promise<void> {
    switch (job.kind) {
      case 'begin':
        await this.#goTo(job.wish)
        // Before a page of history that was asked for meanwhile.
        return this.#sendSlice()
      case 'anew':
        return this.#goOn()
      case 'history':
        return this.#sendPage(job.ask)
    }
  }

  /** Sets the place to where a subscription begins. */
  async #goTo({ last, fromUuid }: Pick<SubscriptionWish, 'last' | 'fromUuid'>): Promise<void> {
    this.#isWanted = true
    this.#earliest = null
    this.#place = 0
    if (last === null && fromUuid === null) return
    const way = await walkBack(this.#options.session, {
      chosen: this.#chosen,
      uuid: fromUuid,
      ...(last === null ? {} : { most: last }),
    })
    // A file that is not there yet is read from its beginning once it is.
    if (!way.ok) return
    const { offsets, behind, end } = way.value
    if (behind !== null) this.#place = offsets.at(-1) ?? behind
    else if (last !== null) this.#place = last === 0 ? end : (offsets.at(-1) ?? end)
    if (fromUuid !== null && behind === null && last === null) {
      const error = 'The message with this uuid is not in the session. All of the session follows.'
      this.tell({ type: 'error', error, code: 'unknown-uuid', fromUuid })
    }
  }

  /** Goes on in another file behind the last message that the client has, else begins as it began. */
  async #goOn(): Promise<void> {
    this.#file = null
    this.#earliest = null
    this.#isWanted = true
    for (const uuid of [this.#lastUuid, this.#ackedUuid]) {
      if (uuid === null) continue
      const way = await walkBack(this.#options.session, { chosen: this.#chosen, uuid })
      if (way.ok && way.value.behind !== null) {
        this.#place = way.value.behind
        return
      }
    }
    await this.#goTo({ last: this.#options.wish.last, fromUuid: null })
  }

  async #sendSlice(): Promise<void> {
    this.#isWanted = false
    const page = await this.#options.session.readFrom(this.#place)
    if (this.#isOver) return
    if (!page.ok) return this.#sayGone(page.failure.message)
    const { lines, to, size, file } = page.value
    this.#isGone = false
    if ((this.#file !== null && this.#file !== file) || size < this.#place) return this.#goOn()
    this.#file = file
    for (const line of lines) {
      if (this.#isOver || this.#jobs.some(({ kind }) => kind !== 'history')) return
      await this.#sendLine(line)
      this.#place = line.offset + line.bytes
    }
    const isFurther = to > this.#place || lines.length > 0
    this.#place = Math.max(this.#place, to)
    if (isFurther && to < size) this.#isWanted = true
    else this.#caughtUp()
  }

  #caughtUp(): void {
    if (this.#isCaughtUp) return
    this.#isCaughtUp = true
    this.#options.onCaughtUp()
  }

  async #sendPage({ beforeUuid, limit }: Extract<ClientMessage, { type: 'history' }>): Promise<void> {
    const { session } = this.#options
    const until = await this.#placeOf(beforeUuid ?? null)
    const way =
      until === null ? null : await walkBack(session, { chosen: this.#chosen, from: until, most: limit + 1 })
    if (this.#isOver) return
    if (until === null || !way?.ok) {
      const error = 'The message with this uuid is not in the session. Ask for a page before another one.'
      return this.tell({ type: 'error', error, code: 'unknown-uuid', beforeUuid })
    }
    const { offsets } = way.value
    const more = offsets.length > limit
    const count = Math.min(limit, offsets.length)
    const begin = offsets[count - 1] ?? until
    for (let at = begin; at < until && !this.#isOver;) {
      const page = await session.readFrom(at)
      if (!page.ok || page.value.to <= at) break
      for (const line of page.value.lines) {
        if (line.offset < until && !this.#isOver) await this.#sendLine(line, true)
      }
      at = page.value.to
    }
    if (count > 0) this.#earliest = { offset: begin, uuid: null }
    this.tell({ type: 'history', beforeUuid: beforeUuid ?? null, count, more })
  }

  /** Where the line with a uuid begins; without one, the first line that the client has. */
  async #placeOf(uuid: string | null): Promise<number | null> {
    const { session } = this.#options
    if (uuid === null || uuid === this.#earliest?.uuid) return this.#earliest?.offset ?? this.#place
    const way = await walkBack(session, { chosen: this.#chosen, uuid })
    return way.ok ? way.value.at : null
  }

  async #sendLine(line: FileLine, isPage = false): Promise<void> {
    if (!this.#chosen(line)) return
    const uuid = uuidOf(line)
    if (!isPage) {
      this.#lastUuid = uuid ?? this.#lastUuid
      this.#earliest ??= { offset: line.offset, uuid }
    }
    const { session, frames } = this.#options
    const frame = await frameOfLine(line, { session, format: this.#format, frames })
    if (this.#isOver) return
    if (frame) this.#outgoing.send(frame)
    if (!(await this.#outgoing.flow())) this.#drop(tooSlow)
  }

  #sayGone(why: string): void {
    if (this.#isGone) return
    this.#isGone = true
    // One that is not there yet comes with the session's first message.
    if (this.#file !== null) this.tell({ type: 'error', error: why, code: 'gone' })
    else this.#caughtUp()
  }

  #drop(reason: string): void {
    if (this.#isOver) return
    this.#dropped = reason
    this.#outgoing.send(this.#format.write({ type: 'error', error: reason, code: 'dropped' }))
    this.#socket.close(1013, reason)
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#beginning)
    this.#jobs.length = 0
    this.#outgoing.dispose()
    this.#options.entry.closed(this.#dropped)
    this.#options.onClosed()
  }
}

const tooSlow = 'The client does not read what is sent to it. Connect again to go on.'

/** The text of a message that was not taken, so that it is not lost. */
function textIn(frame: ReturnType<typeof readFrame>): { content?: string; clientId?: unknown } {
  if (!frame.ok || typeof frame.value !== 'object' || frame.value === null) return {}
  const { type, content, clientId } = frame.value as Record<string, unknown>
  if (type !== 'user_message' || typeof content !== 'string') return {}
  return { content, ...(clientId === undefined ? {} : { clientId }) }
}
