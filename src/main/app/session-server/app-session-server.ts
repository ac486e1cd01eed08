import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import type { ServerState } from '../../../shared/contract/connections'
import { DisposableStack } from '../../../shared/lifetime'
import { type Done, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import { privateFileMode } from '../../core/platform/file-modes'
import { dialectId } from '../../protocols/session-server/dialect-id'
import type { RecordedSession, SessionServerPorts } from '../../protocols/session-server/ports'
import { type SessionServer, startSessionServer } from '../../protocols/session-server/session-server'
import { keepToken, writeToken } from '../../protocols/kit/token-file'
import { SessionDelivery } from './session-delivery'
import type {
  AppDialect,
  CheckedServer,
  DialectApp,
  OpenAppDialect,
  SharedServerWindow,
} from '../dialect-kit/dialect'
import { serverPorts } from '../../core/net/free-port'

/** The server by which other programs read and follow sessions (docs/protocols/session-server.md). */
export const sessionServer: AppDialect = {
  scope: 'app',
  id: dialectId,
  readyAs: 'sessions',
  about: {
    agent: null,
    name: 'other programs',
    toggle: 'Let other programs read and follow sessions',
    protocol: 'session server',
    address: 'http://127.0.0.1:PORT/api/claude/sessions',
    file: 'Token file',
    whenOff: 'Off. No port is open.',
    command: null,
    noteWhenKnown: null,
  },
  agents: 'other programs',
  // No agent's command line looks for it.
  known: [],
  portVariable: '',
  anywhereByVariable: false,
  containerVariable: null,
  connectCommand: null,
  findFiles: () => Promise.resolve([]),
  open: (app) => new AppSessionServer(app),
}

/** How many messages are read to find out what a session's agent is doing. */
const firstLook = 20

const keptPlace = z.object({ port: z.number().int() })

/** The server by which other programs read and follow sessions: one for all windows of a data directory. */
class AppSessionServer implements OpenAppDialect {
  readonly #app: DialectApp
  readonly #owned = new DisposableStack()
  readonly #delivery: SessionDelivery
  readonly #tokenFile: string
  readonly #portFile: string
  #server: SessionServer | null = null
  #token: string | null = null
  #startedAt: number | null = null
  #problem: string | null = null
  /** Starts and stops, one after another. */
  #changing: Promise<unknown> = Promise.resolve()
  #isDisposed = false

  constructor(app: DialectApp) {
    this.#app = app
    this.#delivery = new SessionDelivery(app)
    const { dataDir, settingsStore } = app
    this.#tokenFile = join(dataDir, 'session-server.token')
    this.#portFile = join(dataDir, 'session-server.json')
    this.#owned.add(
      settingsStore.onChange((change) => {
        if ('sessionServer' in change) void this.start()
      }),
    )
  }

  /** Starts or stops, as the setting says. Settles when that is done. */
  start(): Promise<Done> {
    const done = this.#changing.then(() => this.#follow())
    this.#changing = done
    return done
  }

  /** The switch, which is the setting. */
  async switch(on: boolean): Promise<Done> {
    const set = this.#app.settingsStore.set({ sessionServer: on })
    return set.ok ? this.start() : set
  }

  /** What listens, for the ready line; null while it is off. */
  readiness(): { url: string; tokenFile: string } | null {
    return this.#server ? { url: this.#server.url, tokenFile: this.#tokenFile } : null
  }

  /** Shows the server in a window; every window has it. */
  tell(window: SharedServerWindow): void {
    window.connections.setServer(this.#state())
  }

  checked(): CheckedServer {
    return {
      on: this.#server !== null,
      problem: this.#problem,
      port: this.#server?.port ?? null,
      started: this.#startedAt,
      files: this.#server ? [this.#tokenFile] : [],
      tokens: this.#token === null ? [] : [this.#token],
    }
  }

  async rewriteFiles(): Promise<Done> {
    if (this.#token === null) return succeed({})
    const written = await writeToken(this.#tokenFile, this.#token)
    if (!written.ok) return written
    this.#tellAll()
    return succeed({})
  }

  dispose(): void {
    this.#isDisposed = true
    this.#owned.dispose()
    this.#server?.dispose()
    this.#server = null
  }

  async #follow(): Promise<Done> {
    const isWanted = this.#app.settingsStore.get().sessionServer && !this.#isDisposed
    if (isWanted === (this.#server !== null)) return succeed({})
    if (isWanted) return this.#open()
    this.#server?.dispose()
    this.#server = null
    this.#problem = null
    this.#tellAll()
    return succeed({})
  }

  async #open(): Promise<Done> {
    const opened = await this.#listen()
    this.#problem = opened.ok ? null : opened.failure.message
    this.#tellAll()
    if (!opened.ok) this.#app.windows().forEach((window) => window.notices.warn(opened.failure.message))
    return opened
  }

  async #listen(): Promise<Done> {
    const token = await keepToken(this.#tokenFile)
    if (!token.ok) return token
    const kept = keptPlace.safeParse(parseJson(await readFile(this.#portFile, 'utf8').catch(() => '')))
    const started = await startSessionServer({
      ports: this.#ports(),
      frames: this.#app.frames,
      port: kept.success ? { ...serverPorts, kept: kept.data.port } : serverPorts,
      token: token.value,
    })
    if (!started.ok) return started
    if (this.#isDisposed) {
      started.value.dispose()
      return succeed({})
    }
    this.#server = started.value
    this.#token = token.value
    this.#startedAt = Date.now()
    const { port, url } = started.value
    // If this fails, other programs only need a new address after the next start.
    await writeFileAtomically(this.#portFile, Buffer.from(`${JSON.stringify({ port, url })}\n`), {
      mode: privateFileMode,
    })
    return succeed({})
  }

  #state(): ServerState {
    const server = this.#server
    return {
      dialect: dialectId,
      about: sessionServer.about,
      on: server !== null,
      port: server?.port ?? null,
      files: server ? [this.#tokenFile] : [],
      problem: this.#problem,
    }
  }

  #tellAll(): void {
    for (const window of this.#app.windows()) this.tell(window)
  }

  #ports(): SessionServerPorts {
    const { history, settingsStore, log, drivenSessions } = this.#app
    return {
      sessions: {
        list: async () => {
          await history.start()
          const listed = history.list.entries.filter(({ hidden }) => !hidden)
          history.count(listed.map(({ id }) => id))
          return listed.map((session) => this.#asDriven(session))
        },
        find: async (id) => {
          const found = await this.#find(id)
          return found && this.#asDriven(found)
        },
        toBegin: (id) => this.#delivery.toBegin(id),
        open: (path) => history.openBeside(path),
        follow: (session) => history.follow(session, firstLook),
      },
      delivery: this.#delivery,
      driven: {
        isWorking: (session) => {
          const driven = drivenSessions.running(session)
          return driven ? driven.state.activity === 'working' : null
        },
        onWork: (session, listener) => drivenSessions.onWork(session, listener),
        onStream: (session, listener) => drivenSessions.onStream(session, listener),
      },
      subscribers: {
        opened: (facts) => this.#logOf(facts),
        refused: (status, message) => {
          log.warn('program refused', { dialect: dialectId, status, message })
          const refusal = { at: Date.now(), status, message }
          for (const window of this.#app.windows()) window.connections.refuse(dialectId, refusal)
        },
      },
      mayCommand: () => settingsStore.get().sessionServerCommands,
      origins: () => settingsStore.get().sessionServerOrigins,
    }
  }

  /** What is driven here is known before its lines say it. */
  #asDriven(session: RecordedSession): RecordedSession {
    const driven = this.#app.drivenSessions.running(session.id)
    return driven ? { ...session, activity: driven.state.activity } : session
  }

  async #find(id: string): Promise<RecordedSession | null> {
    const { history } = this.#app
    const { list } = history
    // The others are read meanwhile; this one is found by its file's name.
    const all = history.start()
    const place = list.get(id) ? null : await list.find(id)
    if (place && !list.get(id)) await all
    const entry = list.get(id)
    if (entry || !place) return entry
    // Nothing has been said in it yet.
    const nothing = { firstPrompt: null, folder: null, branch: null, startedAt: null, figures: null }
    return { title: id, ...nothing, ...place, lastAt: Date.now(), activity: 'idle', running: null }
  }

  /** Frames are logged in the window that has the session's folder, else in the first. */
  #logOf({ id, session, since }: Parameters<SessionServerPorts['subscribers']['opened']>[0]) {
    const { folder } = session
    const windows = this.#app.windows()
    const window = windows.find(({ folders }) => folder !== null && folders.hold(folder)) ?? windows[0]
    window?.protocolLog.name({
      id,
      agent: `A program, ${session.title}`.slice(0, 80),
      version: null,
      dialect: dialectId,
      since,
    })
    this.#app.log.info('subscribed to a session', { subscriber: id })
    return {
      frame: (direction: 'in' | 'out', text: string, bytes: number) =>
        window?.protocolLog.add(id, direction, text, bytes),
      closed: (dropped: string | null) => {
        window?.protocolLog.end(id)
        this.#app.log.info('subscription over', { subscriber: id, dropped })
      },
    }
  }
}
