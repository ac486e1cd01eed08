import type { Disposable } from '../../shared/lifetime'

/** The part of the updater that is used: it looks, fetches and installs only when asked to. */
export interface Updater {
  /** The newest version, if it is newer than this one. Rejects where it cannot be found out. */
  look(): Promise<string | null>
  fetch(): Promise<void>
  /** Ends the app and starts the new one. Throws where the new one cannot take this one's place. */
  install(): void
}

export interface UpdatesParts {
  updater: Updater
  /** Whether the person wants to be asked at all; read before every look. */
  isWanted(): boolean
  /** Asks the person; true for yes. */
  ask(question: { message: string; detail: string; yes: string; no: string }): Promise<boolean>
  /** Tells the person that what they agreed to did not happen. */
  tell(words: { message: string; detail: string }): void
  /** Logs what went wrong: the person hears nothing of a look that nobody asked for. */
  report(error: unknown): void
}

/** Milliseconds: the start has other work first; then once a day. */
const firstLook = 60_000
const nextLook = 24 * 60 * 60_000

/**
 * Looks for newer versions from time to time. Nothing is fetched or installed before the person has agreed to exactly
 * that; a version that they declined is not asked about again while the app runs.
 */
export class Updates implements Disposable {
  readonly #parts: UpdatesParts
  readonly #declined = new Set<string>()
  #timer: NodeJS.Timeout
  #busy = false

  constructor(parts: UpdatesParts) {
    this.#parts = parts
    this.#timer = setTimeout(() => this.#lookAndWait(), firstLook)
    this.#timer.unref()
  }

  dispose(): void {
    clearTimeout(this.#timer)
  }

  /** One look, with its questions. */
  async look(): Promise<void> {
    const { updater, isWanted, ask, tell, report } = this.#parts
    if (!isWanted() || this.#busy) return
    this.#busy = true
    let failed: { message: string; detail: string } | null = null
    try {
      const version = await updater.look()
      if (version === null || this.#declined.has(version)) return
      const wanted = await ask({
        message: `Greenlight ${version} is there. Fetch it?`,
        detail: 'It is fetched in the background. You are asked again before it is installed.',
        yes: 'Fetch',
        no: 'Not now',
      })
      if (wanted) {
        failed = {
          message: `Greenlight ${version} couldn’t be downloaded.`,
          detail: 'You can keep using this version. You’ll be asked again at the next check.',
        }
        await updater.fetch()
        failed = null
      }
      const install =
        wanted &&
        (await ask({
          message: `Greenlight ${version} is fetched. Install it now?`,
          detail: 'The app ends and starts anew. Unsaved text and open reviews are kept; terminals end.',
          yes: 'Install and start anew',
          no: 'Not now',
        }))
      if (install) {
        failed = {
          message: `Greenlight ${version} couldn’t be installed.`,
          detail:
            'You can keep using this version. Before you quit, download the new one from where you got this one.',
        }
        updater.install()
      } else this.#declined.add(version)
    } catch (error) {
      report(error)
      if (failed) tell(failed)
    } finally {
      this.#busy = false
    }
  }

  #lookAndWait(): void {
    this.#timer = setTimeout(() => this.#lookAndWait(), nextLook)
    this.#timer.unref()
    void this.look()
  }
}
