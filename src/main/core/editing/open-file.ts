import { disposable, type Disposable } from '../../../shared/lifetime'
import { fail, succeed, type Failure, type Result } from '../../../shared/result'
import type { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import type { Ledger } from '../files/ledger'
import { readFile } from '../files/read-file'
import type { FileWatcher } from '../files/watcher'
import type { Unsaved } from './backup-file'
import type { Backups } from './backups'
import { TextDocument, type DiskText, type Resolution } from './document'
import {
  conflictSentence,
  diskTextOf,
  metaOf,
  withoutText,
  type DocumentEvent,
  type DocumentState,
} from './document-state'
import type { WireUpdate } from './versioned-text'

/** What open files need of the house. */
export interface OpenFileParts {
  watcher: FileWatcher
  swapper: FileSwapper
  ledger: Ledger
  backups: Backups
  /** Files above this size, in bytes, are not opened. */
  maxBytes?: number
}

/**
 * One open file and the disk: it is watched, read again when it changes, and written only over what was last read.
 * Reads and writes happen one after another; what is typed in between is never lost.
 */
export class OpenFile implements Disposable {
  readonly path: string
  readonly #parts: OpenFileParts
  readonly #tell: (event: DocumentEvent) => void
  #content: TextDocument | Exclude<DocumentState, { kind: 'text' }> | undefined
  #startVersion: number
  #startClients: ReadonlyMap<string, number>
  #work: Promise<unknown> = Promise.resolve()
  #toldMeta = ''
  #watch: Disposable | undefined
  #disposed = false

  /** `startVersion` is above any that a document of this path had before; `startClients` is what it counted. */
  constructor(
    path: string,
    parts: OpenFileParts,
    startVersion: number,
    startClients: ReadonlyMap<string, number>,
    tell: (event: DocumentEvent) => void,
  ) {
    this.path = path
    this.#parts = parts
    this.#startVersion = startVersion
    this.#startClients = startClients
    this.#tell = (event) => {
      if (!this.#disposed) tell(event)
    }
  }

  /** Reads the file for the first time. After it there is a state, whatever the file holds. */
  async load(): Promise<void> {
    // Watched before it is read, so that no change falls between.
    const watch = await this.#parts.watcher.watchFile(this.path, () => void this.refresh())
    this.#watch = disposable(() => watch.dispose())
    if (this.#disposed) watch.dispose()
    else await this.refresh()
  }

  get isLoaded(): boolean {
    return this.#content !== undefined
  }

  /** The file's text, if it has one. */
  get text(): TextDocument | undefined {
    return this.#content instanceof TextDocument ? this.#content : undefined
  }

  /** A version that no document of this path has had. */
  get nextVersion(): number {
    return this.text ? this.text.version + 1 : this.#startVersion
  }

  /** How many updates each of the latest pages has pushed to documents of this path. */
  get clients(): ReadonlyMap<string, number> {
    return this.text?.history.clients ?? this.#startClients
  }

  get state(): DocumentState {
    const { path } = this
    const content = this.#content
    if (content instanceof TextDocument) {
      const { version, text } = content
      return { kind: 'text', version, clients: this.clients, text, meta: metaOf(path, content) }
    }
    const failure = { code: 'failed' as const, message: `${path} was closed before it could be read.` }
    return content ?? { kind: 'failed', path, failure }
  }

  /** The updates after a version as they go over the wire, or undefined when they are forgotten. */
  updatesSince(version: number): WireUpdate[] | undefined {
    const updates = this.text?.history.since(version)
    return updates?.map(({ clientID, changes }) => ({ clientID, changes: changes.toJSON() as unknown }))
  }

  /** Runs a step on the text and tells what came of it: updates, new facts, and what has to survive a crash. */
  change<T>(content: TextDocument, step: () => T): T {
    const version = content.version
    const result = step()
    if (content.version > version) {
      const updates = this.updatesSince(version)
      if (updates) this.#tell({ kind: 'updates', path: this.path, version, updates })
      else this.#tellState()
    }
    this.#tellMeta(content)
    this.#keep(content)
    return result
  }

  /** Looks at the disk, and follows it or comes into conflict with it. */
  refresh(): Promise<void> {
    return this.#inOrder(() => this.#meetDisk())
  }

  /** See `Documents.save`. */
  save(content: TextDocument): Promise<Result<{ hash: string }, Failure>> {
    return this.#inOrder(() => this.#write(content))
  }

  /** See `Documents.resolve`. Asks what is on the disk at this moment, not at the time of the question. */
  resolve(content: TextDocument, how: Resolution): Promise<Result<{ conflicts: number }, Failure>> {
    return this.#inOrder(async () => {
      await this.#meetDisk()
      if (this.#content !== content) return succeed({ conflicts: 0 })
      if (how !== 'keep-mine' && content.state === 'deleted') {
        return fail('absent', `${this.path} is no longer on disk. Save it to make it again, or close it.`)
      }
      return succeed({ conflicts: this.change(content, () => content.resolve(how)) })
    })
  }

  /** See `Documents.revert`. */
  revert(content: TextDocument): Promise<void> {
    return this.#inOrder(async () => {
      await this.#meetDisk()
      if (this.#content === content) this.change(content, () => content.resolve('take-disk'))
    })
  }

  /** Stops watching and telling. Unsaved text stays in the backups. */
  dispose(): void {
    this.#disposed = true
    this.#watch?.dispose()
  }

  /** Runs in the file's order only. */
  async #meetDisk(): Promise<void> {
    const { maxBytes } = this.#parts
    const read = await readFile(this.path, maxBytes === undefined ? {} : { maxBytes })
    const unsaved = this.#content === undefined ? await this.#parts.backups.read(this.path) : undefined
    if (this.#disposed) return
    const file = read.ok && read.value.kind === 'file' ? read.value : undefined
    const found = file && diskTextOf(file)
    const content = this.#content
    if (!(content instanceof TextDocument)) {
      // Unsaved text is opened even if its file is gone, or is no text any more.
      const disk = found ?? (unsaved && { text: unsaved.base, facts: unsaved.facts, hash: null })
      this.#content = disk
        ? this.#openText(disk, file?.readOnly ?? false, unsaved)
        : withoutText(this.path, read)
      if (content) this.#tellState()
    } else if (found) {
      content.readOnly = file.readOnly
      this.change(content, () => content.meetDisk(found))
    } else if (content.dirty || (read.ok && read.value.kind === 'absent')) {
      // Something that is no text may be there now; a save will not write over it, since it expects nothing.
      this.change(content, () => content.loseFile())
    } else {
      this.#startVersion = content.version + 1
      this.#startClients = content.history.clients
      this.#content = withoutText(this.path, read)
      this.#tellState()
    }
  }

  #openText(disk: DiskText, readOnly: boolean, unsaved: Unsaved | undefined): TextDocument {
    const content = new TextDocument(disk, readOnly, this.#startVersion, this.#startClients)
    if (unsaved) content.recover(unsaved)
    else if (disk.hash === null) content.loseFile()
    if (unsaved && !content.dirty) this.#parts.backups.drop(this.path)
    this.#toldMeta = JSON.stringify(metaOf(this.path, content))
    return content
  }

  async #write(content: TextDocument): Promise<Result<{ hash: string }, Failure>> {
    const { path } = this
    if (content.state === 'conflict') return fail('changed', conflictSentence(path))
    const { text, bytes } = content.encode()
    const expected = content.diskHash
    const hash = hashContent(bytes)
    if (hash === expected) return succeed({ hash })
    const write = { path, hash, origin: 'editor' }
    this.#parts.ledger.expect(write)
    const written = await this.#parts.swapper.swap(path, expected, bytes, {
      createParents: expected === null,
    })
    if (written.ok) {
      this.change(content, () => content.markSaved(text, hash))
      this.#tell({ kind: 'saved', path, hash })
      return succeed({ hash })
    }
    this.#parts.ledger.cancel(write)
    if (written.failure.code !== 'changed') return written
    await this.#meetDisk()
    // Somebody else has written the very same.
    if (content.state === 'same' && content.diskHash === hash) return succeed({ hash })
    return fail('changed', conflictSentence(path))
  }

  #keep(content: TextDocument): void {
    const { path } = this
    if (!content.dirty) return this.#parts.backups.drop(path)
    this.#parts.backups.keep(path, () => {
      const unsaved = content.unsaved
      const since = (version: number) => content.history.changesSince(version)
      return unsaved && { path, ...unsaved, version: content.version, since }
    })
  }

  #tellMeta(content: TextDocument): void {
    const meta = metaOf(this.path, content)
    const told = JSON.stringify(meta)
    if (told === this.#toldMeta) return
    this.#toldMeta = told
    this.#tell({ kind: 'meta', path: this.path, meta })
  }

  #tellState(): void {
    this.#tell({ kind: 'state', path: this.path, state: this.state })
  }

  async #inOrder<T>(task: () => Promise<T>): Promise<T> {
    const own = this.#work.then(task)
    this.#work = own.catch(() => undefined)
    return own
  }
}
