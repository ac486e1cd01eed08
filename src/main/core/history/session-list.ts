import { join } from 'node:path'
import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import { listDirectory } from '../files/list-directory'
import type { FileWatcher } from '../files/watcher'
import type { TrashAnswer } from '../platform/trash'
import type { RunningSessions } from './running-sessions'
import { exists, type FileStamp, isSameFile, stampOf } from './file-stamp'
import { makeEntry, type SessionEntry } from './session-entry'
import type { SessionFigures } from './figure-count'
import type { SessionNames } from './session-names'
import { companionFolder, isSessionId, projectsFolder, sessionAt, type SessionPlace } from './session-places'
import { summariseSession, type SessionSummary } from './session-summary'

/** What has changed in the list. */
export interface SessionListChange {
  changed: SessionEntry[]
  gone: string[]
}

export interface SessionListOptions {
  /** CLAUDE_CONFIG_DIR, or ~/.claude. */
  configFolder: string
  /** For this list only: its interval (30 s) is how often a file is checked if the system gives no notice. */
  watcher: Pick<FileWatcher, 'watchFile' | 'watchDirectory'>
  names: SessionNames
  running: RunningSessions
  moveToTrash(path: string): Promise<TrashAnswer>
  now?(): number
}

/** The shortest time between two reads of one file, in milliseconds. */
const spacing = 1000
/** Changes within this time are told together, in milliseconds. */
const gathering = 50
/** How often a session is checked again that counts as working only by its last line, in milliseconds. */
const sweep = 30_000
/** How many files are read in parallel. */
const readers = 4
interface Known {
  place: SessionPlace
  folder: string
  stamp: FileStamp
  summary: SessionSummary | null
  figures: SessionFigures | null
  entry: SessionEntry | null
  watched: Disposable | null
  readAt: number
  timer: NodeJS.Timeout | undefined
}

/**
 * All sessions of all projects, kept up to date by watching, without reading whole files: only the beginning and end of
 * each, again when it has changed. The newest are read first.
 */
export class SessionList implements Disposable {
  readonly #options: SessionListOptions
  readonly #projects: string
  readonly #known = new Map<string, Known>()
  readonly #folders = new Map<string, Disposable>()
  readonly #changes = new Emitter<SessionListChange>()
  /** Tells what has changed, gathered for a moment. */
  readonly onChange: Listen<SessionListChange> = this.#changes.on
  readonly #owned = new DisposableStack()
  readonly #waiting = new Set<Known>()
  readonly #reading = new Set<Promise<void>>()
  #sweep: NodeJS.Timeout | undefined
  /** Those found during the first look; they are watched after it. */
  #unwatched: Known[] | null = []
  #changed = new Set<string>()
  #gone = new Set<string>()
  #telling: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor(options: SessionListOptions) {
    this.#options = options
    this.#projects = projectsFolder(options.configFolder)
    this.#owned.add(options.running.onChange(() => this.#renewAll()))
  }

  /** Finds all sessions and begins to watch. Settles when all have been looked at; what is found is told meanwhile. */
  async start(): Promise<void> {
    const { watcher } = this.#options
    this.#owned.add(await watcher.watchDirectory(this.#projects, () => void this.#findFolders()))
    this.#sweep = setInterval(() => this.#renewAll(), sweep).unref()
    await this.#findFolders()
    // Setting up the watches takes as long as looking, and nobody waits for it.
    const unwatched = this.#unwatched ?? []
    this.#unwatched = null
    for (const known of unwatched) if (this.#known.get(known.place.id) === known) void this.#watch(known)
    await Promise.all(this.#reading)
  }

  /** What is known now, the latest first. Sessions in which nothing was said are left out. */
  get entries(): SessionEntry[] {
    return [...this.#known.values()].flatMap(({ entry }) => entry ?? []).sort((a, b) => b.lastAt - a.lastAt)
  }

  /** One session; null if none has this id. */
  get(id: string): SessionEntry | null {
    return this.#known.get(id)?.entry ?? null
  }

  /** Where a session's file is. The id is checked. Finds even a new session that is not in the list yet. */
  async find(id: string): Promise<SessionPlace | null> {
    if (!isSessionId(id)) return null
    const known = this.#known.get(id)
    if (known) return known.place
    await this.#findFolders()
    return this.#known.get(id)?.place ?? null
  }

  /** A session's file, as last looked at; null if there is none with this id. */
  fileOf(id: string): (SessionPlace & { stamp: FileStamp }) | null {
    const known = this.#known.get(id)
    return known ? { ...known.place, stamp: known.stamp } : null
  }

  setFigures(id: string, figures: SessionFigures): void {
    const known = this.#known.get(id)
    if (!known) return
    known.figures = figures
    this.#renew(known)
  }

  /** Renames a session, in this app only; an empty name restores its own. */
  async rename(id: string, title: string): Promise<Done> {
    const known = this.#known.get(id)
    if (!known) return noSession
    const done = await this.#options.names.rename(id, title)
    if (done.ok) this.#renew(known)
    return done
  }

  async hide(id: string, hidden: boolean): Promise<Done> {
    const known = this.#known.get(id)
    if (!known) return noSession
    const done = await this.#options.names.hide(id, hidden)
    if (done.ok) this.#renew(known)
    return done
  }

  /** Moves a session and everything that belongs to it to the trash. Refused while a command line is in it. */
  async moveToTrash(id: string): Promise<Done> {
    const known = this.#known.get(id)
    if (!known) return noSession
    await this.#options.running.settled()
    if (this.#options.running.of(id)) {
      return fail('running', 'This session is open in a terminal. End it there, then delete it.')
    }
    const answer = await this.#options.moveToTrash(known.place.path)
    if (answer !== null) return fail('failed', `The session wasn’t deleted: ${answer}.`)
    this.#forget(id)
    const folder = companionFolder(known.place)
    const rest = (await exists(folder)) ? await this.#options.moveToTrash(folder) : null
    await this.#options.names.forget(id)
    if (rest === null) return succeed({})
    return fail(
      'failed',
      `The session was moved to the trash, but not ${folder}: ${rest}. Remove that folder yourself.`,
    )
  }

  dispose(): void {
    this.#isDisposed = true
    this.#owned.dispose()
    clearTimeout(this.#telling)
    clearInterval(this.#sweep)
    for (const folder of this.#folders.values()) folder.dispose()
    for (const { watched, timer } of this.#known.values()) {
      watched?.dispose()
      clearTimeout(timer)
    }
    this.#waiting.clear()
    this.#changes.dispose()
  }

  async #findFolders(): Promise<void> {
    const listed = await listDirectory(this.#projects)
    const names = listed.ok ? listed.value.entries.filter((entry) => entry.kind === 'folder') : []
    const paths = new Set(names.map((entry) => join(this.#projects, entry.name)))
    for (const [path, watched] of this.#folders) {
      if (paths.has(path)) continue
      watched.dispose()
      this.#folders.delete(path)
      await this.#findFiles(path)
    }
    for (const path of paths) {
      if (!this.#folders.has(path)) {
        const watched = await this.#options.watcher.watchDirectory(path, () => void this.#findFiles(path))
        if (this.#isDisposed) return watched.dispose()
        if (this.#folders.has(path)) watched.dispose()
        else this.#folders.set(path, watched)
      }
      await this.#findFiles(path)
    }
  }

  async #findFiles(folder: string): Promise<void> {
    const listed = await listDirectory(folder)
    const entries = listed.ok ? listed.value.entries : []
    const places = entries.flatMap((entry) => sessionAt(join(folder, entry.name)) ?? [])
    const paths = new Set(places.map(({ path }) => path))
    for (const [id, known] of this.#known)
      if (known.folder === folder && !paths.has(known.place.path)) this.#forget(id)
    await Promise.all(places.map((place) => this.#look(place, folder)))
  }

  /** Looks at one file, and requests a read if it is new or another one. */
  async #look(place: SessionPlace, folder: string): Promise<void> {
    const stamp = await stampOf(place.path)
    if (this.#isDisposed) return
    let known = this.#known.get(place.id)
    // The same session in two folders: the one written last counts.
    if (known && known.place.path !== place.path && stamp && stamp.changedAt < known.stamp.changedAt) return
    if (!stamp) {
      if (known?.place.path === place.path) this.#forget(place.id)
      return
    }
    if (known && known.place.path !== place.path) this.#forget(place.id)
    known = this.#known.get(place.id)
    if (known && isSameFile(known.stamp, stamp) && known.summary) return
    if (known) known.stamp = stamp
    else known = this.#add(place, folder, stamp)
    this.#want(known)
  }

  #add(place: SessionPlace, folder: string, stamp: FileStamp): Known {
    const known: Known = {
      ...{ place, folder, stamp, summary: null, figures: null },
      ...{ entry: null, watched: null, readAt: 0, timer: undefined },
    }
    this.#known.set(place.id, known)
    if (this.#unwatched) this.#unwatched.push(known)
    else void this.#watch(known)
    return known
  }

  async #watch(known: Known): Promise<void> {
    const { place, folder } = known
    const watched = await this.#options.watcher.watchFile(place.path, () => void this.#look(place, folder))
    if (this.#isDisposed || this.#known.get(place.id) !== known) return watched.dispose()
    known.watched = watched
    // For changes before it was watched.
    await this.#look(place, folder)
  }

  /** Requests a read of a file: now, or once `spacing` has passed since the last. */
  #want(known: Known): void {
    if (known.timer || this.#isDisposed) return
    const rest = known.readAt + spacing - performance.now()
    if (known.readAt > 0 && rest > 0) {
      known.timer = setTimeout(() => {
        known.timer = undefined
        this.#want(known)
      }, rest).unref()
      return
    }
    this.#waiting.add(known)
    if (this.#reading.size >= readers) return
    const reading = this.#readWaiting().finally(() => this.#reading.delete(reading))
    this.#reading.add(reading)
  }

  async #readWaiting(): Promise<void> {
    for (let known = this.#nextWaiting(); known; known = this.#nextWaiting()) {
      this.#waiting.delete(known)
      known.readAt = performance.now()
      const read = await summariseSession(known.place.path)
      if (this.#known.get(known.place.id) !== known) continue
      if (read.ok) known.summary = read.value
      this.#renew(known)
    }
  }

  #nextWaiting(): Known | null {
    let newest: Known | null = null
    for (const known of this.#waiting) {
      if (!newest || known.stamp.changedAt > newest.stamp.changedAt) newest = known
    }
    return newest
  }

  #renewAll(): void {
    for (const known of this.#known.values()) this.#renew(known)
  }

  #renew(known: Known): void {
    const { id } = known.place
    const { running, names, now = Date.now } = this.#options
    const entry = makeEntry({ ...known, running: running.of(id), own: names.of(id), now: now() })
    if (known.entry === null ? entry === null : JSON.stringify(entry) === JSON.stringify(known.entry)) return
    if (!entry && known.entry) this.#gone.add(id)
    known.entry = entry
    if (entry) {
      this.#changed.add(id)
      this.#gone.delete(id)
    }
    this.#tellSoon()
  }

  #forget(id: string): void {
    const known = this.#known.get(id)
    if (!known) return
    known.watched?.dispose()
    clearTimeout(known.timer)
    this.#known.delete(id)
    this.#waiting.delete(known)
    if (!known.entry) return
    this.#changed.delete(id)
    this.#gone.add(id)
    this.#tellSoon()
  }

  #tellSoon(): void {
    if (this.#isDisposed) return
    this.#telling ??= setTimeout(() => this.#tell(), gathering).unref()
  }

  #tell(): void {
    clearTimeout(this.#telling)
    this.#telling = undefined
    const changed = [...this.#changed].flatMap((id) => this.get(id) ?? [])
    const gone = [...this.#gone]
    if (changed.length + gone.length === 0) return
    this.#changed = new Set()
    this.#gone = new Set()
    this.#changes.emit({ changed, gone })
  }
}

const noSession = fail('unknown-session', 'This session no longer exists. Check the list.')
