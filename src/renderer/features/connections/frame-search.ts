import type { Disposable } from '../../../shared/lifetime'

/** How long typing rests before a search starts, in milliseconds. */
const searchPause = 150

/** Gives the numbers of the frames, from `from` on, that contain a text. */
type AskForFrames = (text: string, from: number) => Promise<readonly number[]>

/**
 * A search in a connection's frames, which starts a little after the last letter. Later frames are searched as they
 * come, one call at a time, and never delay the search itself.
 */
export class FrameSearch implements Disposable {
  readonly #text: string
  readonly #ask: AskForFrames
  readonly #tell: (found: ReadonlySet<number>) => void
  readonly #timer: ReturnType<typeof setTimeout>
  #found: ReadonlySet<number> = new Set()
  #newest = 0
  /** The last frame that was searched. */
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

  /** There are frames up to `newest`; those up to `forgotten` are no longer kept. */
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
