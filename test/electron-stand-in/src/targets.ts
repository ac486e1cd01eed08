import type { CdpConnection, CdpSession } from './cdp'

/** A page of Chromium that we have made. */
export interface PageTarget {
  targetId: string
  session: CdpSession
}

interface Attached {
  targetId: string
  sessionId: string
}

/** How a page's process ended, in Chromium's words. */
export interface Crash {
  status: string
  errorCode: number
}

/**
 * The pages of one Chromium. A page that nobody here has made was opened by a page (window.open, target=_blank,
 * a click with Ctrl): it is held before its first byte and closed. Electron's window open handler has its say
 * where the opening page announces it (see navigation.ts).
 */
export class Targets {
  readonly #connection: CdpConnection
  readonly #attached = new Map<string, Attached>()
  readonly #ours = new Set<string>()
  readonly #gone = new Map<string, () => void>()
  readonly #crashed = new Map<string, (crash: Crash) => void>()
  #making = 0

  private constructor(connection: CdpConnection) {
    this.#connection = connection
  }

  /** Starts to watch the pages of a Chromium that has none yet. */
  static async watch(connection: CdpConnection): Promise<Targets> {
    const targets = new Targets(connection)
    const { browser } = connection
    browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      targets.#attached.set(targetInfo.targetId, { targetId: targetInfo.targetId, sessionId })
      targets.#closeForeign()
    })
    browser.on('Target.targetDestroyed', ({ targetId }) => {
      targets.#attached.delete(targetId)
      targets.#ours.delete(targetId)
      targets.#crashed.delete(targetId)
      const gone = targets.#gone.get(targetId)
      targets.#gone.delete(targetId)
      gone?.()
    })
    browser.on('Target.targetCrashed', ({ targetId, status, errorCode }) =>
      targets.#crashed.get(targetId)?.({ status, errorCode }),
    )
    await browser.send('Target.setDiscoverTargets', { discover: true })
    await browser.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'page' }, { exclude: true }],
    })
    return targets
  }

  /** Makes a page in a window of its own. It is held until `Runtime.runIfWaitingForDebugger`. */
  async make(width: number, height: number): Promise<PageTarget> {
    this.#making++
    try {
      const { targetId } = await this.#connection.browser.send('Target.createTarget', {
        url: 'about:blank',
        newWindow: true,
        width,
        height,
      })
      this.#ours.add(targetId)
      // Chromium says that it has attached before it answers.
      const attached = this.#attached.get(targetId)
      if (!attached) throw new Error('stand-in: Chromium made a page and did not attach to it')
      return { targetId, session: this.#connection.session(attached.sessionId) }
    } finally {
      this.#making--
      this.#closeForeign()
    }
  }

  /** Calls `listener` once when the page has gone, however that happened. */
  onGone(targetId: string, listener: () => void): void {
    this.#gone.set(targetId, listener)
  }

  /** Calls `listener` each time the page's process ends before the page. */
  onCrash(targetId: string, listener: (crash: Crash) => void): void {
    this.#crashed.set(targetId, listener)
  }

  /** Closes the page without asking it. */
  async close(targetId: string): Promise<void> {
    await this.#connection.browser.send('Target.closeTarget', { targetId })
  }

  #closeForeign(): void {
    // Our own page is announced before we know its id: nothing can be told until all of ours are known.
    if (this.#making > 0) return
    for (const { targetId } of this.#attached.values()) {
      if (this.#ours.has(targetId)) continue
      this.#attached.delete(targetId)
      this.close(targetId).catch(() => {})
    }
  }
}
