import type { FrameRow, LogSource } from '../../../shared/contract/log'
import { stringOf } from '../../../shared/json'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { foldFrame } from './frame-folding'
import { readHead } from './message-head'

/** How much is kept of one connection, and of all together. Sizes in characters of the frames' texts. */
export interface ProtocolLogLimits {
  frames: number
  characters: number
  allCharacters: number
  /** How many ended connections are kept. */
  ended: number
}

const usualLimits: ProtocolLogLimits = {
  frames: 2_000,
  characters: 8 * 1024 * 1024,
  allCharacters: 32 * 1024 * 1024,
  ended: 5,
}

/** One frame. `text` may be only the beginning of a large one; `bytes` is its full size. */
interface Frame {
  seq: number
  at: number
  direction: 'in' | 'out'
  text: string
  bytes: number
}

/**
 * Every frame of one window's connections, in both directions, bounded and in memory only. Adding a frame is cheap: it
 * is parsed when somebody looks. What leaves this class is folded and without secrets.
 */
export class ProtocolLog implements Disposable {
  readonly #logs = new Map<string, ConnectionFrames>()
  readonly #limits: ProtocolLogLimits
  readonly #secrets: () => readonly string[]
  readonly #sources = new Emitter<void>()
  readonly #frames = new Emitter<string>()
  #characters = 0
  /** The list of connections has changed. */
  readonly onSources = this.#sources.on
  /** A connection has new frames, or lost some; tells its id. */
  readonly onFrames = this.#frames.on

  /** `secrets` returns the tokens in force, which are never shown. */
  constructor(secrets: () => readonly string[], limits: Partial<ProtocolLogLimits> = {}) {
    this.#secrets = secrets
    this.#limits = { ...usualLimits, ...limits }
  }

  /** Connections with frames, oldest first, ended ones included as long as they are kept. */
  sources(): LogSource[] {
    return [...this.#logs.values()].map((log) => log.source)
  }

  /** A connection has opened, or more is known about it. */
  name(source: Omit<LogSource, 'ended'>): void {
    const known = this.#logs.get(source.id)
    if (known) known.source = { ...known.source, ...source }
    else this.#logs.set(source.id, new ConnectionFrames({ ...source, ended: null }))
    this.#sources.emit()
  }

  /** A connection has ended. The oldest ended ones are forgotten. */
  end(id: string, at = Date.now()): void {
    const log = this.#logs.get(id)
    if (!log || log.source.ended !== null) return
    log.source = { ...log.source, ended: at }
    const ended = [...this.#logs.values()].filter((other) => other.source.ended !== null)
    for (const old of ended.slice(0, Math.max(0, ended.length - this.#limits.ended))) {
      this.#logs.delete(old.source.id)
      this.#characters -= old.characters
    }
    this.#sources.emit()
  }

  /** Adds a frame of a connection that has been named. */
  add(id: string, direction: 'in' | 'out', text: string, bytes: number, at = Date.now()): void {
    const log = this.#logs.get(id)
    if (!log) return
    // A slice of a large text would keep all of it in memory.
    const own = text.length < bytes ? Buffer.from(text).toString() : text
    log.push(at, direction, own, bytes)
    this.#characters += text.length
    while (log.size > this.#limits.frames || (log.characters > this.#limits.characters && log.size > 1)) {
      this.#characters -= log.shift()
    }
    while (this.#characters > this.#limits.allCharacters) this.#characters -= this.#largest(log).shift()
    this.#frames.emit(id)
  }

  /** The rows of a connection's frames from a number on, and how many of its frames were forgotten. */
  rows(id: string, from = 0): { rows: FrameRow[]; forgotten: number } {
    const log = this.#logs.get(id)
    return log ? { rows: log.rows(from), forgotten: log.forgotten } : { rows: [], forgotten: 0 }
  }

  /** One frame, folded, as indented JSON. Null if it is no longer kept. */
  text(id: string, seq: number): string | null {
    const frame = this.#logs.get(id)?.find(seq)
    return frame === undefined ? null : JSON.stringify(this.#shown(frame), null, 2)
  }

  /** The numbers of the frames, from `from` on, whose folded text contains these letters, ignoring case. */
  search(id: string, letters: string, from = 0): number[] {
    const wanted = letters.toLowerCase()
    return [...(this.#logs.get(id)?.frames ?? [])]
      .filter((frame) => frame.seq >= from)
      .filter((frame) => JSON.stringify(this.#shown(frame)).toLowerCase().includes(wanted))
      .map((frame) => frame.seq)
  }

  /**
   * All that is kept of a connection, as JSON lines: the connection, then each frame, folded. Null if it is unknown.
   */
  export(id: string): string | null {
    const log = this.#logs.get(id)
    if (!log) return null
    const { agent, version, dialect, since, ended } = log.source
    const head = { greenlightLog: 1, agent, version, dialect, since, ended, forgotten: log.forgotten }
    const lines = log.frames.map(({ seq, at, direction, bytes, ...frame }) => ({
      seq,
      at,
      direction,
      bytes,
      frame: this.#shown(frame),
    }))
    return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  }

  dispose(): void {
    this.#logs.clear()
    this.#sources.dispose()
    this.#frames.dispose()
  }

  #shown({ text }: { text: string }): unknown {
    const value = readHead(text)
    return value === undefined ? { unreadable: true } : foldFrame(value, this.#secrets())
  }

  /** The log that holds most; the one just written to only if no other holds anything. */
  #largest(last: ConnectionFrames): ConnectionFrames {
    let largest = last
    for (const log of this.#logs.values()) if (log.characters > largest.characters) largest = log
    return largest
  }
}

class ConnectionFrames {
  source: LogSource
  characters = 0
  forgotten = 0
  /** Those before `#first` are forgotten; the array is trimmed now and then. */
  #frames: (Frame | undefined)[] = []
  #first = 0
  #next = 1
  readonly #rows = new Map<number, FrameRow>()
  /** Requests by direction and id, to name and time their answers. */
  readonly #asked = new Map<string, { name: string; at: number }>()
  #read = 0

  constructor(source: LogSource) {
    this.source = source
  }

  get size(): number {
    return this.#frames.length - this.#first
  }

  get frames(): readonly Frame[] {
    return this.#frames.slice(this.#first) as Frame[]
  }

  push(at: number, direction: 'in' | 'out', text: string, bytes: number): void {
    this.#frames.push({ seq: this.#next++, at, direction, text, bytes })
    this.characters += text.length
  }

  /** Forgets the oldest frame and returns the size of its text. */
  shift(): number {
    const oldest = this.#frames[this.#first]
    if (oldest === undefined) return 0
    this.#frames[this.#first] = undefined
    this.#first += 1
    this.forgotten += 1
    this.characters -= oldest.text.length
    this.#rows.delete(oldest.seq)
    if (this.#first > 1000) {
      this.#frames = this.#frames.slice(this.#first)
      this.#first = 0
    }
    return oldest.text.length
  }

  find(seq: number): Frame | undefined {
    const first = this.#frames[this.#first]?.seq
    return first === undefined || seq < first ? undefined : this.#frames[this.#first + seq - first]
  }

  rows(from: number): FrameRow[] {
    const frames = this.frames
    for (const frame of frames) if (frame.seq > this.#read) this.#readFrame(frame)
    return frames.filter(({ seq }) => seq >= from).flatMap(({ seq }) => this.#rows.get(seq) ?? [])
  }

  #readFrame({ seq, at, direction, text, bytes }: Frame): void {
    this.#read = seq
    const value = readHead(text)
    const message = (Array.isArray(value) ? (value as unknown[])[0] : value) as Message | undefined
    const row = { seq, at, direction, bytes, ms: null }
    this.#rows.set(seq, { ...row, ...this.#describe(message, direction, at) })
    if (this.#asked.size > 5_000) this.#asked.clear()
  }

  #describe(
    message: Message | null | undefined,
    direction: 'in' | 'out',
    at: number,
  ): Pick<FrameRow, 'kind' | 'name'> & { ms?: number } {
    // Text that is garbled after its first bracket parses as an empty object, which says nothing.
    if (typeof message !== 'object' || message === null || Object.keys(message).length === 0) {
      return { kind: 'unreadable', name: '' }
    }
    const { method, params, id, error } = message
    const typed = readTyped(message)
    if (typed) return this.#name(typed, direction, at)
    if (typeof method === 'string') {
      const tool = method === 'tools/call' ? (stringOf(params?.name) ?? '') : ''
      return this.#name(
        { words: [method, tool], asks: id, answers: undefined, isError: false },
        direction,
        at,
      )
    }
    return this.#name(
      { words: [], asks: undefined, answers: id ?? null, isError: error !== undefined },
      direction,
      at,
    )
  }

  #name(
    { words, asks, answers, isError }: NamedMessage,
    direction: 'in' | 'out',
    at: number,
  ): Pick<FrameRow, 'kind' | 'name'> & { ms?: number } {
    const name = words
      .filter((word) => word !== '')
      .join(' ')
      .slice(0, 200)
    if (answers === undefined && asks === undefined) return { kind: 'notification', name }
    if (answers === undefined) {
      this.#asked.set(`${direction} ${JSON.stringify(asks)}`, { name, at })
      return { kind: 'request', name }
    }
    const key = `${direction === 'in' ? 'out' : 'in'} ${JSON.stringify(answers)}`
    const asked = this.#asked.get(key)
    this.#asked.delete(key)
    return {
      kind: isError ? 'error' : 'answer',
      name: asked?.name ?? '',
      ...(asked ? { ms: at - asked.at } : {}),
    }
  }
}

/** What a log says of a message; `asks` and `answers` are the id of a question. */
interface NamedMessage {
  words: readonly string[]
  asks: unknown
  answers: unknown
  isError: boolean
}

/** A message that names its kind by a `type`, as Claude Code's stream protocol does; undefined for any other. */
function readTyped({
  method,
  type,
  subtype,
  request,
  response,
  event,
  ...rest
}: Message): NamedMessage | undefined {
  if (typeof method === 'string' || typeof type !== 'string') return undefined
  const plain = { asks: undefined, answers: undefined, isError: false }
  switch (type) {
    case 'control_request':
      return {
        ...plain,
        words: [stringOf(request?.subtype) ?? '', stringOf(request?.tool_name) ?? ''],
        asks: rest.request_id,
      }
    case 'control_response':
      return {
        ...plain,
        words: [],
        answers: response?.request_id ?? null,
        isError: response?.subtype === 'error',
      }
    default:
      return { ...plain, words: [type, stringOf(subtype) || stringOf(event?.type) || ''] }
  }
}

interface Message {
  method?: unknown
  params?: { name?: unknown }
  id?: unknown
  error?: unknown
  type?: unknown
  subtype?: unknown
  request_id?: unknown
  request?: { subtype?: unknown; tool_name?: unknown }
  response?: { subtype?: unknown; request_id?: unknown }
  event?: { type?: unknown }
}
