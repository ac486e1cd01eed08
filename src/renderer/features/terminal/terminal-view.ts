import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import type { Calls, Topics } from '../../../shared/contract/contract'
import { type Disposable, DisposableStack, Emitter, disposable } from '../../../shared/lifetime'
import { splitText } from '../../../shared/rpc/message-pieces'
import type { RpcClient } from '../../../shared/rpc/rpc'
import { isMac } from '../../ui/browser/platform'
import { theme } from '../../ui/theme/theme'
import { Acknowledger } from './acknowledger'
import { type ChosenFile, fileLinks } from './file-links'
import { FrameLimiter } from './frame-limiter'
import { drawFast } from './graphics'
import { OutputFeed } from './output-feed'
import { meaningOf } from './terminal-keys'
import { leastContrast, terminalColors, terminalFont } from './terminal-theme'
import '@xterm/xterm/css/xterm.css'

type Host = RpcClient<Calls, Topics>

/** Lines of scrollback, as many as the host keeps. */
const scrollbackLines = 10_000
/** A paste goes to the host in pieces of this many characters. */
const pastePiece = 256 << 10
/** The least time between two sizes told to the host: each one makes programs redraw everything. */
const fitMs = 80

/** What a terminal's view needs of the page. */
interface TerminalViewOptions {
  host: Host
  id: string
  fontSize: number
  screenReader: boolean
  openFile(file: ChosenFile): void
  openAddress(url: string): void
  find(): void
}

/**
 * One terminal in the page. It parses the host's output whether it is shown or not, and draws while it is in the page.
 * Bytes go from the topic into xterm and nowhere else.
 */
export class TerminalView implements Disposable {
  readonly terminal: Terminal
  readonly search = new SearchAddon({ highlightLimit: 1000 })
  readonly #element = document.createElement('div')
  readonly #fit = new FitAddon()
  readonly #host: Host
  readonly #id: string
  readonly #acknowledger: Acknowledger
  readonly #feed: OutputFeed
  readonly #frames = new FrameLimiter()
  readonly #owned = new DisposableStack()
  readonly #parsed = new Emitter<string>()
  #shown: Disposable | null = null
  #fitTimer: ReturnType<typeof setTimeout> | null = null
  #fitted = 0
  #isFinding = false
  /** Characters of the host's screen still to be parsed. */
  #restoring = 1

  constructor(options: TerminalViewOptions) {
    const { host, id } = options
    this.#host = host
    this.#id = id
    this.#element.className = 'terminal-screen'
    this.terminal = new Terminal({
      scrollback: scrollbackLines,
      allowProposedApi: true,
      fontFamily: terminalFont(),
      fontSize: options.fontSize,
      screenReaderMode: options.screenReader,
      theme: terminalColors(false),
      minimumContrastRatio: leastContrast(),
      macOptionIsMeta: false,
      linkHandler: { activate: (_event, target) => this.#openTarget(target, options) },
    })
    const { terminal } = this
    terminal.loadAddon(this.#fit)
    terminal.loadAddon(this.search)
    terminal.loadAddon(new UnicodeGraphemesAddon())
    terminal.loadAddon(new WebLinksAddon((_event, url) => options.openAddress(url)))
    const resolve = (names: string[]) =>
      host.call('terminals.resolveLinks', { id, words: names }).then(({ paths }) => paths)
    terminal.registerLinkProvider(fileLinks(terminal, resolve, options.openFile))
    terminal.attachCustomKeyEventHandler((event) => this.#isForProgram(event, options))
    terminal.onData((data) => this.#type(data))
    this.#acknowledger = new Acknowledger((length) => this.#send('terminals.acknowledge', { id, length }))
    this.#feed = new OutputFeed(terminal, {
      isHidden: () => document.hidden,
      drained: () => this.#acknowledger.drained(),
    })
    this.#owned.add(disposable(() => terminal.dispose()))
    this.#owned.add(this.#feed)
    this.#owned.add(disposable(theme.subscribe(() => this.#applyTheme())))
    this.#owned.add(this.#subscribe())
  }

  /** Each piece of output once parsed; for benchmarks. */
  readonly onParsed = this.#parsed.on

  /** Shows the terminal in an element, fitted to it, until disposed. It goes on parsing afterwards. */
  show(parent: HTMLElement): Disposable {
    this.#shown?.dispose()
    parent.append(this.#element)
    if (!this.terminal.element) {
      this.terminal.open(this.#element)
      this.#owned.add(this.#frames.limit(this.terminal))
    }
    const graphics = drawFast(this.terminal)
    const observer = new ResizeObserver(() => this.#fitSoon())
    observer.observe(parent)
    this.fit()
    const shown = disposable(() => {
      observer.disconnect()
      graphics.dispose()
      if (this.#fitTimer) clearTimeout(this.#fitTimer)
      this.#fitTimer = null
      this.#element.remove()
    })
    this.#shown = shown
    return shown
  }

  /** Resizes the terminal to its place, if it has one, and tells the host. */
  fit(): void {
    this.#fitted = performance.now()
    if (this.#restoring > 0) return
    if (!this.#element.isConnected || this.#element.clientWidth < 20 || this.#element.clientHeight < 20)
      return
    const size = this.#fit.proposeDimensions()
    if (!size || !Number.isFinite(size.cols) || !Number.isFinite(size.rows)) return
    const columns = Math.max(2, Math.min(1000, size.cols))
    const rows = Math.max(1, Math.min(1000, size.rows))
    if (columns !== this.terminal.cols || rows !== this.terminal.rows) this.terminal.resize(columns, rows)
    this.#send('terminals.resize', { id: this.#id, columns, rows })
  }

  setFontSize(size: number): void {
    if (this.terminal.options.fontSize === size) return
    this.terminal.options.fontSize = size
    this.fit()
  }

  setScreenReader(on: boolean): void {
    if (this.terminal.options.screenReaderMode !== on) this.terminal.options.screenReaderMode = on
  }

  /** Shows the current match in its own colour while the find bar is open. */
  setFinding(on: boolean): void {
    this.#isFinding = on
    this.#applyTheme()
  }

  focus(): void {
    this.terminal.focus()
  }

  /** Puts the selected text on the clipboard. */
  copy(): void {
    const text = this.terminal.getSelection()
    if (text) void navigator.clipboard.writeText(text).catch(() => document.execCommand('copy'))
  }

  dispose(): void {
    this.#shown?.dispose()
    this.#owned.dispose()
    this.#parsed.dispose()
  }

  #subscribe(): Disposable {
    return this.#host.subscribe(
      'terminal',
      { id: this.#id },
      {
        snapshot: ({ screen, rest, columns, rows }) => {
          this.#acknowledger.begin()
          // The screen has the host's size; it can be resized only once it is complete.
          this.#restoring = screen.length + rest
          this.#feed.clear()
          // Written to the same stream, so that nothing written before comes after the reset.
          this.terminal.write('\x18\x1bc', () => this.terminal.resize(columns, rows))
          this.#feed.add(screen, () => this.#restored(screen.length))
        },
        delta: (delta) => {
          switch (delta.kind) {
            case 'output': {
              const { data } = delta
              const parsed = this.#acknowledger.piece(data.length)
              const restores = this.#restoring > 0
              this.#feed.add(data, () => {
                parsed()
                this.#frames.parsed(data.length)
                if (restores) this.#restored(data.length)
                if (this.#parsed.size > 0) this.#parsed.emit(data)
              })
              return
            }
            case 'resized':
              // A shown terminal has the size of its place; the host only echoes it.
              if (!this.#element.isConnected) this.terminal.resize(delta.columns, delta.rows)
          }
        },
      },
    )
  }

  #restored(length: number): void {
    this.#restoring = Math.max(0, this.#restoring - length)
    if (this.#restoring === 0) this.fit()
  }

  #type(data: string): void {
    this.#frames.press()
    for (const piece of splitText(data, pastePiece)) {
      this.#send('terminals.write', { id: this.#id, data: piece })
    }
  }

  /** A call that fails with the link needs nothing: the next link brings a new screen. */
  #send<N extends 'terminals.write' | 'terminals.resize' | 'terminals.acknowledge'>(
    name: N,
    params: Calls[N]['params'],
  ): void {
    this.#host.call(name, params).catch(() => undefined)
  }

  #fitSoon(): void {
    if (this.#fitTimer) return
    const wait = Math.max(0, this.#fitted + fitMs - performance.now())
    this.#fitTimer = setTimeout(() => {
      this.#fitTimer = null
      this.fit()
    }, wait)
  }

  #isForProgram(event: KeyboardEvent, options: TerminalViewOptions): boolean {
    // During composition every key belongs to the input method; xterm handles it.
    if (event.isComposing || event.keyCode === 229) return true
    const meaning = meaningOf(event, isMac)
    if (meaning === 'program') return true
    if (event.type === 'keydown' && meaning === 'copy') {
      event.preventDefault()
      this.copy()
    }
    if (event.type === 'keydown' && meaning === 'find') {
      event.preventDefault()
      options.find()
    }
    // The browser pastes: it needs no permission, and tells xterm.
    return false
  }

  #openTarget(target: string, options: TerminalViewOptions): void {
    if (/^https?:/i.test(target)) return options.openAddress(target)
    if (!/^file:/i.test(target)) return
    this.#host.call('terminals.resolveLinks', { id: this.#id, words: [target] }).then(
      ({ paths: [path] }) => path && options.openFile({ path, at: null }),
      () => undefined,
    )
  }

  #applyTheme(): void {
    this.terminal.options.theme = terminalColors(this.#isFinding)
    this.terminal.options.minimumContrastRatio = leastContrast()
  }
}
