import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** Of the browser's usual work what would only disturb a measurement is off; nothing that draws or counts time. */
const switches = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--mute-audio',
  '--password-store=basic',
]

interface Answer {
  id?: number
  method?: string
  sessionId?: string
  result?: unknown
  error?: { message: string }
  params?: unknown
}

/**
 * Chromium with as little as possible around it. A test's driver watches the network: every message of a WebSocket is
 * copied to it, which takes more of a small machine than what is measured here. This one only evaluates.
 */
export class PlainBrowser {
  readonly #child: ChildProcess
  readonly #toBrowser: Writable
  readonly #profile: string
  readonly #asked = new Map<number, (answer: Answer) => void>()
  readonly #events = new Set<(event: Answer) => void>()
  #nextId = 1

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child
    this.#profile = profile
    this.#toBrowser = child.stdio[3] as Writable
    let rest = ''
    const fromBrowser = child.stdio[4] as Readable
    fromBrowser.setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0')
      rest = messages.pop() ?? ''
      for (const message of messages) this.#hear(JSON.parse(message) as Answer)
    })
    child.once('exit', () => {
      for (const resolve of this.#asked.values()) resolve({ error: { message: 'the browser has ended' } })
    })
  }

  static async launch(executable: string, size: { width: number; height: number }): Promise<PlainBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'greenlight-bench-'))
    const child = spawn(
      executable,
      [
        ...switches,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        `--window-size=${size.width},${size.height}`,
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    )
    await once(child, 'spawn')
    return new PlainBrowser(child, profile)
  }

  /** Opens an address in a page of its own, and waits until it has loaded. */
  async open(url: string): Promise<PlainPage> {
    const { targetId } = await this.ask<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await this.ask<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    const loaded = new Promise<void>((resolve) => {
      const hear = (event: Answer) => {
        if (event.sessionId !== sessionId || event.method !== 'Page.loadEventFired') return
        this.#events.delete(hear)
        resolve()
      }
      this.#events.add(hear)
    })
    await this.ask('Page.enable', {}, sessionId)
    await this.ask('Page.navigate', { url }, sessionId)
    await loaded
    await this.ask('Page.disable', {}, sessionId)
    return new PlainPage(this, targetId, sessionId)
  }

  /** A command of the DevTools protocol. Throws what the browser says against it. */
  async ask<Result>(method: string, params: unknown, sessionId?: string): Promise<Result> {
    const id = this.#nextId++
    const { result, error } = await new Promise<Answer>((resolve) => {
      this.#asked.set(id, resolve)
      this.#toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as Result
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    await this.ask('Browser.close', {}).catch(() => this.#child.kill('SIGKILL'))
    await ended
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 })
  }

  #hear(message: Answer): void {
    if (message.id === undefined) {
      for (const hear of this.#events) hear(message)
      return
    }
    this.#asked.get(message.id)?.(message)
    this.#asked.delete(message.id)
  }
}

/** A page that code can be run in. */
export class PlainPage {
  readonly #browser: PlainBrowser
  readonly #target: string
  readonly #session: string

  constructor(browser: PlainBrowser, target: string, session: string) {
    this.#browser = browser
    this.#target = target
    this.#session = session
  }

  /** Runs a function in the page with values that JSON can carry; throws what it throws. */
  async evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const { result, exceptionDetails } = await this.ask<{
      result: { value: Result }
      exceptionDetails?: { exception?: { description?: string } }
    }>('Runtime.evaluate', {
      expression: `(${String(work)})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'the page threw')
    return result.value
  }

  /** A command of the DevTools protocol to this page. */
  ask<Result>(method: string, params: unknown): Promise<Result> {
    return this.#browser.ask(method, params, this.#session)
  }

  async close(): Promise<void> {
    await this.#browser.ask('Target.closeTarget', { targetId: this.#target })
  }
}
