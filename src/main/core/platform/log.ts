import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'

/** Facts about an event. Never a token or a file's content; long texts are cut. */
export type LogFields = Record<string, unknown>

/** Where the app says what it does. `event` is a few plain words, the same each time; details go into `fields`. */
export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** Names of fields whose values nobody should read in a log. */
const secretName = /token|secret|password|cookie|authorization|credential|^code$|api_?key/i
/** The same inside texts: query parameters and header lines. */
const secretText = /((?:code|token|key|secret)=|authorization:\s*(?:bearer\s+)?|bearer\s+)[^\s&"']+/gi
const longestText = 500
const deepest = 4

/** A copy of a value that is fit for a log: secrets removed, errors as one line, long texts and lists cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    const text = value.replace(secretText, '$1[redacted]')
    return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text
  }
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Error) return redact(`${value.name}: ${value.message}`, depth)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretName.test(name) ? '[redacted]' : redact(item, depth + 1),
    ]),
  )
}

/** Options of a file log. `screen` gets the short lines; `bytesPerFile` and `files` limit what is kept on disk. */
export interface LogOptions {
  directory: string
  screen: ((line: string) => void) | null
  now?: () => Date
  bytesPerFile?: number
  files?: number
}

/** A log that writes JSON lines to DIRECTORY/greenlight.log (older ones .1, .2 …) and short lines to a screen. */
export class FileLog implements Log, Disposable {
  readonly path: string
  #options: Required<LogOptions>
  #size: number
  #waiting: string[] = []
  #scheduled: NodeJS.Immediate | null = null
  #disposed = false

  constructor(options: LogOptions) {
    this.#options = { now: () => new Date(), bytesPerFile: 1_000_000, files: 3, ...options }
    mkdirSync(options.directory, { recursive: true, mode: 0o700 })
    this.path = join(options.directory, 'greenlight.log')
    this.#size = sizeOf(this.path)
  }

  readonly info: Log['info'] = (event, fields) => this.#add('info', event, fields)
  readonly warn: Log['warn'] = (event, fields) => this.#add('warn', event, fields)
  readonly error: Log['error'] = (event, fields) => this.#add('error', event, fields)

  /** Writes everything logged so far to disk. */
  flush(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled)
    this.#scheduled = null
    const text = this.#waiting.join('')
    this.#waiting = []
    if (text === '') return
    if (this.#size > 0 && this.#size + text.length > this.#options.bytesPerFile) this.#rotate()
    this.#size += text.length
    // A full or missing disk must not take the app down; the screen has the line.
    ignoreFailure(() => appendFileSync(this.path, text, { mode: 0o600 }))
  }

  /** Writes what is left immediately; later events are dropped. */
  dispose(): void {
    if (this.#disposed) return
    this.flush()
    this.#disposed = true
  }

  #add(level: keyof Log, event: string, given: LogFields = {}): void {
    if (this.#disposed) return
    const fields = redact(given) as LogFields
    const time = this.#options.now().toISOString()
    this.#options.screen?.(
      [time.slice(11, 19), level, event, ...Object.entries(fields).map(showField)].join(' '),
    )
    this.#waiting.push(`${JSON.stringify({ time, level, event, ...fields })}\n`)
    // All lines of one turn of the event loop are written together; synchronously, so that an exit right after loses
    // none.
    this.#scheduled ??= setImmediate(() => this.flush())
  }

  #rotate(): void {
    for (let age = this.#options.files - 1; age > 0; age--) {
      const newer = age === 1 ? this.path : `${this.path}.${age - 1}`
      ignoreFailure(() => renameSync(newer, `${this.path}.${age}`))
    }
    this.#size = sizeOf(this.path)
  }
}

function showField([name, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return `${name}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function ignoreFailure(act: () => void): void {
  try {
    act()
  } catch {
    // A log that can't be written is no reason to stop.
  }
}
