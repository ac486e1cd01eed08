import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { readQuery } from '../../../shared/conversation/session-query'
import { claude } from '../../core/agents/claude'
import { FileWatcher } from '../../core/files/watcher'
import { FigureRequests } from '../../core/history/figure-requests'
import { LongLines } from '../../core/history/long-lines'
import { RecordsBeside } from '../../core/history/records-beside'
import { RunningSessions } from '../../core/history/running-sessions'
import { SessionFile } from '../../core/history/session-file'
import { SessionFollower } from '../../core/history/session-follower'
import type { SessionEntry } from '../../core/history/session-entry'
import type { SessionHits } from '../../core/history/search/session-hit'
import type { HitTask } from '../../core/history/search/session-hits'
import hitsWorker from '../../core/history/search/session-hits-worker?modulePath'
import { SessionList } from '../../core/history/session-list'
import { projectsFolder } from '../../core/history/session-places'
import { SessionNames } from '../../core/history/session-names'
import { type SearchNews, SessionSearch } from '../../core/history/search/session-search'
import { SubAgentFiles } from '../../core/history/sub-agent-files'
import { SubAgents } from '../../core/history/sub-agents'
import type { Terminals } from '../../core/terminal/terminals'
import { WorkerPool } from '../../core/workers/worker-pool'
import type { HostAbilities } from '../host-abilities'
import type { WindowFolders } from '../window-folders'

/** Sessions that nobody has open are looked at so often without any notice of the system, in milliseconds. */
const sweep = 30_000
/** Open ones so often; twenty of them must take next to nothing. */
const followingInterval = 1000
/** And where their sub-agents' records come, which for most never exist. */
const subAgentsInterval = 5000
/** So many messages come first, and in each page before. */
export const pageLength = 50
/** A longer name of a project’s folder is cut and hashed. */
const longestProjectName = 200
/** A new terminal's size until the page has drawn it. */
const firstSize = { columns: 100, rows: 30 }
/** A resumed agent has drawn its prompt when it has put out nothing for so many milliseconds, */
const promptQuiet = 400
/** and has noted itself as waiting for the person, after so many at the latest. */
const resumePatience = 30_000
/** One that does not note what it does counts as waiting after so many. */
const silentStart = 3000

/** A window in whose terminals sessions run. */
export interface SessionWindow {
  readonly folders: WindowFolders
  readonly terminals: Terminals
  requestFocus(): void
}

interface HistoryOptions {
  dataDir: string
  env: Record<string, string | undefined>
  home: string
  moveToTrash: HostAbilities['trash']
  windows: () => readonly SessionWindow[]
  /** Whether Greenlight itself runs a session's agent; its command line doesn't note that. */
  isDriven: (id: string) => boolean
  /** Whether a message to a session without a process may start one. */
  mayResume: () => boolean
  /** Whether an agent may be started in a folder without its person, or why not. */
  mayStart: (folder: string) => Promise<Done>
  /** The ripgrep to search with; null where there is none. */
  ripgrep: () => Promise<string | null>
}

/** Where a session's process is: in a terminal of the app, elsewhere, or nowhere. */
type SessionPlaceNow =
  | { kind: 'here'; window: SessionWindow; terminal: string }
  | { kind: 'elsewhere' }
  | { kind: 'none' }

/** The terminal in which a session goes on. */
interface ResumedSession {
  window: SessionWindow
  terminal: string
  /** It goes on elsewhere too: what goes on here is a copy, with an id and a file of its own. */
  isCopy: boolean
}

/**
 * The sessions of this machine and the way to their agents. One for the app. Nothing is read before somebody wants to
 * see sessions, and opening one never starts a process.
 */
export class History implements Disposable {
  readonly list: SessionList
  /** What was wrong with the stored names, as a sentence. */
  readonly problem: string | null
  readonly #options: HistoryOptions
  readonly #configFolder: string
  readonly #owned = new DisposableStack()
  readonly #longLines: LongLines
  readonly #following: FileWatcher
  readonly #subAgents: FileWatcher
  readonly #figures: FigureRequests
  readonly #hits: WorkerPool<HitTask, SessionHits>
  readonly #recordsBeside = new RecordsBeside()
  readonly #running: RunningSessions
  readonly #sending = new Map<string, Promise<void>>()
  readonly #resuming = new Map<string, Promise<Result<ResumedSession>>>()
  readonly #resumed = new Map<string, ResumedSession>()
  #started: Promise<void> | null = null
  #noting: Promise<void> | null = null
  #isListing = true
  #disposed = false

  constructor(options: HistoryOptions) {
    this.#options = options
    const { env, home, dataDir } = options
    const configFolder = (this.#configFolder = env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'))
    const sweeping = this.#owned.add(new FileWatcher({ interval: sweep }))
    this.#following = this.#owned.add(new FileWatcher({ interval: followingInterval }))
    this.#subAgents = this.#owned.add(new FileWatcher({ interval: subAgentsInterval }))
    const names = new SessionNames(dataDir)
    this.problem = names.problem
    this.#longLines = this.#owned.add(new LongLines())
    this.#running = this.#owned.add(new RunningSessions(configFolder, sweeping))
    this.#hits = this.#owned.add(new WorkerPool<HitTask, SessionHits>(hitsWorker))
    this.list = this.#owned.add(
      new SessionList({
        configFolder,
        watcher: sweeping,
        names,
        running: this.#running,
        moveToTrash: options.moveToTrash,
      }),
    )
    this.#figures = this.#owned.add(new FigureRequests(this.list))
    // Earlier versions kept a copy there of what was said.
    void rm(join(dataDir, 'session-index'), { recursive: true, force: true }).catch(() => undefined)
  }

  /** Begins to look for sessions, once; settles when all have been looked at. */
  start(): Promise<void> {
    this.#started ??= this.#begin()
    return this.#started
  }

  /** What running command lines note about themselves; it is looked for from the first call on. */
  get noted(): Pick<RunningSessions, 'of' | 'all' | 'onChange'> {
    void this.#followNotes()
    return this.#running
  }

  /** Whether the first look at all sessions is still going on. */
  get isListing(): boolean {
    return this.#isListing
  }

  /**
   * Looks for a text in the sessions of the list that are not hidden, the newest first. It begins when all are listed,
   * and ends when the disposable does.
   */
  search(typed: string, tell: (news: SearchNews) => void): Disposable {
    const searching = new DisposableStack()
    let isOver = false
    searching.add(disposable(() => (isOver = true)))
    const begin = async () => {
      const [program] = await Promise.all([this.#options.ripgrep(), this.start()])
      if (isOver) return
      const query = readQuery(typed)
      const sessions = this.list.entries.filter(({ hidden }) => !hidden)
      const nothing = { searched: 0, of: sessions.length, found: [] }
      if (!query) return tell({ ...nothing, phase: 'done' })
      if (program === null) return tell({ ...nothing, phase: 'no-program' })
      const search = new SessionSearch({
        ...{ program, typed, query, recordsBeside: this.#recordsBeside },
        sessions: sessions.map(({ id, path }) => ({ id, path })),
        readHits: (task) => this.#hits.run(task),
      })
      searching.add(search)
      search.onNews(tell)
      tell({ ...search.state, found: [] })
      await search.run()
    }
    void begin()
    return searching
  }

  /** Counts sessions that somebody sees, unless that was done since they last changed. */
  count(ids: readonly string[]): void {
    this.#figures.want(ids)
  }

  /** A session's file; null for an id that is none, or that no file has. */
  async open(id: string): Promise<SessionFile | null> {
    void this.start()
    const place = await this.list.find(id)
    return place && new SessionFile(place.path, this.#longLines)
  }

  /** The folder that a session began in; null where no line says so, and for an unknown id. */
  async folderOf(id: string): Promise<string | null> {
    await this.start()
    return this.list.get(id)?.folder ?? null
  }

  /** The record of a session's sub-agent; null where there is none. */
  async openAgent(id: string, agent: string): Promise<SessionFile | null> {
    const place = await this.list.find(id)
    const path = place && (await new SubAgentFiles(place).pathOf(agent))
    return path === null ? null : this.openBeside(path)
  }

  /** A session's sub-agents; the caller starts and ends them. Null where there is no such session. */
  async agents(id: string): Promise<SubAgents | null> {
    const place = await this.list.find(id)
    return place && new SubAgents(place, this.#subAgents)
  }

  /**
   * Where the file of a session will be that has yet to begin in a folder (measured with 2.1.330); null where that can’t
   * be told. The folder's real path.
   */
  placeToBegin(id: string, folder: string): string | null {
    const name = folder.replaceAll(/[^A-Za-z0-9]/g, '-')
    return name.length > longestProjectName
      ? null
      : join(projectsFolder(this.#configFolder), name, `${id}.jsonl`)
  }

  /** A file that belongs to a session, read in the same way. */
  openBeside(path: string): SessionFile {
    return new SessionFile(path, this.#longLines)
  }

  /** Follows a session's file; the caller starts and ends it. */
  follow(session: SessionFile, messages = pageLength): SessionFollower {
    return new SessionFollower({ session, watcher: this.#following, messages })
  }

  /** Where a session's process is now. */
  async placeOf(id: string): Promise<SessionPlaceNow> {
    await this.start()
    await this.#running.settled()
    if (this.#options.isDriven(id)) return { kind: 'elsewhere' }
    const running = this.#running.of(id)
    if (!running) return this.#beginning(id) ?? { kind: 'none' }
    // From now on its own notes tell.
    this.#resumed.delete(id)
    for (const window of this.#options.windows()) {
      const terminal = await window.terminals.terminalOfPid(running.pid)
      if (terminal !== null) return { kind: 'here', window, terminal }
    }
    return { kind: 'elsewhere' }
  }

  /**
   * Types a text into a session's prompt and submits it, in a terminal of the app. Where nothing runs it is resumed,
   * if the settings allow that. Fails with a sentence; then nothing has been submitted.
   */
  send(id: string, text: string, from?: SessionWindow): Promise<Result<{ resumed: boolean }>> {
    // One after another: a second text waits for the terminal that the first one opens.
    const before = this.#sending.get(id) ?? Promise.resolve()
    const own = before.then(() => this.#send(id, text, from))
    const settled = own.then(
      () => undefined,
      () => undefined,
    )
    this.#sending.set(id, settled)
    void settled.then(() => {
      if (this.#sending.get(id) === settled) this.#sending.delete(id)
    })
    return own
  }

  async #send(id: string, text: string, from?: SessionWindow): Promise<Result<{ resumed: boolean }>> {
    const place = await this.placeOf(id)
    if (place.kind === 'elsewhere') return runsElsewhere
    if (place.kind === 'here' && this.#running.of(id)) return this.#type(id, place, text)
    if (place.kind === 'none' && !this.#options.mayResume()) return notRunning
    // What the person starts in a terminal is their own business, what other programs start isn't.
    if (from === undefined && place.kind === 'none') {
      const allowed = await this.#mayStart(id)
      if (!allowed.ok) return allowed
    }
    const resumed = await this.resume(id, from)
    if (!resumed.ok) return resumed
    const { window, terminal } = resumed.value
    const ready = await this.#isReady(id, window, terminal)
    if (!ready.ok) return ready
    const sent = await window.terminals.submitInto(terminal, text, { quiet: promptQuiet })
    return sent.ok ? succeed({ resumed: true }) : sent
  }

  /** A session whose folder isn't known would begin in one that nobody chose. */
  async #mayStart(id: string): Promise<Done> {
    const entry = this.list.get(id)
    if (!entry) return unknownSession
    return entry.folder === null ? unknownFolder : this.#options.mayStart(entry.folder)
  }

  /**
   * Submits a text where a session runs, if its prompt is open: pasted text and Enter would answer a question that is
   * shown in its place (measured with 2.1.330).
   */
  async #type(
    id: string,
    { window, terminal }: { window: SessionWindow; terminal: string },
    text: string,
  ): Promise<Result<{ resumed: boolean }>> {
    const status = this.#running.of(id)?.status
    // Older versions do not note what they do; then the session's own lines have to say it.
    const does = status === 'unknown' ? this.list.get(id)?.activity : status
    if (does === 'waiting' || (status === 'unknown' && does !== 'idle')) return asksFirst
    if (window.terminals.get(terminal)?.hasUnsentInput) return typedAlready
    // While it works a question may come up at any moment: Enter only after another look.
    const isPromptOpen = async () => {
      await this.#running.settled()
      const now = this.#running.of(id)
      return now !== null && now.status !== 'waiting'
    }
    const mayEnter = does === 'idle' ? undefined : isPromptOpen
    const sent = await window.terminals.submitInto(terminal, text, { mayEnter })
    return sent.ok ? succeed({ resumed: false }) : sent
  }

  /** Presses Esc where the session runs. */
  async stop(id: string): Promise<Done> {
    const place = await this.placeOf(id)
    if (place.kind === 'elsewhere') return runsElsewhere
    if (place.kind === 'none') return fail('not-running', 'This session has ended.')
    place.window.terminals.write(place.terminal, '\x1b')
    return succeed({})
  }

  /**
   * Goes on with a session in a new terminal, or gives the one that it runs in. One that runs elsewhere goes on there,
   * and here as a copy: two processes in one session would write into each other's conversation.
   */
  resume(id: string, from?: SessionWindow): Promise<Result<ResumedSession>> {
    const underway = this.#resuming.get(id)
    if (underway) return underway
    const own = this.#resume(id, from).finally(() => this.#resuming.delete(id))
    this.#resuming.set(id, own)
    return own
  }

  async #resume(id: string, from?: SessionWindow): Promise<Result<ResumedSession>> {
    const place = await this.placeOf(id)
    if (place.kind === 'here')
      return succeed({ window: place.window, terminal: place.terminal, isCopy: false })
    const isCopy = place.kind === 'elsewhere'
    const entry = this.list.get(id)
    if (!entry) return unknownSession
    const window = from ?? this.#windowFor(entry)
    if (!window) return fail('no-window', 'No window is open. Open one, then send it again.')
    const created = await window.terminals.create(
      { profile: claude.id, ...firstSize },
      { args: ['--resume', id, ...(isCopy ? ['--fork-session'] : [])], folder: entry.folder },
    )
    if (!created.ok) return created
    const begun = { window, terminal: created.value.id, isCopy }
    if (!isCopy) this.#resumed.set(id, begun)
    return succeed(begun)
  }

  /** Where a resumed session runs whose program has not noted it yet. */
  #beginning(id: string): SessionPlaceNow | null {
    const begun = this.#resumed.get(id)
    const state = begun?.window.terminals.get(begun.terminal)?.record.state
    if (begun && state?.kind === 'running')
      return { kind: 'here', window: begun.window, terminal: begun.terminal }
    this.#resumed.delete(id)
    return null
  }

  dispose(): void {
    this.#disposed = true
    this.#owned.dispose()
  }

  #followNotes(): Promise<void> {
    this.#noting ??= this.#running.start()
    return this.#noting
  }

  async #begin(): Promise<void> {
    await this.#followNotes()
    if (this.#disposed) return
    await this.list.start()
    this.#isListing = false
  }

  #windowFor({ folder }: SessionEntry): SessionWindow | undefined {
    const windows = this.#options.windows()
    return windows.find((window) => folder !== null && window.folders.paths.includes(folder)) ?? windows[0]
  }

  /** Settles when a resumed session waits for its person; fails where it asks something first, or ends. */
  #isReady(id: string, window: SessionWindow, terminal: string): Promise<Done> {
    return new Promise((resolve) => {
      const listening = new DisposableStack()
      const end = (done: Done) => {
        listening.dispose()
        resolve(done)
      }
      const after = (ms: number, done: Done) => {
        const timer = setTimeout(() => end(done), ms)
        listening.add({ dispose: () => clearTimeout(timer) })
      }
      let isSilent = false
      const look = () => {
        const state = window.terminals.get(terminal)?.record.state
        if (state?.kind !== 'running') return end(slowStart)
        const status = this.#running.of(id)?.status
        if (status === 'waiting') end(asksFirst)
        if (status === 'idle') end(succeed({}))
        // Its first note does not say it yet, and older versions never do.
        if (status === 'unknown' && !isSilent) {
          isSilent = true
          after(silentStart, succeed({}))
        }
      }
      after(resumePatience, slowStart)
      listening.add(this.#running.onChange(look))
      listening.add(window.terminals.onChange(look))
      look()
    })
  }
}

const runsElsewhere = fail(
  'elsewhere',
  'This session runs in a terminal outside Greenlight. Type there, or end it there and resume it here.',
)
/** Said of a session that is in no list. */
export const unknownSession = fail('unknown-session', 'This session no longer exists. Check the list.')
const unknownFolder = fail(
  'untrusted',
  'It isn’t known which folder this session works in, so nobody can have trusted it. Resume the session in Greenlight, then send this again.',
)
const asksFirst = fail(
  'asking',
  'Claude is waiting for an answer in its terminal. Answer there, then send this again.',
)
const typedAlready = fail(
  'typing',
  'There’s unsent text in this session’s terminal. Send or delete it there, then send this again.',
)
const notRunning = fail('not-running', 'This session isn’t running. Resume it, then send this again.')
const slowStart = fail(
  'slow',
  'Claude has started but hasn’t shown its prompt yet. Check its terminal, then send this again.',
)
