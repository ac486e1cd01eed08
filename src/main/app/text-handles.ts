import { randomUUID } from 'node:crypto'
import type { Text } from '@codemirror/state'
import type { TextRef } from '../../shared/contract/define'

/** Texts longer than this travel in pieces of this size, in UTF-16 units, so that no frame holds up the others. */
const pieceLength = 256 * 1024
/** A handle that nobody reads is forgotten after this many milliseconds. */
const lifetime = 60_000
const mostHandles = 64

/** A text that can be read in pieces. */
interface Source {
  readonly length: number
  slice(from: number, to: number): string
}

/** Long texts on their way to a page. */
export class TextHandles {
  readonly #texts = new Map<string, { text: Source; until: number }>()

  /** A short text as it is, or a handle to a long one; of a document only the pieces asked for are made strings. */
  refer(text: string | Text): TextRef {
    if (text.length <= pieceLength) return { text: text.toString() }
    const { length } = text
    const source =
      typeof text === 'string'
        ? text
        : { length, slice: (from: number, to: number) => text.sliceString(from, to) }
    return { ...this.#hold(source), length }
  }

  /** A handle to a text that is made when it is first read. */
  later(make: () => string): { handle: string } {
    let made: string | undefined
    const text = () => (made ??= make())
    return this.#hold({
      get length() {
        return text().length
      },
      slice: (from, to) => text().slice(from, to),
    })
  }

  #hold(text: Source): { handle: string } {
    const handle = randomUUID()
    this.#forgetOld()
    this.#texts.set(handle, { text, until: Date.now() + lifetime })
    return { handle }
  }

  /** The piece from `from` on; null when the handle is unknown or forgotten. The last piece ends the handle. */
  read(handle: string, from: number): { piece: string; done: boolean } | null {
    const held = this.#texts.get(handle)
    if (!held) return null
    held.until = Date.now() + lifetime
    const end = from + pieceLength
    const done = end >= held.text.length
    if (done) this.#texts.delete(handle)
    return { piece: held.text.slice(from, end), done }
  }

  #forgetOld(): void {
    const now = Date.now()
    for (const [handle, { until }] of this.#texts) {
      if (until < now || this.#texts.size >= mostHandles) this.#texts.delete(handle)
    }
  }
}
