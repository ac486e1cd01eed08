import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSameSecret } from '../core/net/secret'
import { dropOldest } from '../../shared/drop-oldest'

/** A code that nobody has used ends after so long, in milliseconds. */
export const codeLife = 60_000

/**
 * Who may use the page server. A once-only code, given on a terminal to the person who started the app, is exchanged
 * for two secrets: a cookie, which the browser sends by itself but also to every other server on 127.0.0.1 (cookies
 * ignore ports), and a token, which the page keeps for its origin (port included) and sends as its first message. A
 * stranger who has one of them has nothing.
 */
export class Admission {
  readonly #port: number
  readonly #cookie = secret()
  readonly #token = secret()
  readonly #now: () => number
  /** Codes that nobody has used yet, with the window that each opens, and until when. */
  readonly #codes = new Map<string, { window: string; until: number }>()

  /** `now`: milliseconds that go on while the machine sleeps. */
  constructor(port: number, now: () => number = Date.now) {
    this.#port = port
    this.#now = now
  }

  /** A new code for a window; of those that nobody uses, the oldest beyond a hundred end. */
  mintCode(window: string): string {
    const code = secret()
    this.#codes.set(code, { window, until: this.#now() + codeLife })
    dropOldest(this.#codes, 100)
    return code
  }

  /** The window that a code opens, once and for a minute; undefined for a code that was used, is old or was never given. */
  useCode(given: string): string | undefined {
    for (const [code, { window, until }] of this.#codes) {
      if (!isSameSecret(given, code)) continue
      this.#codes.delete(code)
      return this.#now() <= until ? window : undefined
    }
    return undefined
  }

  /** Its name holds the port, so that two hosts in one browser keep theirs apart. */
  get setCookie(): string {
    return `${this.#cookieName}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`
  }

  get token(): string {
    return this.#token
  }

  acceptsToken(given: string): boolean {
    return isSameSecret(given, this.#token)
  }

  /** Whether a request carries our cookie, exactly once. */
  hasCookie(request: IncomingMessage): boolean {
    const start = `${this.#cookieName}=`
    const values = (request.headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(start))
    return values.length === 1 && isSameSecret(values[0]?.slice(start.length), this.#cookie)
  }

  get #cookieName(): string {
    return `greenlight-${this.#port}`
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
