import { randomUUID } from 'node:crypto'
import { readlink } from 'node:fs/promises'
import type { Terminal as TerminalRecord } from '../../../shared/contract/terminals'
import { type Disposable, Emitter, disposable } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { terminalEnvironment } from '../platform/environment'
import { familyOf, listProcesses, type ProcessEntry } from '../platform/process-tree'
import { startable } from '../platform/programs'
import type { Launch, TerminalsSurroundings } from './launch'
import { findLinkedFiles } from './linked-files'
import type { TerminalSink } from './page-view'
import { Screens } from './screens'
import { Terminal } from './terminal'

/** What the New terminal button asks for. */
export interface NewTerminal {
  profile: string
  columns: number
  rows: number
  splitOf?: string | undefined
}

/** How a profile is started differently from the menu; a restart does the same. */
export interface OtherStart {
  /** Appended to the profile's own arguments. */
  args: readonly string[]
  /** Where it starts; null: where the window's terminals start. */
  folder: string | null
}

/**
 * After the screen worker has failed this many times, it is not started again: the terminals go on without a replay.
 */
const screenRestarts = 3
/** Typing waits at most this long for a program to be quiet, in milliseconds. */
const longestWait = 3000

/** What Ctrl+C sends. */
const interruptKey = '\x03'

const hasEnded = fail('closed', 'The agent’s terminal has ended. Restart it first.')

/** The terminals of one window. An unknown id is ignored: the page may mention one that is being closed. */
export class Terminals implements Disposable {
  readonly #surroundings: TerminalsSurroundings
  readonly #terminals = new Map<string, Terminal>()
  readonly #screens = new Screens()
  readonly #otherStarts = new Map<string, OtherStart>()
  /** Starts under way. A second request gets the first one's result, because a second program would have no owner. */
  readonly #starts = new Map<string, Promise<Done>>()
  readonly #changed = new Emitter<TerminalRecord[]>()
  readonly #interrupted = new Emitter<string>()
  /** The process listing under way, and the one that follows it if somebody waits for that. */
  #listing: Promise<unknown> = Promise.resolve()
  #nextListing: Promise<ProcessEntry[]> | null = null
  #restartsLeft = screenRestarts
  #disposed = false

  constructor(surroundings: TerminalsSurroundings) {
    this.#surroundings = surroundings
    this.#screens.onNews((news) => this.#terminals.get(news.id)?.hear(news))
    this.#screens.onBroken((error) => {
      surroundings.report(error)
      if (this.#restartsLeft-- <= 0) {
        this.#screens.giveUp()
        for (const terminal of this.#terminals.values()) terminal.loseScreen()
        return
      }
      for (const terminal of this.#terminals.values()) terminal.reopenScreen()
    })
  }

  /** The list of terminals has changed. */
  readonly onChange = this.#changed.on
  /** The person has pressed Ctrl+C in a terminal; tells its id. */
  readonly onInterrupt = this.#interrupted.on

  /** A terminal; undefined for an unknown id. Only `close` ends it. */
  get(id: string): Terminal | undefined {
    return this.#terminals.get(id)
  }

  /** All terminals, in tab order. */
  snapshot(): TerminalRecord[] {
    return [...this.#terminals.values()].map((terminal) => terminal.record)
  }

  /** Starts a profile in a new terminal. Fails with the profile's own sentence, such as how to install it. */
  async create(request: NewTerminal, other?: OtherStart): Promise<Result<{ id: string }>> {
    const launch = await this.#surroundings.launch(request.profile)
    if (!launch.ok) return launch
    if (this.#disposed) return fail('closed', 'The window is closing.')
    const { profile, columns, rows } = request
    const partner = request.splitOf === undefined ? undefined : this.#terminals.get(request.splitOf)
    const id = randomUUID()
    const title = this.#freeTitle(launch.value.title)
    const terminal = new Terminal(
      { id, profile, columns, rows, title, splitOf: partner?.id ?? null },
      this.#startFolder(),
      this.#screens,
    )
    this.#terminals.set(id, terminal)
    if (other) this.#otherStarts.set(id, other)
    terminal.onChange(() => this.#changed.emit(this.snapshot()))
    await this.#once(id, () => this.#start(terminal, launch.value))
    return succeed({ id })
  }

  /** Starts the same profile again in the same terminal. */
  restart(id: string): Promise<Done> {
    return this.#starts.get(id) ?? this.#once(id, () => this.#restart(id))
  }

  async #once(id: string, start: () => Promise<Done>): Promise<Done> {
    const under = start()
    this.#starts.set(id, under)
    try {
      return await under
    } finally {
      this.#starts.delete(id)
    }
  }

  async #restart(id: string): Promise<Done> {
    const terminal = this.#terminals.get(id)
    if (!terminal) return fail('closed', 'This terminal is closed. Open a new one.')
    const launch = await this.#surroundings.launch(terminal.record.profile)
    if (!launch.ok) return launch
    if (terminal.record.state.kind === 'running') await terminal.end()
    return this.#start(terminal, launch.value)
  }

  /** Writes what the person types or pastes. */
  write(id: string, data: string): void {
    this.#terminals.get(id)?.write(data)
    if (data === interruptKey) this.#interrupted.emit(id)
  }

  /** Resolves when a terminal has put out nothing for `quiet` milliseconds from now on, or after `longestWait`. */
  async rest(id: string, quiet: number): Promise<void> {
    await this.#terminals.get(id)?.rest(quiet, longestWait)
  }

  /**
   * Types a text into a terminal's prompt without submitting it; with `quiet`, once the program has put out nothing for
   * that many milliseconds. Fails as `closed` if it can't be typed.
   */
  async typeInto(id: string, text: string, quiet = 0): Promise<Done> {
    const terminal = this.#terminals.get(id)
    if (quiet > 0) await terminal?.rest(quiet, longestWait)
    if (this.#runs(terminal)) await terminal.type(text)
    // It may have been closed in the meantime, and the typed text lost.
    return this.#runs(terminal) ? succeed({}) : hasEnded
  }

  /**
   * Types a text and submits it, in one write; with `quiet`, once the program has put out nothing for that many
   * milliseconds. `mayEnter` is asked in between, once the text has been drawn. Fails as `closed`, and as `unsubmitted`
   * if the program takes no text now or `mayEnter` said no.
   */
  async submitInto(
    id: string,
    text: string,
    { quiet = 0, mayEnter }: { quiet?: number; mayEnter?: (() => Promise<boolean>) | undefined } = {},
  ): Promise<Done> {
    const terminal = this.#terminals.get(id)
    if (quiet > 0) await terminal?.rest(quiet, longestWait)
    if (!this.#runs(terminal)) return hasEnded
    if (await terminal.submit(text, mayEnter)) return succeed({})
    return fail('unsubmitted', 'Its terminal didn’t take the message. Check it, then send again.')
  }

  #runs(terminal: Terminal | undefined): terminal is Terminal {
    return terminal?.record.state.kind === 'running' && this.#terminals.get(terminal.id) === terminal
  }

  /** Removes a terminal immediately, and resolves when its program and everything it started have ended. */
  async close(id: string, graceMs?: number): Promise<void> {
    const terminal = this.#terminals.get(id)
    if (!terminal) return
    this.#terminals.delete(id)
    this.#otherStarts.delete(id)
    for (const other of this.#terminals.values()) {
      if (other.record.splitOf === id) other.standAlone()
    }
    const ended = terminal.end(graceMs)
    terminal.dispose()
    this.#changed.emit(this.snapshot())
    await ended
  }

  /** Closes all; what has not ended after the grace period is killed. For the end of the window or the app. */
  async closeAll(graceMs: number): Promise<void> {
    await Promise.all([...this.#terminals.keys()].map((id) => this.close(id, graceMs)))
  }

  /** Shows a terminal in a page: its screen, then its output. An unknown id shows nothing. */
  show(id: string, sink: TerminalSink): Disposable {
    return this.#terminals.get(id)?.show(sink) ?? disposable(() => undefined)
  }

  /** Which terminal a process was started from; null if none. */
  async terminalOfPid(pid: number): Promise<string | null> {
    const running = [...this.#terminals.values()].filter((one) => one.record.state.kind === 'running')
    if (running.length === 0) return null
    const processes = await this.#listProcesses()
    for (const terminal of running) {
      if (terminal.pid === null || terminal.record.state.kind !== 'running') continue
      if (familyOf(terminal.pid, processes).some((entry) => entry.pid === pid)) return terminal.id
    }
    return null
  }

  /** One list for everyone who asks before it begins: many connections arrive together. */
  #listProcesses(): Promise<ProcessEntry[]> {
    this.#nextListing ??= this.#listing.then(() => {
      this.#nextListing = null
      const listing = listProcesses()
      this.#listing = listing.catch(() => undefined)
      return listing
    })
    return this.#nextListing
  }

  /** For each word the file that it names, or null; relative to the folder the program is in, or the window's. */
  async resolveLinks(id: string, words: readonly string[]): Promise<(string | null)[]> {
    const terminal = this.#terminals.get(id)
    if (!terminal) return words.map(() => null)
    const folders = [await currentFolder(terminal), ...this.#surroundings.folders()]
    return findLinkedFiles(words, [...new Set(folders)], this.#surroundings.home)
  }

  dispose(): void {
    this.#disposed = true
    void this.closeAll(1000).catch((error: unknown) => this.#surroundings.report(error))
    this.#changed.dispose()
    this.#interrupted.dispose()
    this.#screens.dispose()
  }

  /** Starts nothing in a terminal that was closed in the meantime. */
  async #start(terminal: Terminal, launch: Launch): Promise<Done> {
    const base = await this.#surroundings.environment()
    if (!this.#terminals.has(terminal.id)) return succeed({})
    const { platform } = process
    const usual = terminalEnvironment({
      base,
      version: this.#surroundings.version,
      platform,
      additions: this.#surroundings.variables(terminal.id),
      programs: this.#surroundings.programs(),
      front: this.#surroundings.front(),
    })
    const { args, env } = this.#surroundings.integrate(launch, usual)
    const other = this.#otherStarts.get(terminal.id)
    terminal.start({
      ...startable(launch.program, [...args, ...(other?.args ?? [])], { platform, env }),
      cwd: other?.folder ?? this.#startFolder(),
      env,
    })
    return succeed({})
  }

  #startFolder(): string {
    return this.#surroundings.folders()[0] ?? this.#surroundings.home
  }

  /** The title, with a number if another terminal has it: people and tests identify terminals by their names. */
  #freeTitle(title: string): string {
    const taken = new Set(this.snapshot().map((record) => record.title))
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? title : `${title} ${number}`
      if (!taken.has(candidate)) return candidate
    }
  }
}

/** The folder that the terminal's program is in now, if the system tells it. */
async function currentFolder(terminal: Terminal): Promise<string> {
  const { pid, cwd } = terminal.record
  if (process.platform !== 'linux' || pid === null) return cwd
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch {
    return cwd
  }
}
