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

/** Owns several disposables and ends them in the reverse order of their adding. */
export class DisposableStack implements Disposable {
  #items: Disposable[] = []
  #disposed = false

  /** Takes ownership. After the stack's own end, what is added is ended at once. */
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

/** Something one can listen to. The listener runs synchronously, in the order of listening. */
export type Listen<T> = (listener: (value: T) => void) => Disposable

/** One source of events. A listener that throws does not keep the others from hearing. */
export class Emitter<T> implements Disposable {
  #listeners = new Set<{ hear: (value: T) => void }>()

  readonly on: Listen<T> = (hear) => {
    const entry = { hear }
    this.#listeners.add(entry)
    return disposable(() => this.#listeners.delete(entry))
  }

  /** Calls every listener. The first error thrown by one is thrown again after all have heard. */
  emit(value: T): void {
    let failed: { error: unknown } | undefined
    for (const entry of [...this.#listeners]) {
      try {
        entry.hear(value)
      } catch (error) {
        failed ??= { error }
      }
    }
    if (failed) throw failed.error
  }

  /** How many listen now. */
  get size(): number {
    return this.#listeners.size
  }

  dispose(): void {
    this.#listeners.clear()
  }
}
