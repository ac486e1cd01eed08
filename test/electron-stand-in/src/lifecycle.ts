import { preventable } from './preventable'

/** What the end of the app has to do with a window. */
export interface Closable {
  /** Asks, as a person's click on the window's close button does. */
  close(): void
  /** Does not ask. */
  destroy(): void
}

/** How long the last releases may take before the process ends anyway, in milliseconds. */
const patience = 5000

/**
 * The way to the app's end, in Electron's order: before-quit, each window's close, will-quit, quit. A listener
 * that prevents one of them stops there, and the app lives on.
 */
export class Lifecycle {
  readonly #emit: (name: string, ...args: unknown[]) => boolean
  readonly #windows = new Set<Closable>()
  readonly #releases: (() => Promise<void>)[] = []
  #state: 'running' | 'quitting' | 'exiting' | 'ended' = 'running'
  #exitCode = 0

  /** @param emit sends an event of `app` and says whether somebody listened */
  constructor(emit: (name: string, ...args: unknown[]) => boolean) {
    this.#emit = emit
  }

  /** True from the moment that nothing can stop the end. */
  get ended(): boolean {
    return this.#state === 'ended'
  }

  /** Runs `release` last of all, before the process ends. */
  atEnd(release: () => Promise<void>): void {
    this.#releases.push(release)
  }

  windowOpened(window: Closable): void {
    this.#windows.add(window)
  }

  windowClosed(window: Closable): void {
    if (!this.#windows.delete(window) || this.#windows.size > 0) return
    switch (this.#state) {
      case 'running':
        // Electron's own default: an app that does not listen quits.
        if (!this.#emit('window-all-closed')) this.quit()
        return
      case 'quitting':
        this.#shutDown()
        return
      case 'exiting':
        this.#end()
        return
      case 'ended':
        return
    }
  }

  /** A window's close was prevented: the app does not quit. */
  closeRefused(): void {
    if (this.#state === 'quitting') this.#state = 'running'
  }

  /** `app.quit()` */
  quit(): void {
    if (this.#state !== 'running') return
    const event = preventable({})
    this.#emit('before-quit', event)
    if (event.defaultPrevented) return
    this.#state = 'quitting'
    if (this.#windows.size === 0) this.#shutDown()
    else for (const window of this.#windows) window.close()
  }

  /** `app.exit(code)`: nobody is asked, only `quit` is sent. */
  exit(code: number): void {
    if (this.#state === 'exiting' || this.#state === 'ended') return
    this.#state = 'exiting'
    this.#exitCode = code
    if (this.#windows.size === 0) this.#end()
    else for (const window of this.#windows) window.destroy()
  }

  #shutDown(): void {
    const event = preventable({})
    this.#emit('will-quit', event)
    if (event.defaultPrevented) this.#state = 'running'
    else this.#end()
  }

  #end(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#emit('quit', preventable({}), this.#exitCode)
    const end = (): never => process.exit(this.#exitCode)
    setTimeout(end, patience).unref()
    void Promise.allSettled(this.#releases.map((release) => release())).then(end)
  }
}
