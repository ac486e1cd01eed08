import { randomUUID } from 'node:crypto'
import { contract, type Calls, type Topics } from '../../shared/contract/contract'
import type { Reveal } from '../../shared/contract/tabs'
import { nextConversationIn } from '../../shared/conversation/live-id'
import { type Disposable, DisposableStack, Emitter, disposable } from '../../shared/lifetime'
import type { Origin } from '../../shared/review/proposal'
import { type Channel, serveRpc } from '../../shared/rpc/rpc'
import type { WindowChanges } from '../core/changes/changes'
import { AgentProcesses } from '../core/agent-processes/agent-processes'
import { Connections } from '../core/connections/connections'
import { ProtocolLog } from '../core/connections/protocol-log'
import type { Context } from '../core/context/context'
import type { ConversationStarter } from '../core/conversation/conversation'
import { Conversations } from '../core/conversation/conversations'
import { FileWaits } from '../core/editing/file-waits'
import { Selections } from '../core/editing/selection'
import { Tabs } from '../core/editing/tabs'
import { FollowedBranch } from '../core/git/followed-branch'
import { GatePolicy } from '../core/gate/gate-policy'
import { GateRules } from '../core/gate/gate-rules'
import { GateStates } from '../core/gate/gate-states'
import { Attention } from '../core/notices/attention'
import { Notices } from '../core/notices/notices'
import type { SaidWords } from '../core/review/desk-events'
import { WindowSettings } from '../core/settings/window-settings'
import { Terminals } from '../core/terminal/terminals'
import type { Tour } from '../core/tour/tour'
import type { AppParts } from './app-parts'
import { ConnectionChecks } from './dialect-kit/connection-checks'
import type { AgentServer, OpenDialect, WindowDialect } from './dialect-kit/dialect'
import type { RunTurn } from './dialect-kit/turn'
import { DocumentHolds } from './document-holds'
import { approvalHandlers } from './page/approval-handlers'
import { attentionHandlers } from './page/attention-handlers'
import { changeHandlers } from './page/change-handlers'
import { comparisonHandlers } from './page/comparison-handlers'
import { connectionHandlers } from './page/connection-handlers'
import { contextHandlers } from './page/context-handlers'
import { conversationHandlers } from './page/conversation-handlers'
import { documentHandlers } from './page/document-handlers'
import { fileHandlers } from './page/file-handlers'
import { gateHandlers } from './page/gate-handlers'
import { gitHandlers } from './page/git-handlers'
import { logHandlers } from './page/log-handlers'
import { noticeHandlers } from './page/notice-handlers'
import { PageFlush } from './page/page-flush'
import { joinHandlers } from './page/page-handlers'
import { PageMenu, menuHandlers } from './page/page-menu'
import { pieceHandlers } from './page/piece-handlers'
import { recordHandlers } from './page/record-handlers'
import { reviewHandlers } from './page/review-handlers'
import { searchHandlers } from './page/search-handlers'
import { sessionHandlers } from './page/session-handlers'
import { settingsHandlers } from './page/settings-handlers'
import { tabHandlers } from './page/tab-handlers'
import { terminalHandlers } from './page/terminal-handlers'
import { trustHandlers } from './page/trust-handlers'
import { type FolderChoice, windowHandlers } from './page/window-handlers'
import { TextHandles } from './text-handles'
import { WindowFolders } from './window-folders'
import { type AskingWindow, type WindowApprovals, approvalsOfWindow } from './wiring/approvals-to-windows'
import { followAttention } from './wiring/attention-of-window'
import { changesSurroundings } from './wiring/changes-to-desk'
import { contextOf } from './wiring/context-of-window'
import { FileOperations, type FileWindow } from './wiring/file-operations'
import { firstRunHandlers, isUnused, tourOf } from './wiring/first-run'
import { bringConversationsBack, keptPage } from './wiring/kept-tabs'
import { tellLeftMessages } from './wiring/left-messages'
import { programsOfWindow } from './wiring/programs-of-window'
import { proposeReplacement } from './wiring/replace-to-desk'
import { Rewinding } from './wiring/rewinding'
import { WindowSearch } from './wiring/search-of-window'
import { terminalsSurroundings } from './wiring/terminals-to-agents'
import { ConversationResuming, type ConversationWindow } from './wiring/resume-as-conversation'
import { ReviewEndNotices } from './wiring/review-end-notices'

/** The ready line's members for a window: its folders, and what listens there by the names of the dialects. */
export type Readiness = { workspace: string[] } & Record<string, object>

/** What the app gives a window beside its parts. */
export interface WindowPlace {
  folders: readonly string[]
  /** What a person does with the folders of this window. */
  choice: FolderChoice
  /** All windows there are now, this one among them. */
  windows(): readonly (FileWindow & AskingWindow & ConversationWindow)[]
  onClosed(): void
}

/**
 * One window: a page with its folders, tabs and terminals, and the servers that agents in it find. Here its rooms are
 * made, in order, and ended in reverse; each is handed the few others that it works with.
 */
export class WindowHost {
  readonly id = randomUUID()
  readonly parts: AppParts
  readonly #place: WindowPlace
  readonly #owned = new DisposableStack()
  readonly folders: WindowFolders
  readonly tabs = this.#owned.add(new Tabs({ keptPage: (name) => keptPage(name, this.conversations) }))
  readonly #selections = this.#owned.add(new Selections())
  readonly waits = this.#owned.add(new FileWaits())
  readonly notices = this.#owned.add(new Notices())
  readonly endings = new ReviewEndNotices(this.notices)
  readonly attention = this.#owned.add(new Attention())
  readonly connections = this.#owned.add(new Connections())
  readonly #processes = this.#owned.add(new AgentProcesses())
  readonly #gate = this.#owned.add(new GatePolicy(() => this.#settings.get().reviewWhich))
  readonly #gated = this.#owned.add(new GateStates())
  readonly conversations: Conversations
  readonly #resuming: ConversationResuming
  readonly protocolLog = this.#owned.add(
    new ProtocolLog(() => this.dialects.flatMap(({ open }) => open.server?.secrets ?? [])),
  )
  readonly menu = this.#owned.add(new PageMenu())
  readonly #texts = new TextHandles()
  readonly #flush = new PageFlush()
  readonly reveals = this.#owned.add(new Emitter<Reveal>())
  readonly #focusRequests = this.#owned.add(new Emitter<void>())
  readonly #titles = this.#owned.add(new Emitter<string>())
  readonly #branch: FollowedBranch
  readonly #settings: WindowSettings
  readonly context: Context
  readonly holds: DocumentHolds
  readonly tour: Tour
  readonly dialects: readonly { facts: WindowDialect; open: OpenDialect }[]
  readonly #checks: ConnectionChecks
  readonly terminals: Terminals
  readonly changes: WindowChanges
  readonly rewinding: Rewinding
  readonly searching: WindowSearch
  readonly #files: FileOperations
  readonly #approvals: WindowApprovals
  /** Somebody wants the person to look at this window. */
  readonly onFocusRequest = this.#focusRequests.on
  /** The window's title has changed. */
  readonly onTitle = this.#titles.on
  #closed = false
  #pages = 0

  constructor(parts: AppParts, place: WindowPlace) {
    this.parts = parts
    this.#place = place
    const { options, documents, desk, approvals, watcher, folderStates, profiles, sampleFolder, home, env } =
      parts
    const { tabs, notices, connections, protocolLog, waits } = this
    const owned = this.#owned
    const { unsentMessages } = parts
    const next = () => nextConversationIn(this.folders.paths[0])
    this.conversations = owned.add(new Conversations(parts.drivenSessions, unsentMessages, next))
    this.#resuming = new ConversationResuming(this, () => place.windows(), parts.history)
    owned.add(tellLeftMessages(this.conversations, unsentMessages, this.notices))
    connections.setOrder(options.dialects.map(({ id }) => id))
    const selections = this.#selections
    const folders = (this.folders = owned.add(new WindowFolders(place.folders)))
    this.#branch = owned.add(new FollowedBranch((path, listener) => watcher.watchFile(path, listener)))
    const settings = (this.#settings = owned.add(
      new WindowSettings(options.settingsStore, parts.folderSettings, () => folders.paths[0]),
    ))
    const seeable = { tabs, selections, documents }
    const context = (this.context = owned.add(
      contextOf({ seeable, folders, settings, folderStates, watcher, home, env }),
    ))
    this.tour = owned.add(tourOf({ window: this.id, folders, tabs, desk, sampleFolder }))
    const holds = (this.holds = new DocumentHolds(documents, tabs, selections))
    const terminals = (this.terminals = new Terminals(
      terminalsSurroundings({
        window: this.id,
        folders,
        settings,
        profiles,
        launchers: parts.launchers,
        dialects: () => this.dialects.map(({ open }) => open),
        changes: () => this.changes,
        environment: () => parts.personEnvironment(),
        host: { home, dataDir: options.dataDir, version: options.version, log: options.log },
      }),
    ))
    const { checkpoints } = parts
    this.rewinding = new Rewinding({ checkpoints, documents, desk, tabs, notices })
    const machine = {
      home,
      env,
      version: options.version,
      dataDir: options.dataDir,
      log: options.log,
      frames: parts.frames,
      watcher,
      folderStates,
      programs: programsOfWindow({
        search: parts.agentSearch,
        environment: () => parts.personEnvironment(),
        changes: () => this.changes,
        version: options.version,
      }),
    }
    this.dialects = parts.windowDialects.map((facts) => ({
      facts,
      open: facts.open({
        machine,
        folders,
        settings,
        agents: { connections, protocolLog, terminals, notices },
        processes: this.#processes,
        conversations: this.conversations,
        editor: { tabs, selections, documents, holds, reveals: this.reveals },
        context,
        desk,
        approvals,
        gate: this.#gate,
        rules: new GateRules({
          rules: () => settings.get().reviewPathRules,
          folders: () => folders.paths,
          home,
        }),
        gated: this.#gated,
        ledger: parts.ledger,
        rewinding: this.rewinding,
        noted: () => parts.history.noted,
        isWatched: () => this.isWatched,
        openSession: (id) => parts.history.open(id),
        sessionFolder: (id) => parts.history.folderOf(id),
        mayRun: (folder) => parts.trust.mayRun(folder),
      }),
    }))
    this.#checks = new ConnectionChecks({ folders, connections, terminals, profiles, home }, [
      ...this.dialects.flatMap(({ facts, open: { server, checks: own } }) =>
        server ? [{ facts, server, own }] : [],
      ),
      ...parts.sharedDialects.map(({ facts, open }) => ({ facts, server: open })),
    ])
    owned.add(
      tabs.on((event) => {
        holds.follow(event)
        waits.follow((path) => tabs.findFile(path) !== undefined)
      }),
    )
    owned.add(
      terminals.onChange(() => this.dialects.forEach(({ open }) => open.connections?.matchTerminals())),
    )
    owned.add(terminals.onInterrupt((id) => this.dialects.forEach(({ open }) => open.interrupt?.(id))))
    this.changes = owned.add(
      parts.changes.follow(
        changesSurroundings({ terminals, connections, profiles }, { folders, settings, notices }),
      ),
    )
    this.searching = owned.add(
      new WindowSearch({
        ...{ folders, tabs, documents, settings, folderStates, home },
        environment: () => parts.personEnvironment(),
      }),
    )
    this.#files = owned.add(
      new FileOperations({
        ...{ folders, documents, backups: parts.backups, ledger: parts.ledger, desk },
        abilities: options.abilities,
        windows: () => place.windows(),
      }),
    )
    connections.onGone((connection) => approvals.endSession(connection))
    const windowApprovals = approvalsOfWindow(approvals, this.id, () => place.windows(), home)
    this.#approvals = windowApprovals
    owned.add(settings.onChange((change) => 'reviewUnasked' in change && this.changes.update()))
    owned.add(settings.onChange((change) => 'reviewWhich' in change && this.#gate.tell()))
    // A preview that is worked in stays, whatever is opened next.
    owned.add(
      documents.on((event) => {
        if (event.kind !== 'meta' || !event.meta.dirty) return
        for (const tab of tabs.state.tabs) {
          if (tab.kind === 'file' && tab.path === event.path) tabs.keep(tab.id)
        }
      }),
    )
    owned.add(
      followAttention(
        { desk, approvals: windowApprovals, changes: parts.changes, folders, terminals, tabs, waits },
        {
          window: this.id,
          attention: this.attention,
          notices,
          abilities: options.abilities,
          settings: options.settingsStore,
          requestFocus: () => this.requestFocus(),
        },
      ),
    )
    owned.add(this.attention.onCount(() => this.#titles.emit(this.title)))
  }

  /** What begins conversations that Greenlight drives. */
  get starters(): readonly ConversationStarter[] {
    return this.dialects.flatMap(({ open }) => open.starters ?? [])
  }

  /** Starts what must stand before the first terminal: the servers and their discovery files. */
  async start(): Promise<void> {
    const { settingsProblems, folderStates, backups, sharedDialects } = this.parts
    for (const text of settingsProblems) this.notices.warn(text)
    const stored = folderStates.read(this.folders.paths).tabs
    if (stored) this.tabs.restore(bringConversationsBack(stored, this.starters))
    // Files with text that was never saved come back by themselves.
    for (const path of backups.paths) {
      if (this.folders.hold(path)) this.tabs.openFile(path, { activate: false })
    }
    const keep = () => folderStates.update(this.folders.paths, { tabs: this.tabs.store() })
    this.#owned.add(this.tabs.on(keep))
    this.#owned.add(this.conversations.onRenewed(keep))
    // Agents learn nothing before the rules are known.
    await this.context.start()
    await Promise.all([
      ...this.dialects.flatMap(({ open }) => open.server?.start() ?? []),
      this.#branch.follow(this.folders.paths[0]),
    ])
    for (const { open } of sharedDialects) open.tell(this)
    folderStates.update(this.folders.paths, { open: this.folders.paths.length > 0 })
  }

  /**
   * Gives this window other folders; its servers' discovery files follow. What is open, its look and its switches stay
   * as they are: nothing may come to be shared because a folder was added. Only a window that had none of the person's
   * takes up what was kept for its first.
   */
  async setFolders(folders: readonly string[]): Promise<void> {
    const { folderStates, sampleFolder } = this.parts
    const before = folderStates.read(this.folders.paths)
    const known = folderStates.read(folders)
    const begins = isUnused(this.folders, sampleFolder)
    if (this.folders.paths.length > 0) folderStates.update(this.folders.paths, { open: false })
    this.folders.set(folders)
    this.#settings.update()
    if (begins && known.tabs) this.tabs.restore(bringConversationsBack(known.tabs, this.starters))
    folderStates.update(folders, {
      tabs: this.tabs.store(),
      layout: (begins ? (known.layout ?? before.layout) : before.layout) ?? known.layout,
      context: (begins ? (known.context ?? before.context) : before.context) ?? known.context,
      bounds: before.bounds ?? known.bounds,
      open: folders.length > 0,
    })
    await this.context.start()
    await this.#branch.follow(folders[0])
    for (const { open } of this.dialects) open.server?.follow(begins)
    this.folders.tell()
    this.changes.update()
    this.#titles.emit(this.title)
  }

  /** The folders' names, for the frame's title bar, after the number of things that wait. */
  get title(): string {
    const { count } = this.attention
    const waiting = count > 0 ? `(${count}) ` : ''
    const names = this.folders.named.map(({ name }) => name).join(', ')
    return waiting + (names === '' ? 'Greenlight' : `${names} — Greenlight`)
  }

  /** Asks the frame to bring this window to the front. */
  requestFocus(): void {
    this.#focusRequests.emit()
  }

  /** Serves a live page until the channel closes or the result is disposed of. */
  connect(channel: Channel): Disposable {
    const {
      options,
      documents,
      desk,
      approvalRules,
      approvalRecord,
      ledger,
      swapper,
      watcher,
      folderStates,
      trust,
      profiles,
      history,
      drivenSessions,
      changes,
      sampleFolder,
      unsentMessages,
      home,
      env,
    } = this.parts
    const { log, settingsStore, dataDir } = options
    const { folders, tabs, waits, notices, endings, connections, protocolLog, terminals, holds } = this
    const { choice } = this.#place
    const settings = this.#settings
    const context = this.context
    const texts = this.#texts
    const branch = this.#branch
    const searching = this.searching
    const handlers = joinHandlers(
      windowHandlers({
        folders,
        branch,
        texts,
        folderStates,
        trust,
        choice,
        frame: options,
        home,
        sampleFolder,
      }),
      trustHandlers(trust, folders),
      fileHandlers({ operations: this.#files, folders, settings, watcher }),
      gitHandlers({
        ...{ folders, watcher, documents, desk, env },
        onFilesMoved: this.#files.onMoved,
        report: (error) => log.error('git status fault', { error }),
      }),
      documentHandlers({
        documents,
        texts,
        report: (error) => log.error('document fault', { error }),
      }),
      pieceHandlers(tabs),
      comparisonHandlers({ writes: desk.writes, documents, texts, branch }),
      tabHandlers(
        { tabs, folders, documents, waits, history, conversations: this.conversations },
        {
          ...{ holds, selections: this.#selections, context, desk },
          reveals: this.reveals,
          flush: this.#flush,
          mention: (mention, connection) =>
            this.dialects.reduce((told, { open }) => told + (open.mention?.(mention, connection) ?? 0), 0),
        },
      ),
      reviewHandlers({ desk, window: this.id, folders, endings, texts, ledger, home }),
      recordHandlers({ desk, folders, home }),
      approvalHandlers({ approvals: this.#approvals, rules: approvalRules, record: approvalRecord, tabs }),
      changeHandlers({ changes, folders, home }),
      terminalHandlers({ terminals, profiles }),
      connectionHandlers({
        connections,
        serverOf: (dialect) => this.serverOf(dialect),
        checks: this.#checks,
      }),
      gateHandlers({ policy: this.#gate, states: this.#gated }),
      contextHandlers({ context, settings, folders, home }),
      logHandlers({ protocolLog, tabs, dataDir }),
      searchHandlers({
        searching,
        replace: (replacement) => proposeReplacement({ searching, documents, desk, tabs }, replacement),
      }),
      conversationHandlers({
        ...{ conversations: this.conversations, unsent: unsentMessages, history, window: this },
        starters: () => this.starters,
        resuming: this.#resuming,
      }),
      sessionHandlers({ history, drivenSessions, window: this, files: { swapper, ledger } }),
      settingsHandlers({ settings, settingsStore, folders, tabs, notices }),
      menuHandlers(this.menu),
      firstRunHandlers({
        ...{ tour: this.tour, folders, choice, sampleFolder },
        environment: () => this.parts.personEnvironment(),
        isSampleOpen: () =>
          this.#place.windows().some((window) => window.folders.paths.includes(sampleFolder)),
      }),
      noticeHandlers(notices),
      attentionHandlers(this.attention),
    )
    const served = serveRpc<Calls, Topics>(channel, {
      ...handlers,
      schemas: contract,
      report: (name, error) => log.error('page handler failed', { name, error }),
    })
    this.#pages += 1
    const gone = disposable(() => (this.#pages -= 1))
    channel.onClose(() => gone.dispose())
    return disposable(() => {
      served.dispose()
      gone.dispose()
    })
  }

  /** Whether a page shows this window now. */
  get isWatched(): boolean {
    return this.#pages > 0
  }

  /** Runs one turn for a command; null if no dialect can. */
  get runTurn(): RunTurn | null {
    return this.dialects.find(({ open }) => open.runTurn)?.open.runTurn ?? null
  }

  readiness(): Readiness {
    const listening = [
      ...this.dialects.map(({ facts, open }) => [facts.readyAs, open.readiness()] as const),
      ...this.parts.sharedDialects.map(({ facts, open }) => [facts.readyAs, open.readiness()] as const),
    ]
    return {
      workspace: [...this.folders.paths],
      ...Object.fromEntries(listening.filter(([, ready]) => ready !== null)),
    }
  }

  /** The server that speaks a dialect, if there is one. */
  serverOf(dialect: string): AgentServer | undefined {
    return (
      this.dialects.find(({ facts }) => facts.id === dialect)?.open.server ??
      this.parts.sharedDialects.find(({ facts }) => facts.id === dialect)?.open
    )
  }

  /** Has the page push what it has not sent yet of a file. */
  async flush(path: string): Promise<void> {
    if (this.tabs.findFile(path)) await this.#flush.ask()
  }

  /** Types a note into the prompt of the agent that asked. False if it has no terminal in this window. */
  typeNote(origin: Origin, note: string): boolean {
    const terminal = this.connections.find(origin.connection)?.terminal
    if (!terminal || !this.terminals.get(terminal)) return false
    const dialect = this.dialects.find(({ facts }) => facts.id === origin.dialect)
    dialect?.open.typeNote?.(origin, terminal, note)
    return dialect !== undefined
  }

  /** Has the model told what was said with a decision. False if no dialect can. */
  tell(said: SaidWords): boolean {
    const { origin, path, words } = said
    const otherwise = () => {
      if (!this.typeNote(origin, words))
        this.notices.warn(`${origin.agent} wasn’t told what you said about ${path}: “${words}”`)
    }
    return this.dialects.some(({ open }) => open.tell?.(said, otherwise) === true)
  }

  /** Ends the servers that agents connect to; open questions are withdrawn. Resolves when agents have been told. */
  async stopServers(): Promise<void> {
    this.tour.leave()
    await Promise.all(this.dialects.flatMap(({ open }) => open.server?.stop() ?? []))
  }

  /** Ends the window; its terminals' programs get `graceMs` to end by themselves. */
  async close(graceMs = 1500): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.stopServers()
    await Promise.all([this.terminals.closeAll(graceMs), this.#processes.end(graceMs)])
    this.terminals.dispose()
    this.#owned.dispose()
    this.holds.dispose()
    this.#place.onClosed()
  }
}
