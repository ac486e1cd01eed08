import { objectOf, parseJson } from '../json'
import type { Disposable } from '../lifetime'
import type { Channel } from './rpc'

/**
 * The handshake of a page and its window, before the first frame of rpc: the page says hello, and the host welcomes it,
 * tells it that another page is live, or refuses it. One page is live per window.
 */

/** A page's first frame. */
export interface Hello {
  t: 'hello'
  /** Identifies the page across reloads and reconnects, so that it replaces itself without asking. */
  page: string
  /** What the headless host gave to the page; empty in the shell, which knows its pages. */
  token: string
  /** Whether the person chose to use this page although another is live. */
  takeOver: boolean
}

/** The host's first frame. After `elsewhere` and `refused` it closes the channel; `elsewhere` may also come later. */
export const welcome = '{"t":"welcome"}'
export const elsewhere = '{"t":"elsewhere"}'
export const refused = '{"t":"refused"}'

/** A hello as a frame. */
export function writeHello(hello: Omit<Hello, 't'>): string {
  return JSON.stringify({ t: 'hello', ...hello } satisfies Hello)
}

/** Reads a first frame; undefined if it isn't a hello. */
export function readHello(frame: string): Hello | undefined {
  if (frame.length > 2_000) return undefined
  const { t, page, token, takeOver } = objectOf(parseJson(frame)) ?? {}
  if (t !== 'hello' || typeof page !== 'string' || typeof token !== 'string') return undefined
  return { t, page, token, takeOver: takeOver === true }
}

/** What a door needs of its window. */
export interface PageDoorOptions {
  /** Whether a page with this token may enter. */
  accepts(token: string): boolean
  /** Serves a page that has entered, until disposed. */
  connect(channel: Channel): Disposable
}

/** The only way for pages into a window. */
export class PageDoor implements Disposable {
  readonly #options: PageDoorOptions
  #live: { page: string; channel: Channel; served: Disposable } | null = null

  constructor(options: PageDoorOptions) {
    this.#options = options
  }

  /** Whether a page is live now. */
  get occupied(): boolean {
    return this.#live !== null
  }

  /**
   * Waits for a channel's hello and answers it. `replaces`: the channel certainly succeeds the live one (a reload of
   * the same frame), so it takes over without asking.
   */
  admit(channel: Channel, replaces = false): void {
    const hearing = channel.onMessage((frame) => {
      hearing.dispose()
      this.#greet(channel, readHello(frame), replaces)
    })
  }

  dispose(): void {
    const live = this.#live
    this.#leave()
    live?.channel.close()
  }

  #greet(channel: Channel, hello: Hello | undefined, replaces: boolean): void {
    if (!hello || !this.#options.accepts(hello.token)) return answerAndClose(channel, refused)
    const before = this.#live
    const same = replaces || before?.page === hello.page
    if (before && !same && !hello.takeOver) return answerAndClose(channel, elsewhere)
    this.#leave()
    if (before) answerAndClose(before.channel, elsewhere)
    channel.send(welcome)
    const served = this.#options.connect(channel)
    const entry = { page: hello.page, channel, served }
    this.#live = entry
    const closing = channel.onClose(() => {
      closing.dispose()
      if (this.#live === entry) this.#leave()
    })
  }

  #leave(): void {
    const live = this.#live
    this.#live = null
    live?.served.dispose()
  }
}

function answerAndClose(channel: Channel, answer: string): void {
  channel.send(answer)
  channel.close()
}
