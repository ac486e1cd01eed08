/** Whatever holds a resource. `dispose` may be called twice; the second call does nothing. */
export interface Disposable {
  dispose(): void
}

/** Makes a disposable of a function, which then runs at most once. */
export function disposable(release: () => void): Disposable {
  let released = false
  return {
    dispose() {
      if (released) return
      released = true
      release()
    },
  }
}

/** Owns several disposables and disposes them in reverse order. */
export class DisposableStack implements Disposable {
  #items: Disposable[]
  #disposed = false

  constructor(...items: Disposable[]) {
    this.#items = items
  }

  /** Takes ownership. On a disposed stack the item is disposed at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose()
    else this.#items.push(item)
    return item
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    for (const item of this.#items.reverse()) item.dispose()
    this.#items = []
  }
}

/** Adds a listener. Listeners run synchronously, in the order in which they were added. */
export type Listen<T> = (listener: (value: T) => void) => Disposable

/** One source of events. A listener that throws doesn't stop the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ hear: (value: T) => void }>()
  /** The listeners as an event finds them; null after they have changed. */
  #found: readonly { hear: (value: T) => void }[] | null = null

  readonly on: Listen<T> = (hear) => {
    const entry = { hear }
    this.#listeners.add(entry)
    this.#found = null
    return disposable(() => {
      this.#listeners.delete(entry)
      this.#found = null
    })
  }

  /** Calls every listener, then throws the first error that one has thrown. */
  emit(value: T): void {
    let failed: { error: unknown } | undefined
    this.#found ??= [...this.#listeners]
    for (const entry of this.#found) {
      try {
        entry.hear(value)
      } catch (error) {
        failed ??= { error }
      }
    }
    if (failed) throw failed.error
  }

  /** The number of listeners. */
  get size(): number {
    return this.#listeners.size
  }

  dispose(): void {
    this.#listeners.clear()
    this.#found = null
  }
}
