import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordSession } from '../e2e/recorded-session'
import { FolderStates } from '../../src/main/core/settings/folder-state'
import { dialectId as hooksId } from '../../src/main/protocols/claude-hooks/dialect-id'
import { tokenFor } from '../../src/main/protocols/claude-hooks/terminal-token'
import { Place, type Ready, type RunningHost } from '../e2e/running-host'
import { requestText, sendRaw } from './raw-request'

type Headers = readonly (readonly [name: string, value: string])[]

/** A server, and the request by which its own client gets in. */
export interface Door {
  name: string
  port: number
  /** The secret of this server, and one that belongs to another. */
  token: string
  others: string
  /** The headers that carry a secret; none for undefined. */
  withToken(token: string | undefined): Headers
  line: string
  headers: Headers
  body: string
}

interface ReadyOfAll extends Ready {
  hooks: { port: number; plugin: string }
  gemini: { port: number; discoveryFiles: string[] }
  sessions: { url: string; tokenFile: string }
}

/** Written in a file and in a session; no refused request may ever show it. */
export const secretWord = 'the-word-behind-the-doors'

const upgrade = (protocol?: string): Headers => [
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ...(protocol === undefined ? [] : [['Sec-WebSocket-Protocol', protocol] as const]),
]

/** The recorded session. */
export const session = '11111111-2222-4333-8444-555555555555'

/** The terminal whose hooks call. */
export const hookTerminal = 't1'

/** A running app with two windows, and the servers of the first. */
export class House {
  readonly place: Place
  readonly app: RunningHost
  readonly doors: readonly Door[]
  readonly pid: number
  /** The code of a link that has been used. */
  readonly usedCode: string
  readonly window: string
  readonly otherWindow: string
  readonly cookie: string
  readonly pageToken: string

  private constructor(
    place: Place,
    app: RunningHost,
    ready: ReadyOfAll,
    other: ReadyOfAll,
    admitted: Admitted,
    otherWindow: string,
  ) {
    this.place = place
    this.app = app
    this.pid = ready.pid
    this.usedCode = admitted.code
    this.window = admitted.window
    this.otherWindow = otherWindow
    this.cookie = admitted.cookie
    this.pageToken = admitted.token
    const page = Number(new URL(ready.url).port)
    const claude = ready.claudeIde?.port ?? 0
    const claudeToken = lockToken(ready)
    const geminiToken = discoveryToken(ready)
    const sessions = new URL(ready.sessions.url)
    const sessionsToken = readFileSync(ready.sessions.tokenFile, 'utf8').trim()
    const hookToken = (terminal: string) => {
      const { servers } = new FolderStates(place.data).read([place.project])
      return tokenFor(servers[hooksId]?.token ?? '', terminal)
    }
    const stop = JSON.stringify({ hook_event_name: 'Stop', session_id: 'door', cwd: '/' })
    const host = (port: number) => ['Host', `127.0.0.1:${port}`] as const
    const initialize = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    this.doors = [
      {
        name: 'page',
        port: page,
        token: admitted.cookie.split('=')[1] ?? '',
        others: admitted.token,
        withToken: (token) =>
          token === undefined ? [] : [['Cookie', `${admitted.cookie.split('=')[0]}=${token}`]],
        line: `GET /w/${admitted.window}/channel HTTP/1.1`,
        headers: [host(page), ['Origin', `http://127.0.0.1:${page}`], ...upgrade()],
        body: '',
      },
      {
        name: 'Claude',
        port: claude,
        token: claudeToken,
        others: lockToken(other),
        withToken: (token) => (token === undefined ? [] : [['X-Claude-Code-Ide-Authorization', token]]),
        line: 'GET / HTTP/1.1',
        headers: [host(claude), ...upgrade('mcp')],
        body: '',
      },
      {
        name: 'Gemini',
        port: ready.gemini.port,
        token: geminiToken,
        others: discoveryToken(other),
        withToken: (token) => (token === undefined ? [] : [['Authorization', `Bearer ${token}`]]),
        line: 'POST /mcp HTTP/1.1',
        headers: [
          host(ready.gemini.port),
          ['Accept', 'application/json, text/event-stream'],
          ['Content-Type', 'application/json'],
          ['Content-Length', String(initialize.length)],
        ],
        body: initialize,
      },
      {
        name: 'hooks',
        port: ready.hooks.port,
        token: hookToken(hookTerminal),
        others: hookToken('t2'),
        withToken: (token) => (token === undefined ? [] : [['Authorization', `Bearer ${token}`]]),
        line: 'POST /hook HTTP/1.1',
        headers: [
          host(ready.hooks.port),
          ['X-Greenlight-Terminal', hookTerminal],
          ['Content-Type', 'application/json'],
          ['Content-Length', String(stop.length)],
        ],
        body: stop,
      },
      {
        name: 'sessions',
        port: Number(sessions.port),
        token: sessionsToken,
        others: geminiToken,
        withToken: (token) => (token === undefined ? [] : [['Authorization', `Bearer ${token}`]]),
        line: `GET ${sessions.pathname}/${session}/subscribe HTTP/1.1`,
        headers: [host(Number(sessions.port)), ...upgrade()],
        body: '',
      },
    ]
  }

  /** Starts the app on one folder, by another program if need be, and opens a second window on another. */
  static async open(by: readonly string[] = []): Promise<House> {
    const place = new Place()
    recordSession(place, session, [
      {
        type: 'user',
        uuid: 'u1',
        parentUuid: null,
        timestamp: new Date().toISOString(),
        message: { role: 'user', content: secretWord },
      },
    ])
    writeFileSync(join(place.project, 'secret.txt'), `${secretWord}\n`)
    const second = join(place.base, 'second')
    mkdirSync(second)
    const host = await place.start(undefined, by)
    const ready = (await host.ready()) as ReadyOfAll
    const handed = await place.run([second, '--headless', '--data-dir', place.data])
    const other = JSON.parse(handed.stdout) as ReadyOfAll
    const { window } = await enter(other.url)
    return new House(place, host, ready, other, await enter(ready.url), window)
  }

  door(name: string): Door {
    const found = this.doors.find((door) => door.name === name)
    if (!found) throw new Error(`no door ${name}`)
    return found
  }

  /** Everything that must never come out. */
  get secrets(): string[] {
    return [secretWord, this.pageToken, ...this.doors.flatMap(({ token, others }) => [token, others])]
  }

  dispose(): Promise<void> {
    return this.place.dispose()
  }
}

interface Admitted {
  code: string
  cookie: string
  window: string
  token: string
}

/** Uses a link's code as a browser does, and gives what it is exchanged for. */
async function enter(url: string): Promise<Admitted> {
  const { port, searchParams } = new URL(url)
  const code = searchParams.get('code') ?? ''
  const answer = await sendRaw(
    Number(port),
    requestText(`GET /?code=${code} HTTP/1.1`, [['Host', `127.0.0.1:${port}`]]),
  )
  const cookie = /^set-cookie: ([^;\r]+)/im.exec(answer)?.[1] ?? ''
  const [, window = '', token = ''] = /^location: \/w\/([\w-]+)\/#token=(\S+)/im.exec(answer) ?? []
  return { code, cookie, window, token }
}

function lockToken({ claudeIde }: ReadyOfAll): string {
  const lock = readFileSync(claudeIde?.lockFiles[0] ?? '', 'utf8')
  return (JSON.parse(lock) as { authToken: string }).authToken
}

function discoveryToken({ gemini }: ReadyOfAll): string {
  const file = readFileSync(gemini.discoveryFiles[0] ?? '', 'utf8')
  return (JSON.parse(file) as { authToken: string }).authToken
}
