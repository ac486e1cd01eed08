import type { ChangeSet } from '@codemirror/state'
import { dropOldest } from '../../../shared/drop-oldest'
import { disposable, DisposableStack, Emitter, type Disposable } from '../../../shared/lifetime'
import { fail, succeed, type Failure, type Result } from '../../../shared/result'
import { isWithin } from '../../../shared/text/path-name'
import { resolveRealPath } from '../files/real-path'
import type { TextEncoding } from '../../../shared/text/text-facts'
import type { Resolution, TextDocument } from './document'
import type { Unsaved } from './backup-file'
import type { DocumentEvent, DocumentState } from './document-state'
import { OpenFile, type OpenFileParts } from './open-file'
import type { Format } from './text-format'
import type { PushStatus, WireUpdate } from './versioned-text'

/** A hold on an open file. The file closes when its last hold is disposed of; its backup stays. */
export interface OpenDocument extends Disposable {
  readonly path: string
  state(): DocumentState
}

/** What documents need from the app. `flush` asks the page that shows a file to push what it hasn't sent yet. */
export interface DocumentsParts extends OpenFileParts {
  flush?: (path: string) => Promise<unknown>
}

/** Milliseconds a page has to push its newest text. */
const flushLimit = 100

/** For how many closed files the clients' counts are remembered. */
const mostRemembered = 500

interface Entry {
  readonly file: OpenFile
  readonly loaded: Promise<void>
  holds: number
}

/**
 * The host's texts of all open files, one per real path, for all windows. Pages mirror them and push what is typed; the
 * disk is watched, and a save only overwrites what was last read. Nothing unsaved is given up unless `revert` or
 * `resolve` says so.
 */
export class Documents implements Disposable {
  readonly #parts: DocumentsParts
  readonly #entries = new Map<string, Entry>()
  /** Paths that files were opened by, if not the real one, and their real paths. */
  readonly #aliases = new Map<string, string>()
  /** Names that files had before they were moved: pages that haven't heard of it still mean them. */
  readonly #oldNames = new Map<string, string>()
  readonly #events = new Emitter<DocumentEvent>()
  readonly on = this.#events.on
  /** Above any version a closed document had, so that versions of a path never repeat. */
  #nextVersion = 0
  /** What pages had pushed to files that are now closed: a lost link closes a file, and the page asks afterwards. */
  readonly #clients = new Map<string, ReadonlyMap<string, number>>()

  constructor(parts: DocumentsParts) {
    this.#parts = parts
  }

  /** Opens a file, or adds a hold if it is open. An unreadable file opens too, as `failed`, and is watched. */
  async open(path: string): Promise<OpenDocument> {
    // If it can't be resolved, reading it will report what is wrong.
    const real = await resolveRealPath(path).catch(() => path)
    if (real !== path) this.#aliases.set(path, real)
    const entry = this.#entries.get(real) ?? this.#load(real)
    entry.holds++
    const hold = disposable(() => this.#release(entry))
    try {
      await entry.loaded
    } catch (error) {
      hold.dispose()
      throw error
    }
    return { path: real, state: () => entry.file.state, dispose: () => hold.dispose() }
  }

  /** As `open`, for a file that may not exist yet: it is then an empty text, and the first save creates it. */
  async openNew(path: string): Promise<OpenDocument> {
    const open = await this.open(path)
    await this.#find(open.path)?.beginNew()
    return open
  }

  /** An open file's state, by its real path or a name it was opened by; undefined if it isn't open or loaded yet. */
  get(path: string): DocumentState | undefined {
    const file = this.#find(path)
    return file?.isLoaded ? file.state : undefined
  }

  /** Like `get`, for any path of the file. */
  async find(path: string): Promise<DocumentState | undefined> {
    return this.get(path) ?? this.get(await resolveRealPath(path).catch(() => path))
  }

  /** Real paths of all open files, in the order of opening. */
  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  /** Takes a page's updates. `gone`: the file isn't open as text. */
  push(path: string, version: number, updates: readonly WireUpdate[]): PushStatus | 'gone' {
    const found = this.#findText(path)
    return found ? found.file.change(found.text, () => found.text.push(version, updates)) : 'gone'
  }

  /** Everything since a version as one change, to map positions through. */
  changesSince(path: string, version: number): ChangeSet | undefined {
    return this.#findText(path)?.text.history.changesSince(version)
  }

  /** Makes a change of the host's own. False if it doesn't fit the text. */
  edit(path: string, changes: ChangeSet): boolean {
    const found = this.#findText(path)
    if (!found || changes.length !== found.text.text.length) return false
    found.file.change(found.text, () => found.text.apply('host', changes))
    return true
  }

  /** Asks the page for its newest text, and waits at most 100 ms for it. */
  async settle(path: string): Promise<void> {
    const asked = this.#parts.flush?.(this.#findForPage(path)?.path ?? path)
    if (!asked) return
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushLimit)))
    await Promise.race([asked.catch(() => undefined), limit])
    clearTimeout(timer)
  }

  /**
   * Writes the text if the disk still holds what was last read; otherwise the document is in conflict and the failure
   * is `changed`. Applies the project's .editorconfig rules for white space, and changes nothing else.
   */
  async save(path: string): Promise<Result<{ hash: string }, Failure>> {
    const found = this.#findText(path)
    return found ? found.file.save(found.text) : notOpen(path)
  }

  /** Ends a conflict. `conflicts`: how many places now hold both versions between markers. Writes nothing. */
  async resolve(path: string, how: Resolution): Promise<Result<{ conflicts: number }, Failure>> {
    const found = this.#findText(path)
    return found ? found.file.resolve(found.text, how) : notOpen(path)
  }

  /** Changes line endings or encoding from the next save on. */
  reformat(path: string, format: Format): Result<void, Failure> {
    const found = this.#findText(path)
    if (!found) return notOpen(path)
    found.file.reformat(found.text, format)
    return succeed(undefined)
  }

  /** Reads a file again in a chosen encoding. Refused while something is unsaved. */
  async reopen(path: string, encoding: TextEncoding): Promise<Result<void, Failure>> {
    // What was just typed counts as unsaved too.
    await this.settle(path)
    return (await this.#findForPage(path)?.reopen(encoding)) ?? notOpen(path)
  }

  /** Gives up unsaved text and returns to the disk's, or to the last text read if the file is gone. */
  async revert(path: string): Promise<Result<void, Failure>> {
    const found = this.#findText(path)
    if (!found) return notOpen(path)
    await found.file.revert(found.text)
    return succeed(undefined)
  }

  /** Looks at the disk now rather than when the watcher reports, for callers that know a file was just written. */
  async refresh(path: string): Promise<void> {
    await this.#find(path)?.refresh()
  }

  /**
   * Before files are moved: waits until pages have pushed what they have and writes have ended. Returns the unsaved
   * text of files below the path that aren't open, for `afterMove`.
   */
  async beforeMove(from: string): Promise<readonly Unsaved[]> {
    const isMoved = (path: string) => movedPath(path, from, from) !== null
    const open = [...this.#entries.values()].filter(({ file }) => isMoved(file.path))
    await Promise.all(
      open.map(async ({ file, loaded }) => {
        await loaded
        await this.settle(file.path)
        await file.idle()
      }),
    )
    const closed = this.#parts.backups.paths.filter((path) => isMoved(path) && !this.#entries.has(path))
    const unsaved = await Promise.all(closed.map((path) => this.#parts.backups.read(path)))
    return unsaved.filter((one) => one !== undefined)
  }

  /**
   * After files were moved on disk: continues open files at their new paths, with unsaved text and history; what pages
   * ask under the old names still arrives. The files stay open, and are found by their old names too, until the result
   * is disposed of: once the tabs have followed, another file may have such a name.
   */
  async afterMove(from: string, to: string, closed: readonly Unsaved[]): Promise<Disposable> {
    const { backups } = this.#parts
    const holds = new DisposableStack()
    const moved: { entry: Entry; old: string }[] = []
    for (const [old, entry] of this.#entries) {
      const path = movedPath(old, from, to)
      if (path === null) continue
      const names = [old, ...this.#aliases.keys()].filter((name) => this.#find(name) === entry.file)
      const next = this.#moveEntry(entry, path)
      moved.push({ entry: next, old })
      holds.add(disposable(() => this.#release(next)))
      holds.add(disposable(() => this.#leaveNames(names, path)))
    }
    for (const unsaved of closed) {
      const path = movedPath(unsaved.path, from, to)
      if (path !== null) backups.keep(path, () => ({ ...unsaved, path }))
    }
    await Promise.all(moved.map(({ entry }) => entry.loaded))
    // Under the new names first, so that the text is always under one of them.
    await backups.flush()
    for (const { entry, old } of moved) {
      if (entry.file.text?.dirty !== true || (await this.#isKept(entry.file.path))) backups.drop(old)
    }
    for (const { path } of closed) {
      if (await this.#isKept(movedPath(path, from, to) ?? path)) backups.drop(path)
    }
    return holds
  }

  dispose(): void {
    for (const { file } of this.#entries.values()) file.dispose()
    this.#entries.clear()
    this.#events.dispose()
  }

  /** Whether unsaved text is really on disk, so that an older backup can go: the disk may be full. */
  async #isKept(path: string): Promise<boolean> {
    return (await this.#parts.backups.read(path)) !== undefined
  }

  #find(path: string): OpenFile | undefined {
    return (this.#entries.get(path) ?? this.#entries.get(this.#aliases.get(path) ?? ''))?.file
  }

  #findForPage(path: string): OpenFile | undefined {
    return this.#find(path) ?? this.#entries.get(this.#oldNames.get(path) ?? '')?.file
  }

  #findText(path: string): { file: OpenFile; text: TextDocument } | undefined {
    const file = this.#findForPage(path)
    return file?.text && { file, text: file.text }
  }

  #load(real: string): Entry {
    const clients = this.#clients.get(real) ?? new Map<string, number>()
    this.#clients.delete(real)
    const tell = (event: DocumentEvent) => this.#events.emit(event)
    const file = new OpenFile(real, this.#parts, this.#nextVersion, clients, tell)
    const loaded = file.load().then(() => this.#events.emit({ kind: 'opened', path: real }))
    const entry = { file, loaded, holds: 0 }
    this.#entries.set(real, entry)
    return entry
  }

  /** Synchronous, so that no change of the text falls between the old file and the new one. */
  #moveEntry(entry: Entry, path: string): Entry {
    const tell = (event: DocumentEvent) => this.#events.emit(event)
    const { file } = entry
    const renamed = new OpenFile(path, this.#parts, file.nextVersion, file.clients, tell)
    const loaded = renamed.adopt(file).then(() => this.#events.emit({ kind: 'opened', path }))
    const next = { file: renamed, loaded, holds: 1 }
    this.#entries.delete(file.path)
    this.#entries.set(path, next)
    for (const names of [this.#aliases, this.#oldNames]) {
      for (const [name, real] of names) if (real === file.path) names.set(name, path)
    }
    this.#aliases.set(file.path, path)
    file.dispose()
    this.#events.emit({ kind: 'closed', path: file.path })
    return next
  }

  /** From now on only pages mean a moved file by the names that it had. */
  #leaveNames(names: readonly string[], path: string): void {
    for (const name of names) {
      if (this.#aliases.get(name) !== path) continue
      this.#aliases.delete(name)
      this.#oldNames.set(name, path)
    }
  }

  #release(entry: Entry): void {
    const { file } = entry
    if (--entry.holds > 0 || this.#entries.get(file.path) !== entry) return
    this.#entries.delete(file.path)
    for (const names of [this.#aliases, this.#oldNames]) {
      for (const [name, path] of names) if (path === file.path) names.delete(name)
    }
    file.dispose()
    this.#nextVersion = Math.max(this.#nextVersion, file.nextVersion)
    if (file.clients.size > 0) this.#clients.set(file.path, file.clients)
    dropOldest(this.#clients, mostRemembered)
    this.#events.emit({ kind: 'closed', path: file.path })
  }
}

/** A path's new place once `from` has become `to`; null if it isn't there or below. */
export function movedPath(path: string, from: string, to: string): string | null {
  return isWithin(from, path) ? to + path.slice(from.length) : null
}

function notOpen(path: string) {
  return fail('not-open', `${path} isn’t open as text. Open it first.`)
}
