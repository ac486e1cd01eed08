import type { ChangeSet } from '@codemirror/state'
import { disposable, Emitter, type Disposable } from '../../../shared/lifetime'
import { fail, succeed, type Result } from '../../../shared/result'
import type { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import type { Ledger } from '../files/ledger'
import { readFile } from '../files/read-file'
import { resolveRealPath } from '../files/real-path'
import type { FileWatcher } from '../files/watcher'
import type { Backups, Unsaved } from './backups'
import { TextDocument, type DiskText, type Resolution } from './document'
import {
  conflictSentence,
  diskTextOf,
  metaOf,
  withoutText,
  type DocumentMeta,
  type DocumentState,
} from './document-state'
import type { PushStatus, WireUpdate } from './versioned-text'

/**
 * What happens to open files, by real path. `updates` lead on from `version`. `state`: the file became something else
 * (text, binary, unreadable), or its history was lost; take it anew. `saved` follows every write to the disk.
 */
export type DocumentEvent =
  | { kind: 'updates'; path: string; version: number; updates: WireUpdate[] }
  | { kind: 'meta'; path: string; meta: DocumentMeta }
  | { kind: 'state'; path: string; state: DocumentState }
  | { kind: 'saved'; path: string; hash: string }
  | { kind: 'opened'; path: string }
  | { kind: 'closed'; path: string }

/** One user's hold on an open file. The file closes when the last hold is disposed of; unsaved text stays kept. */
export interface OpenDocument extends Disposable {
  readonly path: string
  state(): DocumentState
}

/** What documents need of the house. `flush` asks the page that shows a file to push what it has not sent yet. */
export interface DocumentsParts {
  watcher: FileWatcher
  swapper: FileSwapper
  ledger: Ledger
  backups: Backups
  maxBytes?: number
  flush?: (path: string) => Promise<unknown>
}

/** A page gets so long to push its newest text, in milliseconds. */
const flushLimit = 100

/** One open file, whatever it holds. */
interface Entry {
  readonly path: string
  content: TextDocument | Exclude<DocumentState, { kind: 'text' }> | undefined
  holds: number
  ready: Promise<void>
  watch: Disposable | undefined
  /** Reads and writes of the file, one after another. */
  work: Promise<unknown>
  toldMeta: string
}

/**
 * The host's texts of all open files, one for each real path and for all windows. Pages mirror them and push what is
 * typed; the disk is watched, and a save writes only over what was last read. Nothing unsaved is ever given up
 * unless `revert` or `resolve` says so.
 */
export class Documents implements Disposable {
  readonly #parts: DocumentsParts
  readonly #entries = new Map<string, Entry>()
  /** Names under which files were opened, where they are not the real path. */
  readonly #aliases = new Map<string, string>()
  readonly #events = new Emitter<DocumentEvent>()
  readonly on = this.#events.on
  /** Above any version that a document has had, so that no two lives of a path share one. */
  #nextVersion = 0

  constructor(parts: DocumentsParts) {
    this.#parts = parts
  }

  /** Opens a file, or holds one that is open. A file that cannot be read is open too, as `failed`, and watched. */
  async open(path: string): Promise<OpenDocument> {
    const real = await realPathOf(path)
    if (real !== path) this.#aliases.set(path, real)
    let entry = this.#entries.get(real)
    if (!entry) {
      entry = {
        path: real,
        content: undefined,
        holds: 0,
        ready: Promise.resolve(),
        watch: undefined,
        work: Promise.resolve(),
        toldMeta: '',
      }
      this.#entries.set(real, entry)
      entry.ready = this.#load(entry)
    }
    const held = entry
    held.holds++
    await held.ready
    return {
      path: real,
      state: () => this.#stateOf(held),
      dispose: disposable(() => this.#release(held)).dispose,
    }
  }

  /** The state of an open file by its real path or a name it was opened by; undefined when it is not open. */
  get(path: string): DocumentState | undefined {
    const entry = this.#find(path)
    return entry?.content && this.#stateOf(entry)
  }

  /** Like `get`, for any path of the file. */
  async find(path: string): Promise<DocumentState | undefined> {
    return this.get(path) ?? this.get(await realPathOf(path))
  }

  /** The real paths of all open files, in the order of opening. */
  get paths(): string[] {
    return [...this.#entries.keys()]
  }

  /** Takes a page's updates. `gone`: the file is not open as a text. */
  push(path: string, version: number, updates: readonly WireUpdate[]): PushStatus | 'gone' {
    const entry = this.#find(path)
    if (!(entry?.content instanceof TextDocument)) return 'gone'
    const content = entry.content
    return this.#change(entry, content, () => content.push(version, updates))
  }

  /** The updates after a version, or undefined when the page has to take the text anew. */
  updatesSince(path: string, version: number): WireUpdate[] | undefined {
    const content = this.#find(path)?.content
    const updates = content instanceof TextDocument ? content.history.since(version) : undefined
    return updates?.map(({ clientID, changes }) => ({ clientID, changes: changes.toJSON() as unknown }))
  }

  /** All that has happened since a version, as one change: positions of that version are mapped through it. */
  changesSince(path: string, version: number): ChangeSet | undefined {
    const content = this.#find(path)?.content
    return content instanceof TextDocument ? content.history.changesSince(version) : undefined
  }

  /** Changes the text for the host's own reasons. False when the changes do not fit it. */
  edit(path: string, changes: ChangeSet): boolean {
    const entry = this.#find(path)
    if (!(entry?.content instanceof TextDocument)) return false
    const content = entry.content
    if (changes.length !== content.text.length) return false
    this.#change(entry, content, () => content.apply('host', changes))
    return true
  }

  /** Asks the page for its newest text, for at most 100 ms. Without an answer the host's text is the best there is. */
  async settle(path: string): Promise<void> {
    const asked = this.#parts.flush?.(this.#find(path)?.path ?? path)
    if (!asked) return
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushLimit)))
    await Promise.race([asked.catch(() => undefined), limit])
    clearTimeout(timer)
  }

  /**
   * Writes the text, if the disk still holds what was last read; else the document comes into conflict and the
   * failure `changed` says so. Trims and adds nothing.
   */
  async save(path: string): Promise<Result<{ hash: string }, { code: string; message: string }>> {
    const entry = this.#find(path)
    if (!(entry?.content instanceof TextDocument)) return fail('not-open', `${path} is not open as a text.`)
    const content = entry.content
    return this.#inOrder(entry, () => this.#write(entry, content))
  }

  /** Ends a conflict. `conflicts`: so many places now hold both versions between markers. Nothing is written yet. */
  async resolve(
    path: string,
    how: Resolution,
  ): Promise<Result<{ conflicts: number }, { code: string; message: string }>> {
    const entry = this.#find(path)
    if (!(entry?.content instanceof TextDocument)) return fail('not-open', `${path} is not open as a text.`)
    const content = entry.content
    return this.#inOrder(entry, async () => {
      // What is on the disk at this moment, not at the time of the question.
      await this.#reconcile(entry)
      if (entry.content !== content) return succeed({ conflicts: 0 })
      if (how !== 'keep-mine' && content.state === 'deleted') {
        return fail('absent', `${path} is no longer on disk. Save it to make it again, or close it.`)
      }
      return succeed({ conflicts: this.#change(entry, content, () => content.resolve(how)) })
    })
  }

  /** Gives up unsaved text: the disk's text again, or, where the file is gone, the last that was read from it. */
  async revert(path: string): Promise<Result<void, { code: string; message: string }>> {
    const entry = this.#find(path)
    if (!(entry?.content instanceof TextDocument)) return fail('not-open', `${path} is not open as a text.`)
    const content = entry.content
    return this.#inOrder(entry, async () => {
      await this.#reconcile(entry)
      if (entry.content === content) this.#change(entry, content, () => content.resolve('take-disk'))
      return succeed(undefined)
    })
  }

  /** Looks at the disk now instead of when the watcher says so; for who knows that a file was just written. */
  async refresh(path: string): Promise<void> {
    const entry = this.#find(path)
    if (entry) await this.#inOrder(entry, () => this.#reconcile(entry))
  }

  dispose(): void {
    for (const entry of this.#entries.values()) entry.watch?.dispose()
    this.#entries.clear()
    this.#events.dispose()
  }

  #find(path: string): Entry | undefined {
    return this.#entries.get(path) ?? this.#entries.get(this.#aliases.get(path) ?? '')
  }

  async #load(entry: Entry): Promise<void> {
    // Watched before it is read, so that no change falls between.
    const watch = await this.#parts.watcher.watchFile(entry.path, () => {
      void this.#inOrder(entry, () => this.#reconcile(entry))
    })
    if (this.#entries.get(entry.path) !== entry) return watch.dispose()
    entry.watch = watch
    await this.#inOrder(entry, () => this.#reconcile(entry))
    this.#events.emit({ kind: 'opened', path: entry.path })
  }

  #release(entry: Entry): void {
    if (--entry.holds > 0 || this.#entries.get(entry.path) !== entry) return
    this.#entries.delete(entry.path)
    for (const [alias, path] of this.#aliases) if (path === entry.path) this.#aliases.delete(alias)
    entry.watch?.dispose()
    if (entry.content instanceof TextDocument) {
      this.#nextVersion = Math.max(this.#nextVersion, entry.content.version + 1)
    }
    this.#events.emit({ kind: 'closed', path: entry.path })
  }

  /** Brings an open file and the disk together. Runs in the file's order only. */
  async #reconcile(entry: Entry): Promise<void> {
    const { maxBytes } = this.#parts
    const read = await readFile(entry.path, maxBytes === undefined ? {} : { maxBytes })
    const unsaved = entry.content === undefined ? await this.#parts.backups.read(entry.path) : undefined
    if (this.#entries.get(entry.path) !== entry) return
    const content = entry.content
    if (!(content instanceof TextDocument)) {
      const found = read.ok && read.value.kind === 'file' ? diskTextOf(read.value) : undefined
      if (found || unsaved) {
        const readOnly = read.ok && read.value.kind === 'file' && read.value.readOnly
        const disk = found ?? (unsaved && { text: unsaved.base, facts: unsaved.facts, hash: null })
        if (disk) entry.content = this.#openText(entry, disk, readOnly, unsaved)
      } else entry.content = withoutText(entry.path, read)
      if (content) this.#tellState(entry)
    } else if (read.ok && read.value.kind === 'absent') {
      this.#change(entry, content, () => content.loseFile())
    } else {
      const found = read.ok && read.value.kind === 'file' ? diskTextOf(read.value) : undefined
      if (found && read.ok && read.value.kind === 'file') {
        content.readOnly = read.value.readOnly
        this.#change(entry, content, () => content.meetDisk(found))
      } else if (content.dirty) {
        // What is there now is no text. The typed one stays, as if the file were gone: a save will refuse to write over.
        this.#change(entry, content, () => content.loseFile())
      } else {
        this.#nextVersion = Math.max(this.#nextVersion, content.version + 1)
        entry.content = withoutText(entry.path, read)
        this.#tellState(entry)
      }
    }
  }

  #openText(entry: Entry, disk: DiskText, readOnly: boolean, unsaved: Unsaved | undefined): TextDocument {
    const content = new TextDocument(disk, readOnly, this.#nextVersion)
    if (unsaved) content.recover(unsaved)
    else if (disk.hash === null) content.loseFile()
    if (unsaved && !content.dirty) this.#parts.backups.drop(entry.path)
    entry.toldMeta = JSON.stringify(metaOf(entry.path, content))
    return content
  }

  async #write(
    entry: Entry,
    content: TextDocument,
  ): Promise<Result<{ hash: string }, { code: string; message: string }>> {
    if (content.state === 'conflict') return fail('changed', conflictSentence(entry.path))
    const { text, bytes } = content.encode()
    const expected = content.diskHash
    const hash = hashContent(bytes)
    if (hash === expected) return succeed({ hash })
    const write = { path: entry.path, hash, origin: 'editor' }
    this.#parts.ledger.expect(write)
    const written = await this.#parts.swapper.swap(entry.path, expected, bytes, {
      createParents: expected === null,
    })
    if (written.ok) {
      this.#change(entry, content, () => content.markSaved(text, hash))
      this.#events.emit({ kind: 'saved', path: entry.path, hash })
      return succeed({ hash })
    }
    this.#parts.ledger.cancel(write)
    if (written.failure.code !== 'changed') return written
    await this.#reconcile(entry)
    if (content.state === 'same' && content.diskHash === hash) return succeed({ hash })
    return fail('changed', conflictSentence(entry.path))
  }

  /** Runs a step on a text and tells what came of it: updates, changed facts, and what to keep over a crash. */
  #change<T>(entry: Entry, content: TextDocument, step: () => T): T {
    const version = content.version
    const result = step()
    const updates = content.version > version ? this.updatesSince(entry.path, version) : undefined
    if (updates) this.#events.emit({ kind: 'updates', path: entry.path, version, updates })
    else if (content.version > version) this.#tellState(entry)
    this.#tellMeta(entry, content)
    const { path } = entry
    if (!content.dirty) this.#parts.backups.drop(path)
    else {
      this.#parts.backups.keep(path, () => {
        const unsaved = content.unsaved
        return unsaved && { path, ...unsaved }
      })
    }
    return result
  }

  #tellMeta(entry: Entry, content: TextDocument): void {
    const meta = metaOf(entry.path, content)
    const told = JSON.stringify(meta)
    if (told === entry.toldMeta) return
    entry.toldMeta = told
    this.#events.emit({ kind: 'meta', path: entry.path, meta })
  }

  #tellState(entry: Entry): void {
    this.#events.emit({ kind: 'state', path: entry.path, state: this.#stateOf(entry) })
  }

  #stateOf(entry: Entry): DocumentState {
    const { content, path } = entry
    if (content instanceof TextDocument) {
      return { kind: 'text', version: content.version, text: content.text, meta: metaOf(path, content) }
    }
    if (content) return content
    return {
      kind: 'failed',
      path,
      failure: { code: 'failed', message: `${path} was closed before it could be read.` },
    }
  }

  async #inOrder<T>(entry: Entry, task: () => Promise<T>): Promise<T> {
    const own = entry.work.then(task, task)
    entry.work = own.catch(() => undefined)
    return own
  }
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await resolveRealPath(path)
  } catch {
    // Reading it will say what is wrong with it.
    return path
  }
}
