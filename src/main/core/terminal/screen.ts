import { SerializeAddon } from '@xterm/addon-serialize'
import { UnicodeWidths } from './unicode-widths'
// A CommonJS file whose exports Node can't detect.
import headless, { type ITerminalAddon, type Terminal } from '@xterm/headless'
import { type Announcement, Announcements } from './announcements'
import { forgetScrolledOut } from './plain-output'
import { unfinishedSequence } from './unfinished-sequence'

/** Lines of scrollback that a terminal keeps, in the host and in the page. */
export const scrollbackLines = 10_000
/** Above this many bytes held back, plain text that nobody will see is dropped, and the rest is parsed. */
const leastHeld = 3_000_000
/** With long lines more has to be kept: then as much again is held back, up to this. */
const mostHeld = 6_000_000
/**
 * More than this within one tick is a flood: it is held back until less than a quarter of that comes in a tick, because
 * only its end will be seen. A tick is longer than the pauses of a program that the page holds back.
 */
const floodLength = 256 << 10
const tickMs = 240

/** A screen as escape sequences that reproduce it, and its size. */
export interface ScreenImage {
  screen: string
  columns: number
  rows: number
}

/** What a screen reports while it is fed. */
export interface ScreenEvents {
  /** The screen has dealt with this many bytes. */
  taken(length: number): void
  title(title: string): void
  bell(): void
  /** The program calls for the person in words. */
  announcement(announcement: Announcement): void
  /** An answer to a question that the program asked the terminal. */
  answer(data: string): void
}

/**
 * A terminal's screen without a window: what the program has put out so far, with scrollback. Output in a flood is held
 * back until it pauses, to leave the processor to the page; every question to the screen takes all earlier output into
 * account.
 */
export class Screen {
  readonly #terminal: Terminal
  readonly #serializer = new SerializeAddon()
  readonly #events: ScreenEvents
  #held: Uint8Array[] = []
  #heldLength = 0
  #heldLimit = leastHeld
  /** Jobs on the terminal run one after another; this is how many there are. */
  #jobs = 0
  #lastJob: Promise<unknown> = Promise.resolve()
  #flood = false
  #arrivedInTick = 0
  #tick: ReturnType<typeof setTimeout> | null = null
  #unfinished = ''

  constructor(columns: number, rows: number, events: ScreenEvents) {
    this.#events = events
    this.#terminal = new headless.Terminal({
      cols: columns,
      rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      logLevel: 'off',
    })
    // The addons are typed for the terminal with a window; they use nothing that this one lacks.
    this.#terminal.loadAddon(this.#serializer as ITerminalAddon)
    // Widths must be the page's, or the same output wraps differently.
    this.#terminal.loadAddon(new UnicodeWidths() as ITerminalAddon)
    this.#terminal.onTitleChange((title) => events.title(title))
    this.#terminal.onBell(() => events.bell())
    const announcements = new Announcements((one) => events.announcement(one))
    const hear = (number: number, listener: (data: string) => void) =>
      this.#terminal.parser.registerOscHandler(number, (data) => (listener(data), true))
    hear(9, (data) => announcements.hear9(data))
    hear(777, (data) => announcements.hear777(data))
    hear(99, (data) => announcements.hear99(data))
    this.#terminal.onData((data) => events.answer(data))
  }

  /** Takes output in order: whole characters in UTF-8. */
  feed(output: Uint8Array): void {
    this.#held.push(output)
    this.#heldLength += output.length
    this.#arrivedInTick += output.length
    this.#tick ??= setTimeout(() => this.#endTick(), tickMs)
    if (this.#arrivedInTick > floodLength) this.#flood = true
    if (!this.#flood) this.#parse()
    else if (this.#heldLength > this.#heldLimit) this.#relieve()
  }

  /** Changes the size, after the output so far. */
  resize(columns: number, rows: number): void {
    this.#parse()
    void this.#run(() => this.#terminal.resize(columns, rows))
  }

  /** The screen with all output fed before this call. */
  image(): Promise<ScreenImage> {
    this.#parse()
    return this.#run(() => ({
      screen: this.#serializer.serialize() + modesBesides(this.#terminal) + this.#unfinished,
      columns: this.#terminal.cols,
      rows: this.#terminal.rows,
    }))
  }

  /** Whether the program supports bracketed paste, after all output so far. */
  takesPaste(): Promise<boolean> {
    this.#parse()
    return this.#run(() => this.#terminal.modes.bracketedPasteMode)
  }

  dispose(): void {
    if (this.#tick) clearTimeout(this.#tick)
    this.#held = []
    this.#heldLength = 0
    this.#terminal.dispose()
  }

  #endTick(): void {
    this.#flood = this.#flood && this.#arrivedInTick > floodLength / 4
    this.#arrivedInTick = 0
    this.#tick = this.#flood ? setTimeout(() => this.#endTick(), tickMs) : null
    if (!this.#flood) this.#parse()
  }

  /** Makes room: by dropping what will never be seen, otherwise by parsing. */
  #relieve(): void {
    // What is being parsed decides what may be dropped; this is called again when it is done.
    if (this.#jobs > 0) return
    const output = Buffer.concat([Buffer.from(this.#unfinished), ...this.#held])
    // What the parser has begun belongs to what may be dropped; CAN then cancels it.
    const remainder = this.#isPlain()
      ? forgetScrolledOut(output, scrollbackLines + 2 * this.#terminal.rows + 1)
      : null
    if (!remainder) return this.#parse()
    const before = this.#heldLength
    this.#held = this.#unfinished === '' ? [remainder] : [Buffer.from('\x18'), remainder]
    this.#unfinished = ''
    this.#heldLength = this.#held.reduce((sum, { length }) => sum + length, 0)
    this.#events.taken(before - this.#heldLength)
    this.#heldLimit = Math.min(mostHeld, Math.max(leastHeld, 2 * this.#heldLength))
    if (this.#heldLength > this.#heldLimit * 0.75) this.#parse()
  }

  /** Whether text is added at the bottom, with nothing to keep it from scrolling out. */
  #isPlain(): boolean {
    const { scrollTop, scrollBottom } = coreOf(this.#terminal).buffer
    const whole = scrollTop === 0 && scrollBottom === this.#terminal.rows - 1
    return whole && this.#terminal.buffer.active.type === 'normal'
  }

  #parse(): void {
    const length = this.#heldLength
    if (length === 0) return
    const output = Buffer.concat(this.#held).toString('utf8')
    this.#held = []
    this.#heldLength = 0
    void this.#run(async () => {
      await new Promise<void>((resolve) => this.#terminal.write(output, resolve))
      this.#unfinished = unfinishedSequence(this.#unfinished + output)
      this.#events.taken(length)
    })
  }

  #run<T>(job: () => T | Promise<T>): Promise<T> {
    this.#jobs++
    const result = this.#lastJob.then(job)
    this.#lastJob = result.finally(() => {
      this.#jobs--
      if (this.#heldLength > this.#heldLimit) this.#relieve()
    })
    return result
  }
}

/** The internals of xterm read here, as its own serialize addon does. */
interface TerminalCore {
  buffer: { scrollTop: number; scrollBottom: number; x: number; y: number }
  coreService: {
    isCursorHidden: boolean
    decPrivateModes: { cursorStyle?: 'block' | 'underline' | 'bar'; cursorBlink?: boolean; origin: boolean }
  }
  coreMouseService: { activeEncoding: string }
}

function coreOf(terminal: Terminal): TerminalCore {
  return (terminal as unknown as { _core: TerminalCore })._core
}

/** The modes that the serialize addon leaves out. */
function modesBesides(terminal: Terminal): string {
  const { buffer, coreService, coreMouseService } = coreOf(terminal)
  const { cursorStyle, cursorBlink, origin } = coreService.decPrivateModes
  let modes = ''
  if (coreMouseService.activeEncoding === 'SGR') modes += '\x1b[?1006h'
  if (coreMouseService.activeEncoding === 'SGR_PIXELS') modes += '\x1b[?1016h'
  if (coreService.isCursorHidden) modes += '\x1b[?25l'
  if (cursorStyle) {
    const style = { block: 2, underline: 4, bar: 6 }[cursorStyle] - (cursorBlink ? 1 : 0)
    modes += `\x1b[${style} q`
  }
  const margins = buffer.scrollTop !== 0 || buffer.scrollBottom !== terminal.rows - 1
  if (margins) modes += `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`
  // Setting margins or origin mode moves the cursor.
  if (margins || origin) modes += `\x1b[${buffer.y - (origin ? buffer.scrollTop : 0) + 1};${buffer.x + 1}H`
  return modes
}
