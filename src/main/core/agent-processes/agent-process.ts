import { once } from 'node:events'
import type { AgentProcessState, ProcessEnd } from '../../../shared/contract/agent-processes'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import { startProgram } from '../platform/child-process'
import { startOfProcess } from '../platform/process-tree'
import { Complaints } from './complaints'
import { describeExit, describeNotStarted, describeStopped } from './end-sentences'
import { endTree, isAlive, type StartedTree } from './ended-tree'
import { LineReader, type ProcessLine } from './line-reader'
import type { ProcessOptions } from './process-options'

/** Who listens to a process. */
export interface ProcessListener {
  /** Called with each line. No more is read until the returned promise settles. */
  line(line: ProcessLine): void | Promise<void>
  /** Called with what `line` threw, which is a bug. */
  report(error: unknown): void
}

/** A run shorter than this, in milliseconds, delays the next start: */
const shortLife = 10_000
/** from the second short run on by this long, then doubling up to `longestDelay`. In milliseconds. */
const firstDelay = 500
const longestDelay = 30_000
/** How long output is still read after a process was stopped, in milliseconds. */
const lastReading = 500

/** One start of the program. */
interface Run extends StartedTree {
  startedAt: number
  complaints: Complaints
  /** Settles when it is over: the process and everything it started have ended, and its output was read. */
  over: Promise<void>
  isStopped: boolean
  /** Aborted to stop reading its output. */
  leaveUnread: AbortController
}

/**
 * A program that communicates in lines over its standard input and output. While a line is being handled, no more
 * output is read; unread input is bounded. When the program ends, for whatever reason, everything it started is ended
 * too.
 */
export class AgentProcess implements Disposable {
  readonly #options: ProcessOptions
  readonly #listener: ProcessListener
  readonly #states = new Emitter<AgentProcessState>()
  readonly onState = this.#states.on
  #state: AgentProcessState
  #run: Run | null = null
  #timer: NodeJS.Timeout | null = null
  /** How many short runs there were in a row. */
  #shortLives = 0
  #unread = 0
  #isDisposed = false

  constructor(options: ProcessOptions, listener: ProcessListener) {
    this.#options = options
    this.#listener = listener
    this.#state = { phase: 'ended', end: describeStopped(options.name, '') }
  }

  get state(): AgentProcessState {
    return this.#state
  }

  get pid(): number | null {
    return this.#run && isAlive(this.#run.child) ? this.#run.pid : null
  }

  /** Starts it unless it is running. The state tells whether that worked. */
  async start(): Promise<void> {
    if (this.#run || this.#isDisposed) return
    this.#clearTimer()
    const { program, args, folder, env } = this.#options
    const child = startProgram(program, args, {
      cwd: folder,
      env,
      stdio: 'pipe',
      windowsHide: true,
      // It leads its own session, by which everything it starts is found.
      detached: process.platform !== 'win32',
    })
    if (!child || child.pid === undefined) return this.#noteEnd(await describeNotStarted(this.#options))
    const { pid } = child
    const complaints = new Complaints()
    child.stdin?.on('error', () => undefined)
    child.stderr?.on('data', (piece: Buffer) => complaints.take(piece))
    child.stderr?.on('error', () => undefined)
    const run: Run = {
      ...{ child, pid, complaints, startedAt: Date.now(), isStopped: false, started: null },
      over: Promise.resolve(),
      leaveUnread: new AbortController(),
    }
    this.#run = run
    this.#unread = 0
    // Both must listen before any event can come.
    run.over = Promise.all([this.#read(run), this.#followExit(run)]).then(() => this.#noteOver(run))
    run.started = await startOfProcess(pid)
    if (this.#run === run && !run.isStopped) this.#tell({ phase: 'running', startedAt: run.startedAt })
  }

  /**
   * Writes a line. Resolves once the system has taken it; fails if the process has ended or doesn't read, and then it
   * has received none or only part of the line.
   */
  write(line: string): Promise<Done> {
    if (line.includes('\n')) throw new Error('a line has no line break in it')
    const { name, mostUnread } = this.#options
    const stdin = this.#run?.child.stdin
    if (!stdin?.writable || !this.pid) {
      return Promise.resolve(fail('not-running', `${name} isn’t running. Restart it, then send this again.`))
    }
    const bytes = Buffer.byteLength(line) + 1
    if (this.#unread + bytes > mostUnread) {
      return Promise.resolve(
        fail(
          'behind',
          `${name} does not read what it is sent. Wait for it or restart it, then send this again.`,
        ),
      )
    }
    this.#unread += bytes
    const run = this.#run
    return new Promise((resolve) => {
      stdin.write(`${line}\n`, (error) => {
        if (this.#run === run) this.#unread -= bytes
        resolve(
          error
            ? fail('closed', `${name} no longer reads what it is sent. Restart it, then send this again.`)
            : succeed({}),
        )
      })
    })
  }

  /** Ends it and everything it started. Resolves when nothing is left. */
  async stop(graceMs = this.#options.graceMs): Promise<void> {
    this.#clearTimer()
    const run = this.#run
    if (!run) {
      if (this.#state.phase === 'waiting') this.#noteEnd(describeStopped(this.#options.name, ''))
      return
    }
    if (!run.isStopped) {
      run.isStopped = true
      this.#tell({ phase: 'stopping' })
    }
    await endTree(run, graceMs)
    const timer = setTimeout(() => {
      run.leaveUnread.abort()
      run.child.stdout?.destroy()
    }, lastReading)
    await run.over
    clearTimeout(timer)
  }

  /** Ends it if it is running, and starts it again: immediately, or later if its last runs were short. */
  async restart(): Promise<void> {
    await this.stop()
    if (this.#isDisposed || this.#run || this.#timer) return
    const delay =
      this.#shortLives < 2 ? 0 : Math.min(longestDelay, firstDelay * 2 ** Math.min(this.#shortLives - 2, 10))
    if (delay === 0) return this.start()
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.start()
    }, delay)
    this.#tell({ phase: 'waiting', until: Date.now() + delay })
  }

  /** Starts to end it, for good; `stop` resolves when that is done. */
  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    void this.stop()
  }

  async #read({ child: { stdout }, leaveUnread: { signal } }: Run): Promise<void> {
    if (!stdout) return
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const lines = new LineReader(this.#options.longestLine)
    const hear = async (line: ProcessLine) => {
      try {
        const heard = this.#listener.line(line)
        // Doing this for each of thousands of lines would be slow.
        if (heard) await Promise.race([heard, left])
      } catch (error) {
        this.#listener.report(error)
      }
    }
    try {
      for await (const piece of stdout as AsyncIterable<Buffer>) {
        for (const line of lines.read(piece)) {
          if (signal.aborted) return
          await hear(line)
        }
      }
      const rest = lines.rest()
      if (rest) await hear(rest)
    } catch {
      // The pipe broke, or was closed at the end.
    }
  }

  /** Once the program has ended, ends what it left behind, which could hold the pipes open forever. */
  async #followExit(run: Run): Promise<void> {
    if (isAlive(run.child)) await once(run.child, 'exit')
    await endTree(run, this.#options.graceMs)
  }

  #noteOver(run: Run): void {
    if (this.#run === run) this.#run = null
    const isShort = !run.isStopped && Date.now() - run.startedAt < shortLife
    this.#shortLives = isShort ? this.#shortLives + 1 : run.isStopped ? this.#shortLives : 0
    this.#noteEnd(this.#endOf(run))
  }

  #endOf({ child, complaints: { text: complaints }, isStopped }: Run): ProcessEnd {
    const { name } = this.#options
    return isStopped ? describeStopped(name, complaints) : describeExit(name, child, complaints)
  }

  #noteEnd(end: ProcessEnd): void {
    this.#tell({ phase: 'ended', end })
  }

  #tell(state: AgentProcessState): void {
    this.#state = state
    this.#states.emit(state)
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
