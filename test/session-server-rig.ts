import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import WebSocket from 'ws'
import { FileWatcher } from '../src/main/core/files/watcher'
import { LongLines } from '../src/main/core/history/long-lines'
import { SessionFile } from '../src/main/core/history/session-file'
import { SessionFollower } from '../src/main/core/history/session-follower'
import { FrameParser } from '../src/main/protocols/kit/frame-parser'
import type {
  DeliveryPort,
  RecordedSession,
  SessionServerPorts,
} from '../src/main/protocols/session-server/ports'
import { startSessionServer, type SessionServer } from '../src/main/protocols/session-server/session-server'
import { usualPatience, type Patience } from '../src/main/protocols/session-server/subscriber'
import { Emitter } from '../src/shared/lifetime'

export const rigToken = 'a-token-of-the-rig'

/** A session server on real files of a folder of its own; only who types into terminals is made up. */
export interface SessionServerRig {
  server: SessionServer
  /** `ws://127.0.0.1:PORT/api/claude/sessions/ID/subscribe?token=…` */
  wsUrl(id: string, query?: string): string
  httpUrl(path: string): string
  /** Makes a session of these records, or of a text as it is. */
  make(id: string, lines: readonly object[] | string): Promise<RecordedSession>
  append(id: string, ...lines: readonly object[]): Promise<void>
  pathOf(id: string): string
  /** What a session is, as the list has it. */
  sessions: Map<string, RecordedSession>
  stream: Emitter<{ session: string; event: object }>
  /** Sessions that are driven, and whether their agents work; `work` tells that one has changed. */
  working: Map<string, boolean>
  work: Emitter<string>
  /** Sessions that their first message would begin. */
  toBegin: Map<string, RecordedSession>
  /** Why subscribers were dropped, `null` for each that went by itself. */
  ended: (string | null)[]
  onEnded: Emitter<string | null>
  frames: { direction: 'in' | 'out'; text: string; bytes: number }[]
  refused: number[]
  origins: string[]
  /** Whether commands are let through; not at first. */
  allowsCommands: boolean
  dispose(): Promise<void>
}

export async function startRig(
  options: { deliver?: DeliveryPort['deliver']; patience?: Partial<Patience> } = {},
): Promise<SessionServerRig> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-session-server-'))
  const watcher = new FileWatcher()
  const longLines = new LongLines()
  const frames = new FrameParser()
  const sessions = new Map<string, RecordedSession>()
  const stream = new Emitter<{ session: string; event: object }>()
  const work = new Emitter<string>()
  const onEnded = new Emitter<string | null>()
  const heard: SessionServerRig['frames'] = []
  const ended: (string | null)[] = []
  const refused: number[] = []
  const origins: string[] = []
  const pathOf = (id: string) => join(folder, `${id}.jsonl`)
  const nobody: DeliveryPort['deliver'] = () =>
    Promise.resolve({ ok: false, failure: { code: 'elsewhere', message: 'It runs in another terminal.' } })
  const ports: SessionServerPorts = {
    sessions: {
      list: () => Promise.resolve([...sessions.values()]),
      find: (id) => Promise.resolve(sessions.get(id) ?? null),
      toBegin: (id) => rig.toBegin.get(id) ?? null,
      open: (path) => new SessionFile(path, longLines),
      follow: (session) => new SessionFollower({ session, watcher, messages: 20 }),
    },
    delivery: { deliver: options.deliver ?? nobody },
    driven: {
      isWorking: (id) => rig.working.get(id) ?? null,
      onWork: (id, listener) =>
        work.on((session) => {
          if (session === id) listener(rig.working.get(id) ?? false)
        }),
      onStream: (id, listener) =>
        stream.on(({ session, event }) => {
          if (session === id) listener(event)
        }),
    },
    subscribers: {
      opened: () => ({
        frame: (direction, text, bytes) => void heard.push({ direction, text, bytes }),
        closed: (why) => {
          ended.push(why)
          onEnded.emit(why)
        },
      }),
      refused: (status) => void refused.push(status),
    },
    mayCommand: () => rig.allowsCommands,
    origins: () => origins,
  }
  const started = await startSessionServer({
    ports,
    frames,
    port: 0,
    token: rigToken,
    patience: { ...usualPatience, ...options.patience },
  })
  if (!started.ok) throw new Error(started.failure.message)
  const server = started.value
  const base = `127.0.0.1:${server.port}/api/claude/sessions`
  const rig: SessionServerRig = {
    allowsCommands: false,
    ...{ work, working: new Map<string, boolean>(), toBegin: new Map<string, RecordedSession>() },
    server,
    sessions,
    stream,
    ended,
    onEnded,
    frames: heard,
    refused,
    origins,
    pathOf,
    httpUrl: (path) => `http://${base}${path}`,
    wsUrl: (id, query = '') =>
      `ws://${base}/${id}/subscribe?token=${rigToken}${query === '' ? '' : `&${query}`}`,
    async make(id, lines) {
      const text =
        typeof lines === 'string' ? lines : lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      await writeFile(pathOf(id), text)
      const session: RecordedSession = {
        id,
        path: pathOf(id),
        title: `About ${id}`,
        firstPrompt: 'hello',
        folder: '/home/person/project',
        branch: 'main',
        startedAt: 1_700_000_000_000,
        lastAt: 1_700_000_001_000,
        activity: 'idle',
        running: null,
        figures: null,
      }
      sessions.set(id, session)
      return session
    },
    append: (id, ...lines) =>
      appendFile(pathOf(id), lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    async dispose() {
      server.dispose()
      await server.closed
      watcher.dispose()
      longLines.dispose()
      frames.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return rig
}

export type Message = Record<string, unknown>

/** A bare socket that keeps what comes. */
export class RawClient {
  readonly socket: WebSocket
  readonly got: Message[] = []
  readonly #looks = new Set<() => void>()
  readonly opened: Promise<void>
  readonly closed: Promise<{ code: number; reason: string }>

  constructor(url: string, options: WebSocket.ClientOptions & { read?: (data: Buffer) => unknown } = {}) {
    const { read = (data) => JSON.parse(data.toString('utf8')) as unknown, ...more } = options
    this.socket = new WebSocket(url, more)
    this.socket.on('error', () => undefined)
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', resolve)
      this.socket.once('error', reject)
    })
    this.opened.catch(() => undefined)
    this.closed = new Promise((resolve) =>
      this.socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    )
    this.socket.on('message', (data: Buffer) => {
      this.got.push(read(data) as Message)
      for (const look of this.#looks) look()
    })
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Resolves with the first message that fits, also one that came before. */
  heard(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.got.find(fits)
        if (!found) return
        this.#looks.delete(look)
        resolve(found)
      }
      this.#looks.add(look)
      look()
    })
  }

  /** Resolves once so many messages have come. */
  count(most: number): Promise<void> {
    return this.heard(() => this.got.length >= most).then(() => undefined)
  }

  uuids(): string[] {
    return this.got.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []))
  }
}

/** Simple messages with the uuids `PREFIX1` … `PREFIXn`. */
export function talk(count: number, prefix = 'u', from = 1): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    const role = number % 2 === 1 ? 'user' : 'assistant'
    return {
      type: role,
      uuid: `${prefix}${number}`,
      parentUuid: number === 1 ? null : `${prefix}${number - 1}`,
      timestamp: new Date(1_700_000_000_000 + number * 1000).toISOString(),
      message: {
        role,
        content: role === 'user' ? `said ${number}` : [{ type: 'text', text: `answer ${number}` }],
      },
    }
  })
}
