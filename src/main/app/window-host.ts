import { randomUUID } from 'node:crypto'
import { contract, type Calls, type Topics } from '../../shared/contract/contract'
import type { Menu } from '../../shared/contract/menu'
import type { WorkspaceFolder } from '../../shared/contract/window'
import { type Disposable, type Listen, DisposableStack, Emitter } from '../../shared/lifetime'
import type { Done } from '../../shared/result'
import type { Origin } from '../../shared/review'
import { type Channel, serveRpc } from '../../shared/rpc'
import type { WindowChanges } from '../core/changes/changes'
import { Connections } from '../core/connections/connections'
import { ProtocolLog } from '../core/connections/protocol-log'
import type { Context } from '../core/context/context'
import { FileWaits } from '../core/editing/file-waits'
import { Selections } from '../core/editing/selection'
import { Tabs } from '../core/editing/tabs'
import { findHead, readBranch } from '../core/git/branch'
import { Attention } from '../core/notices/attention'
import { Notices } from '../core/notices/notices'
import { WindowSettings } from '../core/settings/window-settings'
import type { Tour } from '../core/tour/tour'
import { Terminals } from '../core/terminal/terminals'
import type { AppParts } from './app'
import { DocumentHolds } from './document-holds'
import { isInside, nameFolders } from './folders'
import { TextHandles } from './text-handles'
import { ClaudeIde } from './wiring/claude-ide'
import { firstRunHandlers, isUnused, tourOf } from './wiring/first-run'
import { GeminiCompanion } from './wiring/gemini-companion'
import type { CheckedServer } from './wiring/connection-checks'
import { PageMenu, menuHandlers } from './wiring/page-menu'
import { PageFlush } from './wiring/page-flush'
import { contextOf } from './wiring/context-of-window'
import { connectionHandlers } from './wiring/page-connections'
import { contextHandlers } from './wiring/page-context'
import { comparisonHandlers } from './wiring/page-comparison'
import { documentHandlers } from './wiring/page-documents'
import { fileHandlers } from './wiring/page-files'
import { gitHandlers } from './wiring/page-git'
import { logHandlers } from './wiring/page-log'
import { joinHandlers } from './wiring/page-handlers'
import { noticeHandlers } from './wiring/page-notices'
import { followAttention } from './wiring/attention-of-window'
import { attentionHandlers } from './wiring/page-attention'
import { changesSurroundings } from './wiring/changes-to-desk'
import { changeHandlers } from './wiring/page-changes'
import { pieceHandlers } from './wiring/page-pieces'
import { reviewHandlers } from './wiring/page-reviews'
import { searchHandlers } from './wiring/page-search'
import { sessionHandlers, sessionOfTab } from './wiring/page-sessions'
import { settingsHandlers } from './wiring/page-settings'
import { tabHandlers } from './wiring/page-tabs'
import { terminalHandlers } from './wiring/page-terminals'
import { windowHandlers } from './wiring/page-window'
import { ToldEndings } from './wiring/told-endings'
import { WindowSearch } from './wiring/search-of-window'
import { terminalsSurroundings } from './wiring/terminals-to-agents'

/** One window: a page with its folders, tabs and terminals, and the servers that agents in it find. */
export class WindowHost {
  readonly id = randomUUID()
  readonly parts: AppParts
  readonly tabs = new Tabs({ isKeptPage: (name) => sessionOfTab(name) !== null })
  readonly selections = new Selections()
  readonly waits = new FileWaits()
  readonly notices = new Notices()
  readonly endings = new ToldEndings(this.notices)
  readonly attention = new Attention()
  readonly connections = new Connections()
  readonly protocolLog = new ProtocolLog(() => this.#secrets())
  readonly texts = new TextHandles()
  readonly pageFlush = new PageFlush()
  readonly menu = new PageMenu()
  readonly settings: WindowSettings
  readonly context: Context
  readonly terminals: Terminals
  readonly searching: WindowSearch
  readonly changes: WindowChanges
  readonly tour: Tour
  readonly claudeIde: ClaudeIde
  readonly gemini: GeminiCompanion
  readonly #owned = new DisposableStack()
  readonly holds: DocumentHolds
  readonly #reveals = new Emitter<Reveal>()
  readonly #foldersChanged = new Emitter<void>()
  readonly #branchChanged = new Emitter<void>()
  readonly onReveal = this.#reveals.on
  readonly onFolders = this.#foldersChanged.on
  readonly onBranch = this.#branchChanged.on
  readonly #filesMoved = new Emitter<void>()
  /** The person has made, moved or removed files here. */
  readonly onFilesMoved = this.#filesMoved.on
  readonly #focusRequests = new Emitter<void>()
  readonly #titles = new Emitter<string>()
  /** Somebody wants the person to look at this window. */
  readonly onFocusRequest = this.#focusRequests.on
  /** What the window is called now. */
  readonly onTitle = this.#titles.on
  readonly #onClosed: (window: WindowHost) => void
  #folders: readonly string[]
  #branch: string | null = null
  #headWatch: Disposable | null = null
  #closed = false

  constructor(parts: AppParts, folders: readonly string[], onClosed: (window: WindowHost) => void) {
    this.parts = parts
    this.#onClosed = onClosed
    this.#folders = folders
    this.settings = this.#owned.add(
      new WindowSettings(parts.options.settingsStore, parts.folderSettings, () => this.#folders[0]),
    )
    this.context = this.#owned.add(contextOf(this))
    this.tour = this.#owned.add(tourOf(this))
    this.claudeIde = new ClaudeIde(this)
    this.gemini = new GeminiCompanion(this)
    this.terminals = new Terminals(terminalsSurroundings(this))
    this.holds = new DocumentHolds(parts.documents, this.tabs, this.selections)
    const { tabs, selections, waits, notices, attention, connections, protocolLog, menu } = this
    const own = [tabs, selections, waits, notices, attention, connections, protocolLog, menu]
    for (const item of own) this.#owned.add(item)
    this.#owned.add(
      tabs.on((event) => {
        this.holds.follow(event)
        waits.follow((path) => tabs.findFile(path) !== undefined)
      }),
    )
    this.#owned.add(
      this.terminals.onChange(() => {
        this.claudeIde.matchTerminals()
        this.gemini.matchTerminals()
      }),
    )
    this.#owned.add(this.terminals.onInterrupt((id) => this.gemini.interrupt(id)))
    this.changes = this.#owned.add(parts.changes.follow(changesSurroundings(this)))
    this.searching = this.#owned.add(new WindowSearch(this))
    this.#owned.add(this.settings.onChange((change) => 'reviewUnasked' in change && this.changes.update()))
    // A preview that is worked in stays, whatever is opened next.
    this.#owned.add(
      parts.documents.on((event) => {
        if (event.kind !== 'meta' || !event.meta.dirty) return
        for (const tab of this.tabs.state.tabs) {
          if (tab.kind === 'file' && tab.path === event.path) this.tabs.keep(tab.id)
        }
      }),
    )
    this.#owned.add(followAttention(this))
    this.#owned.add(attention.onCount(() => this.#titles.emit(this.title)))
  }

  /** Real paths of the folders. */
  get folders(): readonly string[] {
    return this.#folders
  }

  get workspace(): WorkspaceFolder[] {
    return nameFolders(this.#folders)
  }

  /** Branch of the first folder; null outside of git. */
  get branch(): string | null {
    return this.#branch
  }

  get openDocuments(): DocumentHolds['open'] {
    return this.holds.open
  }

  /** Starts what must stand before the first terminal: the servers and their discovery files. */
  async start(): Promise<void> {
    for (const text of this.parts.settingsProblems) this.notices.add({ kind: 'warning', text })
    const stored = this.parts.folderStates.read(this.#folders).tabs
    if (stored) this.tabs.restore(stored)
    // Files with text that was never saved come back by themselves.
    for (const path of this.parts.backups.paths) {
      if (this.#folders.some((folder) => isInside(folder, path)))
        this.tabs.openFile(path, { activate: false })
    }
    this.#owned.add(this.tabs.on(() => this.#keepTabs()))
    // No agent is told of anything before the rules are known.
    await this.context.start()
    await Promise.all([this.claudeIde.server.start(), this.gemini.server.start(), this.#followBranch()])
    this.#remember()
  }

  /**
   * Gives this window other folders; its servers' discovery files follow. What is open, its look and its switches stay
   * as they are: nothing may come to be shared because a folder was added. Only a window that had none of the person's
   * takes up what was kept for its first.
   */
  async setFolders(folders: readonly string[]): Promise<void> {
    const { folderStates } = this.parts
    const before = folderStates.read(this.#folders)
    const known = folderStates.read(folders)
    const begins = isUnused(this)
    if (this.#folders.length > 0) folderStates.update(this.#folders, { open: false })
    this.#folders = folders
    this.settings.update()
    if (begins && known.tabs) this.tabs.restore(known.tabs)
    folderStates.update(folders, {
      tabs: this.tabs.store(),
      layout: (begins ? (known.layout ?? before.layout) : before.layout) ?? known.layout,
      context: (begins ? (known.context ?? before.context) : before.context) ?? known.context,
      bounds: before.bounds ?? known.bounds,
      open: folders.length > 0,
    })
    await this.context.start()
    await this.#followBranch()
    this.claudeIde.server.follow(begins)
    this.gemini.server.follow(begins)
    this.#foldersChanged.emit()
    this.changes.update()
    this.#titles.emit(this.title)
  }

  /** The folders' names, for the frame's title bar, after the number of things that wait. */
  get title(): string {
    const waiting = this.attention.count > 0 ? `(${this.attention.count}) ` : ''
    const names = this.workspace.map(({ name }) => name).join(', ')
    return waiting + (names === '' ? 'Greenlight' : `${names} — Greenlight`)
  }

  /** The server that speaks a dialect, if this window has one. */
  serverOf(dialect: string): AgentServer | undefined {
    if (dialect === 'claude-ide') return this.claudeIde.server
    if (dialect === 'session-server') return this.parts.sessionServer
    return dialect === 'gemini-companion' ? this.gemini.server : undefined
  }

  /** A sentence for the person in this window. */
  warn(sentence: string): void {
    this.notices.add({ kind: 'warning', text: sentence })
  }

  /** What the frame's native menu shows of the page's commands. */
  get menus(): readonly Menu[] {
    return this.menu.menus
  }

  get onMenus(): Listen<void> {
    return this.menu.onMenus
  }

  /** Has the page run a command that was chosen in the menu. */
  runCommand(id: string): void {
    this.menu.run(id)
  }

  /** Asks the frame to bring this window to the front. */
  requestFocus(): void {
    this.#focusRequests.emit()
  }

  /** Serves a live page until the channel closes or the result is disposed of. */
  connect(channel: Channel): Disposable {
    const { log } = this.parts.options
    const handlers = joinHandlers(
      windowHandlers(this),
      fileHandlers(this),
      gitHandlers(this),
      documentHandlers(this),
      pieceHandlers(this),
      comparisonHandlers(this),
      tabHandlers(this),
      reviewHandlers(this),
      changeHandlers(this),
      terminalHandlers(this),
      connectionHandlers(this),
      contextHandlers(this),
      logHandlers(this),
      searchHandlers(this),
      sessionHandlers(this),
      settingsHandlers(this),
      menuHandlers(this),
      firstRunHandlers(this),
      noticeHandlers(this),
      attentionHandlers(this),
    )
    return serveRpc<Calls, Topics>(channel, {
      ...handlers,
      schemas: contract,
      report: (name, error) => log.error('page handler failed', { name, error }),
    })
  }

  /** What of this window listens now, for the ready line. */
  readiness(): WindowReadiness {
    const claudeIde = this.claudeIde.readiness()
    const gemini = this.gemini.readiness()
    return {
      workspace: [...this.#folders],
      ...(claudeIde ? { claudeIde } : {}),
      ...(gemini ? { gemini } : {}),
      ...this.parts.sessionServer.readiness(),
    }
  }

  /** Scrolls an open file to a place and selects it. */
  reveal(reveal: Reveal): void {
    this.#reveals.emit(reveal)
  }

  /** Has the page push what it has not sent of a file. */
  async flush(path: string): Promise<void> {
    if (this.tabs.findFile(path)) await this.pageFlush.ask()
  }

  /** Types a note into the prompt of the agent that asked. False where it has no terminal in this window. */
  typeNote(origin: Origin, note: string): boolean {
    const terminal = this.connections.find(origin.connection)?.terminal
    if (!terminal || !this.terminals.has(terminal)) return false
    if (origin.dialect === 'gemini-companion') this.gemini.typeNote(terminal, note)
    else this.claudeIde.typeNote(origin, terminal, note)
    return true
  }

  /** Ends the servers that agents connect to; open questions are withdrawn. Resolves when agents have been told. */
  stopServers(): Promise<void> {
    this.tour.leave()
    this.claudeIde.dispose()
    return this.gemini.server.stop()
  }

  /** Ends the window; its terminals' programs get so many milliseconds to end by themselves. */
  async close(graceMs = 1500): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.stopServers()
    await this.terminals.closeAll(graceMs)
    this.terminals.dispose()
    this.#headWatch?.dispose()
    this.#owned.dispose()
    this.#reveals.dispose()
    this.#foldersChanged.dispose()
    this.#branchChanged.dispose()
    this.#filesMoved.dispose()
    this.#focusRequests.dispose()
    this.#titles.dispose()
    this.holds.dispose()
    this.#onClosed(this)
  }

  /** The person has made, moved or removed files. */
  tellFilesMoved(): void {
    this.#filesMoved.emit()
  }

  /** Tokens that no log may show. */
  #secrets(): string[] {
    return [...this.claudeIde.server.secrets, ...this.gemini.server.secrets]
  }

  #keepTabs(): void {
    this.parts.folderStates.update(this.#folders, { tabs: this.tabs.store() })
  }

  #remember(): void {
    this.parts.folderStates.update(this.#folders, { open: this.#folders.length > 0 })
  }

  async #followBranch(): Promise<void> {
    this.#headWatch?.dispose()
    this.#headWatch = null
    const [first] = this.#folders
    const head = first === undefined ? null : await findHead(first)
    const look = async () => {
      const branch = head === null ? null : await readBranch(head)
      if (branch === this.#branch || this.#closed) return
      this.#branch = branch
      this.#branchChanged.emit()
    }
    if (head !== null) {
      const watch = await this.parts.watcher.watchFile(head, () => void look())
      if (this.#closed) watch.dispose()
      else this.#headWatch = watch
    }
    await look()
  }
}

/** A server of a window, as the switches and the check list use it. */
export interface AgentServer {
  switch(on: boolean): Promise<Done>
  rewriteFiles(): Promise<Done>
  checked(): CheckedServer
}

/** A place in an open file to be shown. */
export interface Reveal {
  path: string
  selection: { start: { line: number; character: number }; end: { line: number; character: number } } | null
  focus: boolean
}

/** What listens in a window: ports, and the files by which agents find them. */
export interface WindowReadiness {
  workspace: string[]
  claudeIde?: { port: number; lockFiles: string[] }
  gemini?: { port: number; discoveryFiles: string[] }
  sessions?: { url: string; tokenFile: string }
}
