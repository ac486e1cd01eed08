import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Disposable } from '../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../shared/result'
import { agents } from '../core/agents/agents'
import { AgentSearch } from '../core/agents/agent-search'
import { Profiles } from '../core/agents/profiles'
import { ApprovalRecord } from '../core/approvals/approval-record'
import { ApprovalRules } from '../core/approvals/approval-rules'
import { Approvals } from '../core/approvals/approvals'
import type { Changes } from '../core/changes/changes'
import { Checkpoints } from '../core/changes/checkpoints'
import { DrivenSessions } from '../core/conversation/driven-sessions'
import { UnsentMessages } from '../core/conversation/unsent-messages'
import { Backups } from '../core/editing/backups'
import { Documents } from '../core/editing/documents'
import { FileSwapper } from '../core/files/compare-and-swap'
import { Ledger } from '../core/files/ledger'
import { resolveRealPath } from '../core/files/real-path'
import { FileWatcher } from '../core/files/watcher'
import { readBaseEnvironment } from '../core/platform/environment-base'
import { findRipgrep } from '../core/platform/ripgrep'
import type { HandOverOwner } from '../core/platform/hand-over-server'
import { type Launchers, writeLaunchers } from '../core/platform/launchers'
import { lockDataDirectory } from '../core/platform/lock'
import { shellOfUser } from '../core/platform/shells'
import { ReviewDesk } from '../core/review/desk'
import { DraftElsewhere } from '../core/review/draft-elsewhere'
import { ReviewJournal } from '../core/review/journal'
import { FolderSettings } from '../core/settings/folder-settings'
import { FolderStates } from '../core/settings/folder-state'
import type { SettingsStore } from '../core/settings/settings-store'
import { shellFilesIn, writeShellFiles } from '../core/terminal/shell-integration'
import { FolderTrust } from '../core/trust/folder-trust'
import { FrameParser } from '../protocols/kit/frame-parser'
import type { AppBeginning, AppOptions, AppParts } from './app-parts'
import { mayStartIn } from './wiring/trusted-place'
import { dialects } from './dialects'
import { nameOfSet } from './folder-names'
import { WindowHost } from './window-host'
import { connectApprovalsToWindows } from './wiring/approvals-to-windows'
import { connectChangesToDesk } from './wiring/changes-to-desk'
import { connectDeskToWindows } from './wiring/desk-to-windows'
import { compareForCommand, editForCommand } from './wiring/files-for-commands'
import { isUnused } from './wiring/first-run'
import { runForCommand } from './wiring/runs'
import { History } from './wiring/history'
import { outsideStart } from './wiring/outside-start'
import { placeAmong } from './wiring/place-among-windows'
import { areOneTree } from './wiring/process-trees'

/** The end waits no longer than this for a last look at what agents have written, in milliseconds. */
const lastLook = 500
/** How long the terminals' programs have to end, in milliseconds, when the app ends. */
const terminalGrace = 1500

/** The app of one data directory. Owns everything; `shutdown` ends it within 3 s. */
export class App {
  readonly #parts: AppParts
  readonly #windows = new Set<WindowHost>()
  /** Those of runs, which no page ever shows. */
  readonly #unshown = new Set<WindowHost>()
  readonly #owned: Disposable[]
  #ending = false
  /** The folders of each window that was open when the app last ended, the latest first; none if the person wants none. */
  readonly lastOpen: readonly (readonly string[])[]
  readonly #openBefore: readonly (readonly string[])[]

  private constructor(parts: AppParts, owned: Disposable[]) {
    this.#parts = parts
    this.#owned = owned
    this.#openBefore = parts.folderStates.openFolders()
    const reopens = parts.options.settingsStore.get().windowsReopen
    // The tour is over with the app that it was taken in.
    const own = nameOfSet([parts.sampleFolder])
    this.lastOpen = reopens ? this.#openBefore.filter((folders) => nameOfSet(folders) !== own) : []
  }

  /** Takes the data directory into use. Fails as `in-use` where another process has it. */
  static async create(beginning: AppBeginning): Promise<Result<App>> {
    const locked = lockDataDirectory(beginning.dataDir)
    if (!locked.ok) return locked
    const { settingsStore: given } = beginning
    const options: AppOptions = {
      ...beginning,
      dialects: beginning.dialects ?? dialects,
      settingsStore: typeof given === 'function' ? given() : given,
    }
    const { log, dataDir } = options
    const env = options.env ?? process.env
    const home = env['HOME'] ?? homedir()
    const watcher = new FileWatcher()
    const swapper = new FileSwapper(join(dataDir, 'written-in-place'))
    const ledger = new Ledger()
    const elsewhere = new DraftElsewhere()
    const frames = new FrameParser()
    const backups = await Backups.open(join(dataDir, 'unsaved'))
    // The windows come after the rooms that ask for them.
    const late: { app: App | null; changes: Changes | null } = { app: null, changes: null }
    const windows = () => late.app?.windows() ?? []
    const warn = (sentence: string) => windows().forEach((window) => window.notices.warn(sentence))
    const documents = new Documents({
      watcher,
      swapper,
      ledger,
      backups,
      flush: (path) => Promise.all(windows().map((window) => window.flush(path))),
    })
    const baseEnvironment = readBaseEnvironment(env['SHELL'] || shellOfUser() || '/bin/sh', env)
    const desk = new ReviewDesk({
      journal: new ReviewJournal(dataDir, log),
      ledger,
      swapper,
      watch: (path, listener) => watcher.watchFile(path, listener),
      placeOf: (path, origin) => placeAmong(windows(), path, origin, home),
      typeNote: (origin, note) => windows().some((window) => window.typeNote(origin, note)),
      tell: (said) => windows().some((window) => window.tell(said)),
      startElsewhere: elsewhere.start,
      isOneTree: areOneTree,
      isAgents: (path, hash) => late.changes?.isAgents(path, hash) ?? false,
      ripgrep: () => baseEnvironment.then(findRipgrep),
    })
    const approvalRules = new ApprovalRules(dataDir)
    const approvalRecord = new ApprovalRecord(dataDir)
    const approvals = new Approvals(approvalRules, approvalRecord)
    const { changes, wired: changesWired } = connectChangesToDesk({
      directory: dataDir,
      desk,
      ledger,
      swapper,
      git: { env },
      windows,
      report: (error) => log.error('unasked changes fault', { error }),
    })
    late.changes = changes
    const checkpoints = new Checkpoints(dataDir, (error) => log.error('checkpoints fault', { error }))
    const personEnvironment = () => baseEnvironment
    const agentSearch = new AgentSearch()
    const profiles = new Profiles(
      agents,
      { settings: () => options.settingsStore.get(), environment: personEnvironment },
      agentSearch,
    )
    const launchers = launchersFor(options)
    const sampleFolder = join(await resolveRealPath(dataDir), 'sample-folder')
    const trust = new FolderTrust(dataDir, [sampleFolder])
    const drivenSessions = new DrivenSessions()
    const history = new History({
      dataDir,
      env,
      home,
      moveToTrash: (path) => options.abilities.trash(path),
      windows,
      isDriven: (id) => drivenSessions.running(id) !== undefined,
      mayResume: () => options.settingsStore.get().sessionsResume,
      mayStart: async (folder) =>
        mayStartIn(await resolveRealPath(folder), { mayRun: (path) => trust.mayRun(path), home }),
      ripgrep: () => baseEnvironment.then(findRipgrep),
    })
    const sharedDialects = options.dialects
      .filter((one) => one.scope === 'app')
      .map((facts) => ({
        facts,
        open: facts.open({
          ...{ dataDir, log, settingsStore: options.settingsStore, frames, history, windows },
          drivenSessions,
        }),
      }))
    const folderSettings = new FolderSettings(dataDir)
    const parts: AppParts = {
      options,
      env,
      home,
      watcher,
      documents,
      backups,
      desk,
      approvals,
      approvalRules,
      approvalRecord,
      ledger,
      changes,
      checkpoints,
      sampleFolder,
      trust,
      folderStates: new FolderStates(dataDir),
      folderSettings,
      settingsProblems: [
        ...options.settingsStore.problems,
        ...[folderSettings, trust, history, approvalRules, approvalRecord, changes.groups].flatMap(
          ({ problem }) => problem ?? [],
        ),
      ],
      frames,
      swapper,
      profiles,
      agentSearch,
      history,
      drivenSessions,
      unsentMessages: new UnsentMessages(dataDir),
      sharedDialects,
      windowDialects: options.dialects.filter((one) => one.scope === 'window'),
      launchers,
      personEnvironment,
    }
    const app = new App(parts, [
      connectDeskToWindows(desk, windows),
      connectApprovalsToWindows(approvals, windows, home),
      approvals,
      approvalRules,
      approvalRecord,
      trust,
      changesWired,
      changes,
      backups.onFailure(({ message }) => warn(message)),
      parts.folderStates.onProblem(warn),
      parts.unsentMessages.onProblem(warn),
      profiles,
      ...sharedDialects.map(({ open }) => open),
      history,
      options.settingsStore.onProblem((problem) => {
        if (problem === null) return
        warn(`settings.json holds as it was before: nothing of what it says now. ${problem}`)
      }),
      options.settingsStore.onChange((change) => {
        // Looking for programs is work; only these settings say which.
        if ('terminalShell' in change || 'terminalProfiles' in change) void profiles.refresh()
      }),
      frames,
      elsewhere,
      documents,
      backups,
      watcher,
      ...(launchers ? [launchers] : []),
      locked.value,
    ])
    late.app = app
    // Others may write settings.json too: an editor, also our own.
    const { path } = options.settingsStore
    if (path !== null) app.#owned.unshift(await watcher.watchFile(path, () => options.settingsStore.reload()))
    await Promise.all([desk.restore(), changes.prune(), ...sharedDialects.map(({ open }) => open.start())])
    return succeed(app)
  }

  /** Opens a window with folders, each of which must exist. A folder that is open already brings its window. */
  async openWindow(folders: readonly string[]): Promise<Result<WindowHost>> {
    const paths = await Promise.all(folders.map((folder) => resolveRealPath(folder)))
    const [first] = paths
    const present = first === undefined ? undefined : this.windowOf(first)
    if (present) {
      present.requestFocus()
      return succeed(present)
    }
    const window: WindowHost = new WindowHost(this.#parts, {
      folders: paths,
      choice: {
        open: (path) => this.#openFolder(path, window),
        add: (path) => this.#addFolder(path, window),
        remove: (path) => this.#removeFolder(path, window),
      },
      windows: () => this.windows(),
      onClosed: () => this.#forget(window),
    })
    this.#windows.add(window)
    await window.start()
    const { desk, backups } = this.#parts
    for (const sentence of [...desk.takeDamage(), ...backups.takeDamage()]) window.notices.warn(sentence)
    this.#parts.desk.placeAll()
    return succeed(window)
  }

  #forget(window: WindowHost): void {
    this.#windows.delete(window)
    this.#parts.desk.placeAll()
    // The last one is what the person comes back to.
    if (this.#ending || this.#windows.size === 0 || window.folders.paths.length === 0) return
    this.#parts.folderStates.update(window.folders.paths, { open: false })
  }

  /**
   * The windows of this start are open. Only now the last ones are forgotten: a start that fails midway must not lose
   * them.
   */
  begun(): void {
    const now = new Set(this.windows().map(({ folders }) => nameOfSet(folders.paths)))
    for (const folders of this.#openBefore) {
      if (!now.has(nameOfSet(folders))) this.#parts.folderStates.forgetOpen(folders)
    }
  }

  /** What commands in other processes ask for. */
  readonly commands: Omit<HandOverOwner, 'open'> = {
    edit: (request) => editForCommand(this.windows(), this.#parts.documents, request),
    compare: (request) => compareForCommand(this.windows(), request),
    outside: (request) => outsideStart(this.windows(), this.#parts.launchers?.front ?? null, request),
    run: (request, client) => {
      const { approvals, approvalRules, desk, trust, drivenSessions } = this.#parts
      return runForCommand(request, client, {
        ...{ approvals, rules: approvalRules, desk, trust },
        isWatched: () => this.windows().some((window) => window.isWatched),
        isTalkedWith: (session) => drivenSessions.running(session) !== undefined,
        open: (folder) => this.#openUnshown(folder),
      })
    },
  }

  /** A window for a run: its rooms without a page, servers or tabs that are kept. */
  #openUnshown(folder: string): WindowHost {
    const unshown = fail('unavailable', 'No page shows this.')
    const { options } = this.#parts
    // It calls nobody: what waits is in a window that is shown.
    const abilities = { ...options.abilities, notify: () => false, setWaiting: () => undefined }
    const parts = { ...this.#parts, options: { ...options, abilities } }
    const window: WindowHost = new WindowHost(parts, {
      folders: [folder],
      choice: {
        open: () => Promise.resolve(unshown),
        add: () => Promise.resolve(unshown),
        remove: () => Promise.resolve(unshown),
      },
      windows: () => this.windows(),
      onClosed: () => this.#unshown.delete(window),
    })
    this.#unshown.add(window)
    return window
  }

  /** What the person should know from the start, as sentences, where no window tells them. */
  takeProblems(): string[] {
    const { settingsProblems, desk, backups } = this.#parts
    return [...settingsProblems, ...desk.takeDamage(), ...backups.takeDamage()]
  }

  /** What is kept per set of folders. */
  get folderStates(): FolderStates {
    return this.#parts.folderStates
  }

  get settings(): SettingsStore {
    return this.#parts.options.settingsStore
  }

  windows(): WindowHost[] {
    return [...this.#windows]
  }

  /** The window that has a folder open; a real path. */
  windowOf(folder: string): WindowHost | undefined {
    return this.windows().find((window) => window.folders.paths.includes(folder))
  }

  /** Ends everything: agents first, then reviews, terminals, files. */
  async shutdown(): Promise<void> {
    this.#ending = true
    for (const { open } of this.#parts.sharedDialects) open.dispose()
    await Promise.all([...this.#windows].map((window) => window.stopServers()))
    // What agents wrote a moment ago comes to the desk, so that it is asked about after the next start.
    const looked = Promise.all([...this.#windows].map((window) => window.changes.flush())).catch(
      (error: unknown) => this.#parts.options.log.error('unasked changes fault', { error }),
    )
    await Promise.race([looked, new Promise((resolve) => setTimeout(resolve, lastLook).unref())])
    await this.#parts.desk.shutdown()
    await Promise.all([...this.#windows, ...this.#unshown].map((window) => window.close(terminalGrace)))
    const { approvalRecord, backups, changes, checkpoints, unsentMessages } = this.#parts
    await Promise.all(
      [backups, changes.groups, checkpoints, approvalRecord, unsentMessages].map((kept) => kept.flush()),
    )
    for (const item of this.#owned) item.dispose()
  }

  async #openFolder(path: string, from: WindowHost): Promise<Result<{ link: string | null }>> {
    const real = await resolveRealPath(path)
    const { abilities } = this.#parts.options
    const present = this.windowOf(real)
    if (present === from) return succeed({ link: null })
    if (present) return succeed({ link: abilities.focusWindow(present.id) })
    if (!isUnused(from.folders, this.#parts.sampleFolder))
      return succeed({ link: await abilities.openWindow([real]) })
    await this.#setFolders(from, [real])
    return succeed({ link: null })
  }

  async #addFolder(path: string, to: WindowHost): Promise<Done> {
    const real = await resolveRealPath(path)
    const present = this.windowOf(real)
    if (present === to) return fail('open-already', `${path} is already open in this window.`)
    if (present) {
      return fail('open-elsewhere', `${path} is open in another window. Use that window, or close it first.`)
    }
    return this.#setFolders(to, [...to.folders.paths, real])
  }

  async #removeFolder(path: string, from: WindowHost): Promise<Done> {
    if (!from.folders.paths.includes(path)) return fail('absent', `${path} is no longer open in this window.`)
    const rest = from.folders.paths.filter((folder) => folder !== path)
    return this.#setFolders(from, rest)
  }

  async #setFolders(window: WindowHost, folders: readonly string[]): Promise<Done> {
    await window.setFolders(folders)
    this.#parts.desk.placeAll()
    return succeed({})
  }
}

/** What terminals need for `greenlight` and EDITOR; null where it can't be written: they only lack a convenience. */
function launchersFor({ errandScript, dataDir, log, dialects }: AppOptions): Launchers | null {
  if (errandScript === undefined) return null
  const wrappers = dialects.flatMap(({ wrapper }) => wrapper ?? [])
  const written = writeLaunchers(dataDir, { node: process.execPath, script: errandScript }, wrappers)
  if (!written.ok) {
    log.warn('launchers not written', { failure: written.failure.message })
    return null
  }
  const shells = written.value.front === null ? null : writeShellFiles(shellFilesIn(dataDir))
  if (shells?.ok === false) log.warn('shell files not written', { failure: shells.failure.message })
  return written.value
}
