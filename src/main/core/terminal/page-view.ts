import type { Topics } from '../../../shared/contract/contract'
import type { Sink } from '../../../shared/rpc/rpc'
import { PageCredit } from './page-credit'
import type { ScreenImage } from './screen'

type TerminalTopic = Topics['terminal']
export type TerminalSink = Sink<TerminalTopic['snapshot'], TerminalTopic['delta']>

/** A screen is sent in pieces of this many characters: the first as the snapshot, the rest as output. */
const imagePiece = 256 << 10

/**
 * A page that shows one terminal: it gets the screen as it was when the page came, then all later output, once and in
 * order. The program is held back while the page has too much unparsed output.
 */
export class PageView {
  readonly #sink: TerminalSink
  readonly #window = new PageCredit(() => performance.now())
  #waiting: TerminalTopic['delta'][] | null = []

  constructor(sink: TerminalSink) {
    this.#sink = sink
  }

  /** Whether the page has enough for now. */
  get exhausted(): boolean {
    return this.#window.exhausted
  }

  /** Whether the page has its screen: from then on, it answers the program's questions. */
  get begun(): boolean {
    return this.#waiting === null
  }

  /** Sends the screen, then all output that came after this image was requested. */
  begin(image: ScreenImage): void {
    const waiting = this.#waiting
    if (!waiting) return
    this.#waiting = null
    const { screen, columns, rows } = image
    const rest = Math.max(0, screen.length - imagePiece)
    this.#sink.snapshot({ screen: screen.slice(0, imagePiece), rest, columns, rows })
    for (let from = imagePiece; from < screen.length; from += imagePiece) {
      const data = screen.slice(from, from + imagePiece)
      this.#window.give(data.length)
      this.#sink.delta({ kind: 'output', data })
    }
    for (const delta of waiting) this.#sink.delta(delta)
  }

  output(data: string): void {
    this.#window.give(data.length)
    this.#send({ kind: 'output', data })
  }

  resized(columns: number, rows: number): void {
    this.#send({ kind: 'resized', columns, rows })
  }

  /** The page has parsed this many characters of output. */
  acknowledge(length: number): void {
    this.#window.acknowledge(length)
  }

  #send(delta: TerminalTopic['delta']): void {
    if (this.#waiting) this.#waiting.push(delta)
    else this.#sink.delta(delta)
  }
}
