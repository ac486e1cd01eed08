import type { Disposable } from '../../../shared/lifetime'

/** Letters that come within this many milliseconds are searched for together. */
const searchPause = 150

/** Gives the numbers of the frames, from one on, that hold a text. */
export type AskForFrames = (text: string, from: number) => Promise<readonly number[]>

/**
 * A search in the frames of a connection, some time after the last letter. Frames that come afterwards are looked
 * through as they come, one question at a time; they never put off the search itself.
 */
export class FrameSearch implements Disposable {
  readonly #text: string
  readonly #ask: AskForFrames
  readonly #tell: (found: ReadonlySet<number>) => void
  readonly #timer: ReturnType<typeof setTimeout>
  #found: ReadonlySet<number> = new Set()
  #newest = 0
  /** Searched up to this number. */
  #upTo = -1
  #forgotten = 0
  #isAsking = true
  #isOver = false

  constructor(text: string, ask: AskForFrames, tell: (found: ReadonlySet<number>) => void) {
    this.#text = text
    this.#ask = ask
    this.#tell = tell
    this.#timer = setTimeout(() => void this.#search(), searchPause)
  }

  /** There are frames up to this number, and those up to another are no longer kept. */
  reach(newest: number, forgotten: number): void {
    this.#newest = newest
    this.#forgotten = forgotten
    if (!this.#isAsking && newest > this.#upTo) void this.#search()
  }

  dispose(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  async #search(): Promise<void> {
    this.#isAsking = true
    try {
      while (!this.#isOver && this.#newest > this.#upTo) {
        const upTo = this.#newest
        const more = await this.#ask(this.#text, this.#upTo + 1)
        if (this.#isOver) return
        this.#upTo = upTo
        this.#found = new Set([...this.#found, ...more].filter((seq) => seq > this.#forgotten))
        this.#tell(this.#found)
      }
    } catch {
      // The link is lost; the next frame asks again.
    } finally {
      this.#isAsking = false
    }
  }
}
