import { randomUUID } from 'node:crypto'
import { type Disposable, disposable } from '../../../shared/lifetime'

/** Asks the live page to push what it has not sent, and waits until it says so. Nobody to ask counts as done. */
export class PageFlush {
  readonly #waiting = new Map<string, () => void>()
  #tell: ((token: string) => void) | null = null

  /** The page that is live now. */
  attach(tell: (token: string) => void): Disposable {
    this.#tell = tell
    return disposable(() => {
      if (this.#tell !== tell) return
      this.#tell = null
      for (const done of this.#waiting.values()) done()
      this.#waiting.clear()
    })
  }

  ask(): Promise<void> {
    const tell = this.#tell
    if (!tell) return Promise.resolve()
    const token = randomUUID()
    return new Promise((resolve) => {
      this.#waiting.set(token, resolve)
      tell(token)
    })
  }

  /** The page has pushed all that it had when it was asked. */
  flushed(token: string): void {
    const done = this.#waiting.get(token)
    this.#waiting.delete(token)
    done?.()
  }
}
