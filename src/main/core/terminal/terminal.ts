import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Terminal as TerminalRecord } from '../../../shared/contract/terminals'
import { type Disposable, Emitter, disposable } from '../../../shared/lifetime'
import { endProcessTree, familyOf, listProcesses, startOfProcess } from '../platform/process-tree'
import { ScreenCredit } from './screen-credit'
import { OutputJoiner } from './output-joiner'
import { PageView, type TerminalSink } from './page-view'
import { Pty, type PtyStart } from './pty'
import type { ScreenNews, Screens } from './screens'
import { UnsentInput } from './unsent-input'
import { type SignsOfWork, WorkSigns } from './work-signs'

/** How many bytes of output may wait for the screen; it reaches this only if it can't keep up. */
const screenHigh = 8_000_000
const screenLow = 4_000_000
/** How often a changing title or note is told: some programs animate a spinner in it. */
const titleMs = 100
/** A program has drawn pasted text once it has put out nothing for this long, in milliseconds. */
const drawnMs = 100

/** What a terminal starts with. */
export interface TerminalBeginning {
  id: string
  profile: string
  title: string
  splitOf: string | null
  columns: number
  rows: number
}

/** A program that runs here or did, and when it was started. */
interface Program {
  pid: number | null
  started: Promise<string | null>
}

/**
 * Ends whatever a program left unfinished: sequences, modes, the alternate buffer, colours; the scrollback stays. To leave
 * the alternate buffer takes the cursor to where it was saved, outside of it too: so it is saved before.
 */
const restartSequence =
  '\x18\x1b7\x1b[?1049l\x1b[!p\x1b[?25h\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[0m\r\n'

/** One terminal of a window: its program, its screen, and the page that shows it. */
export class Terminal implements Disposable {
  readonly id: string
  readonly #screens: Screens
  readonly #changed = new Emitter<void>()
  readonly #joiner = new OutputJoiner((output) => this.#deliver(output))
  readonly #screenCredit = new ScreenCredit(screenHigh, screenLow)
  #record: TerminalRecord
  #columns: number
  #rows: number
  #pty: Pty | null = null
  #started: Promise<string | null> = Promise.resolve(null)
  /** Programs that ran here before and left something behind, which ends with the terminal. */
  readonly #former = new Set<Program>()
  #view: PageView | null = null
  #titleTimer: ReturnType<typeof setTimeout> | null = null
  #outputAt = 0
  readonly #work = new WorkSigns()
  readonly #unsent = new UnsentInput()

  constructor(beginning: TerminalBeginning, cwd: string, screens: Screens) {
    const { id, profile, title, splitOf, columns, rows } = beginning
    this.id = id
    this.#screens = screens
    this.#columns = columns
    this.#rows = rows
    this.#record = {
      id,
      profile,
      title,
      programTitle: '',
      pid: null,
      cwd,
      state: { kind: 'running' },
      splitOf,
      bell: false,
      note: '',
    }
    screens.open(id, columns, rows)
  }

  /** Something in `record` has changed. */
  readonly onChange = this.#changed.on

  get record(): TerminalRecord {
    return this.#record
  }

  get pid(): number | null {
    return this.#record.pid
  }

  /** Starts a program in place of the one that ended. If it can't be started, the record says so. */
  start(start: Omit<PtyStart, 'columns' | 'rows'>): void {
    if (this.#pty) {
      void this.#keepFormer()
      this.#pty.dispose()
      this.#pty = null
      this.#deliver(restartSequence)
    }
    if (!existsSync(start.cwd)) {
      const message = `The folder ${start.cwd} is gone. Open another folder, then restart the terminal.`
      return this.#set({ pid: null, state: { kind: 'failed', message } })
    }
    let pty: Pty
    try {
      pty = new Pty({ ...start, columns: this.#columns, rows: this.#rows })
    } catch {
      const message = `${start.program} can’t be started. Check the profile in the settings, then restart the terminal.`
      return this.#set({ pid: null, state: { kind: 'failed', message } })
    }
    this.#pty = pty
    this.#work.start()
    this.#unsent.clear()
    this.#started = startOfProcess(pty.pid)
    pty.onOutput((output) => {
      this.#outputAt = performance.now()
      this.#work.putOut()
      this.#joiner.add(output)
    })
    pty.onEnd(({ code, signal }) => {
      this.#joiner.flush()
      this.#set({ state: { kind: 'exited', code, signal } })
    })
    this.#regulate()
    this.#set({ pid: pty.pid, cwd: start.cwd, programTitle: '', state: { kind: 'running' } })
  }

  get signsOfWork(): SignsOfWork {
    return this.#work.signs
  }

  /** Whether the prompt contains typed text that has not been submitted. */
  get hasUnsentInput(): boolean {
    return this.#unsent.isThere
  }

  write(data: string): void {
    this.#work.type(data)
    this.#unsent.hear(data)
    if (this.#record.state.kind === 'running') this.#pty?.write(data)
  }

  /** Resolves when nothing has been put out for `quiet` milliseconds from now on, or after `limit` at the latest. */
  async rest(quiet: number, limit: number): Promise<void> {
    const begun = performance.now()
    for (;;) {
      const until = Math.min(Math.max(this.#outputAt, begun) + quiet, begun + limit)
      const left = until - performance.now()
      if (left <= 0) return
      await wait(left)
    }
  }

  /**
   * Types a text into the program without submitting it: as a bracketed paste if the program supports that, otherwise
   * on one line.
   */
  async type(text: string): Promise<void> {
    const clean = cleaned(text)
    if (await this.#takesPaste()) this.write(asPasted(clean))
    else this.write(clean.replace(/\s*\n\s*/g, ' '))
  }

  /**
   * Pastes a text and submits it, in one write; false if the program doesn't support pasting now. `mayEnter` is asked
   * in between, once the text has been drawn; if it says no, the text stays as typed.
   */
  async submit(text: string, mayEnter?: () => Promise<boolean>): Promise<boolean> {
    if (!(await this.#takesPaste())) return false
    const pasted = asPasted(cleaned(text))
    if (!mayEnter) {
      this.write(`${pasted}\r`)
      return true
    }
    this.write(pasted)
    await this.rest(drawnMs, drawnMs * 10)
    if (!(await mayEnter())) return false
    this.write('\r')
    return true
  }

  #takesPaste(): Promise<boolean> {
    this.#joiner.flush()
    return this.#screens.takesPaste(this.id)
  }

  resize(columns: number, rows: number): void {
    if (columns === this.#columns && rows === this.#rows) return
    this.#columns = columns
    this.#rows = rows
    this.#work.resize()
    // What the program put out before belongs to the old size.
    this.#joiner.flush()
    this.#screens.resize(this.id, columns, rows)
    this.#view?.resized(columns, rows)
    this.#pty?.resize(columns, rows)
  }

  acknowledge(length: number): void {
    this.#view?.acknowledge(length)
    this.#regulate()
  }

  /** Shows the terminal in a page; the page that showed it before is told nothing more. */
  show(sink: TerminalSink): Disposable {
    this.#joiner.flush()
    const view = new PageView(sink)
    this.#view = view
    this.#regulate()
    void this.#screens.image(this.id).then((image) => {
      if (this.#view !== view) return
      view.begin(image ?? { screen: '', columns: this.#columns, rows: this.#rows })
      this.#regulate()
    })
    return disposable(() => {
      if (this.#view !== view) return
      this.#view = null
      this.#regulate()
    })
  }

  /** Handles the screen's reports; a program's questions are answered here while no page does. */
  hear(news: ScreenNews): void {
    switch (news.kind) {
      case 'taken':
        this.#screenCredit.takeBack(news.length)
        this.#regulate()
        return
      case 'title':
        this.#record = { ...this.#record, programTitle: news.title.slice(0, 200) }
        this.#tellSoon()
        return
      case 'bell':
        if (!this.#record.bell) this.#set({ bell: true })
        return
      case 'announcement': {
        const { title, body } = news.announcement
        const note = [title, body].filter(Boolean).join(': ')
        if (!this.#record.bell) this.#set({ bell: true, note })
        else if (this.#record.note !== note) {
          this.#record = { ...this.#record, note }
          this.#tellSoon()
        }
        return
      }
      case 'answer':
        if (!this.#view?.begun) this.write(news.data)
    }
  }

  /** The screen is gone; starts a new, empty one. */
  reopenScreen(): void {
    this.#screenCredit.reset()
    this.#screens.open(this.id, this.#columns, this.#rows)
    this.#regulate()
  }

  /** There is no screen any more, and there will be none: nothing waits for it. */
  loseScreen(): void {
    this.#screenCredit.reset()
    this.#regulate()
  }

  rename(title: string): void {
    this.#set({ title })
  }

  see(): void {
    if (this.#record.bell) this.#set({ bell: false, note: '' })
  }

  /** The terminal that it was split from is gone. */
  standAlone(): void {
    this.#set({ splitOf: null })
  }

  /** Ends the program and everything it started; resolves when nothing of it is alive. */
  async end(graceMs?: number): Promise<void> {
    const { pid } = this.#record
    await Promise.all(
      [...this.#former, { pid, started: this.#started }].map(async (program) => {
        const started = await program.started
        if (program.pid !== null && started !== null) await endProcessTree(program.pid, graceMs, started)
        this.#former.delete(program)
      }),
    )
  }

  async #keepFormer(): Promise<void> {
    const program: Program = { pid: this.#record.pid, started: this.#started }
    if (program.pid === null) return
    this.#former.add(program)
    const left = familyOf(program.pid, await listProcesses())
    if (left.length === 0) this.#former.delete(program)
  }

  dispose(): void {
    if (this.#titleTimer) clearTimeout(this.#titleTimer)
    this.#joiner.dispose()
    this.#pty?.dispose()
    this.#changed.dispose()
    this.#view = null
    this.#screens.close(this.id)
  }

  #deliver(output: string): void {
    this.#screenCredit.give(this.#screens.feed(this.id, output))
    this.#view?.output(output)
    this.#regulate()
  }

  #regulate(): void {
    if (this.#screenCredit.exhausted || this.#view?.exhausted) this.#pty?.pause()
    else this.#pty?.resume()
  }

  /** For what a program may change endlessly. */
  #tellSoon(): void {
    this.#titleTimer ??= setTimeout(() => {
      this.#titleTimer = null
      this.#changed.emit()
    }, titleMs)
  }

  #set(changes: Partial<TerminalRecord>): void {
    this.#record = { ...this.#record, ...changes }
    this.#changed.emit()
  }
}

/** Without control characters, which would act as keys. */
function cleaned(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (character) => (character === '\r' ? '\n' : ''))
}

function asPasted(clean: string): string {
  return `\x1b[200~${clean.replace(/\n+/g, (lines) => '\r'.repeat(lines.length))}\x1b[201~`
}
