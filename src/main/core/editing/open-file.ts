import { isDeepStrictEqual } from 'node:util'
import {
  decodeAs,
  decodeText,
  mayBeLatin1,
  type Decoded,
  type TextEncoding,
} from '../../../shared/text/text-facts'
import type { DocumentMeta } from '../../../shared/contract/documents'
import type { Disposable } from '../../../shared/lifetime'
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
  adoptRules,
  conflictSentence,
  emptyText,
  diskTextOf,
  metaOf,
  withoutText,
  type DocumentEvent,
  type DocumentState,
} from './document-state'
import { readFormatRules, watchFormatRules, type FormatRules } from './editor-config'
import { findOtherContent } from './other-content'
import type { Format } from './text-format'
import { tidyText } from './tidy-text'

/** What open files need from the app. */
export interface OpenFileParts {
  watcher: FileWatcher
  swapper: FileSwapper
  ledger: Ledger
  backups: Backups
  /** In bytes; a larger file isn't held as text but shown in pieces. */
  largeBytes?: number | undefined
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
  readonly #watches: Disposable[] = []
  #disposed = false
  /** The encoding chosen by a person or the project; null: as the bytes say. */
  #encoding: TextEncoding | null = null
  #guessed = false
  #rules: FormatRules = {}
  /** If there is no file, begin an empty text. */
  #isNew = false

  /** `startVersion` is above any that a document of this path had before; `startClients` continues its counts. */
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

  /** Reads the file for the first time. Afterwards there is a state, whatever the file holds. */
  async load(): Promise<void> {
    // Watched before it is read, so that no change is missed in between.
    const { watcher } = this.#parts
    this.#watches.push(
      ...(await Promise.all([
        watcher.watchFile(this.path, () => void this.refresh()),
        watchFormatRules(this.path, watcher, () => void this.refresh()),
      ])),
    )
    if (this.#disposed) this.dispose()
    else await this.refresh()
  }

  /**
   * Takes over the text of a file that was moved here, with its history, then reads this path. The caller disposes of
   * the other file: only one may change the text.
   */
  adopt(other: OpenFile): Promise<void> {
    this.#content = other.text
    this.#encoding = other.#encoding
    this.#guessed = other.#guessed
    this.#rules = other.#rules
    return this.load()
  }

  /** If there is no file, now or once it is read, begins an empty text; the first save creates the file. */
  beginNew(): Promise<void> {
    this.#isNew = true
    return this.#inOrder(async () => {
      if (this.#content && !this.text) await this.#meetDisk()
    })
  }

  /** Resolves when the present reads and writes are done. */
  async idle(): Promise<void> {
    await this.#work
  }

  get isLoaded(): boolean {
    return this.#content !== undefined
  }

  get text(): TextDocument | undefined {
    return this.#content instanceof TextDocument ? this.#content : undefined
  }

  /** A version that no document of this path has had. */
  get nextVersion(): number {
    return this.text ? this.text.version + 1 : this.#startVersion
  }

  /** How many updates each recent page has pushed to documents of this path. */
  get clients(): ReadonlyMap<string, number> {
    return this.text?.history.clients ?? this.#startClients
  }

  get state(): DocumentState {
    const { path } = this
    const content = this.#content
    if (content instanceof TextDocument) {
      const { version, text } = content
      return { kind: 'text', version, clients: this.clients, text, meta: this.#meta(content) }
    }
    const failure = { code: 'failed' as const, message: `${path} was closed before it could be read.` }
    return content ?? { kind: 'failed', path, failure }
  }

  /** Runs a step on the text and announces its effects: updates, new facts, and what must survive a crash. */
  change<T>(content: TextDocument, step: () => T): T {
    const version = content.version
    const result = step()
    if (content.version > version) {
      const updates = content.history
        .since(version)
        ?.map(({ clientID, changes }) => ({ clientID, changes: changes.toJSON() as unknown }))
      if (updates) this.#tell({ kind: 'updates', path: this.path, version, updates })
      else this.#tellState()
    }
    this.#tellMeta(content)
    this.#keep(content)
    return result
  }

  /** Reads the file and its project's rules again, and follows them or comes into conflict with the disk. */
  refresh(): Promise<void> {
    return this.#inOrder(() => this.#meetDisk())
  }

  /** See `Documents.save`. */
  save(content: TextDocument): Promise<Result<{ hash: string }, Failure>> {
    return this.#inOrder(() => this.#write(content))
  }

  /** See `Documents.resolve`. Uses what is on disk now, not what was when the person was asked. */
  resolve(content: TextDocument, how: Resolution): Promise<Result<{ conflicts: number }, Failure>> {
    return this.#inOrder(async () => {
      await this.#meetDisk()
      if (this.#content !== content) return succeed({ conflicts: 0 })
      if (how !== 'keep-mine' && content.state === 'deleted') {
        return fail('absent', `${this.path} is no longer on disk. Save it to create it again, or close it.`)
      }
      return succeed({ conflicts: this.change(content, () => content.resolve(how)) })
    })
  }

  /** See `Documents.reformat`. */
  reformat(content: TextDocument, format: Format): void {
    this.change(content, () => content.reformat(format))
  }

  /** See `Documents.reopen`. */
  reopen(encoding: TextEncoding): Promise<Result<void, Failure>> {
    return this.#inOrder(async () => {
      await this.#meetDisk()
      if (this.text?.dirty) {
        return fail('unsaved', `${this.path} has unsaved changes. Save or discard them, then reopen it.`)
      }
      if (this.text?.state === 'deleted') {
        return fail(
          'absent',
          `${this.path} is no longer on disk. Save it to create it again, then reopen it.`,
        )
      }
      this.#encoding = encoding
      await this.#readAnew()
      return succeed(undefined)
    })
  }

  /** See `Documents.revert`. */
  revert(content: TextDocument): Promise<void> {
    return this.#inOrder(async () => {
      await this.#meetDisk()
      if (this.#content === content) this.change(content, () => content.resolve('take-disk'))
    })
  }

  /** Stops watching and announcing. Unsaved text stays in the backups. */
  dispose(): void {
    this.#disposed = true
    for (const watch of this.#watches.splice(0)) watch.dispose()
  }

  /** As if it had just been opened, when nothing is unsaved. Only within `#inOrder`. */
  async #readAnew(): Promise<void> {
    this.#startVersion = this.nextVersion
    this.#startClients = this.clients
    this.#content = undefined
    await this.#meetDisk()
    this.#tellState()
  }

  /** Only within `#inOrder`. */
  async #meetDisk(): Promise<void> {
    const unsaved = this.#content === undefined ? await this.#parts.backups.read(this.path) : undefined
    // Unsaved text was typed in an encoding that was no longer a guess.
    if (unsaved && !this.#encoding && unsaved.facts.encoding === 'latin-1') this.#encoding = 'latin-1'
    const before = this.#rules
    this.#rules = await readFormatRules(this.path)
    const isReadOtherwise = this.#isReadOtherwise(before)
    if (this.#content instanceof TextDocument ? !this.#content.dirty : !unsaved) {
      const { largeBytes } = this.#parts
      const other = await findOtherContent(this.path, { largeBytes, isText: this.#encoding !== null })
      if (this.#disposed) return
      if (other) return this.#become(other)
    }
    const read = await readFile(this.path, { decode: (bytes) => this.#decode(bytes) })
    if (this.#disposed) return
    const file = read.ok && read.value.kind === 'file' ? read.value : undefined
    // Without a file, the text here may be its last copy.
    if (isReadOtherwise && (file || this.text?.state === 'new')) return this.#readAnew()
    const foundText = file && diskTextOf(file)
    const found = foundText && adoptRules(foundText, this.#rules)
    const content = this.#content
    if (!(content instanceof TextDocument)) {
      // Unsaved text is opened even if its file is gone, or is no longer text.
      const isAbsent = read.ok && read.value.kind === 'absent'
      const disk =
        found ??
        (unsaved && { text: unsaved.base, facts: unsaved.facts, hash: null }) ??
        (this.#isNew && isAbsent ? adoptRules(emptyText, this.#rules) : undefined)
      this.#content = disk
        ? this.#openText(disk, file?.readOnly ?? false, unsaved)
        : withoutText(this.path, read)
      if (content) this.#tellState()
    } else if (found) {
      content.readOnly = file.readOnly
      this.change(content, () => content.meetDisk(found))
    } else if (content.dirty || (read.ok && read.value.kind === 'absent')) {
      // There may be a file that isn't text; a save won't overwrite it, since it expects no file.
      this.change(content, () => content.loseFile())
    } else this.#become(withoutText(this.path, read))
  }

  /** Whether the rules have changed how the file is read or its line endings chosen, with nothing here to lose. */
  #isReadOtherwise(before: FormatRules): boolean {
    const { text } = this
    if (this.#content === undefined || text?.dirty) return false
    const isAdopting = this.#guessed || !text || text.text.lines === 1
    const { eol, charset } = this.#rules
    return isAdopting && !isDeepStrictEqual([before.eol, before.charset], [eol, charset])
  }

  #become(state: Exclude<DocumentState, { kind: 'text' }>): void {
    const { isLoaded } = this
    this.#startVersion = this.nextVersion
    this.#startClients = this.clients
    this.#content = state
    if (isLoaded) this.#tellState()
  }

  /** Decodes in the chosen encoding, else the one the bytes show, else the project's, else Latin-1 if that fits. */
  #decode(bytes: Uint8Array): Decoded {
    this.#guessed = false
    if (this.#encoding) return decodeAs(bytes, this.#encoding)
    const decoded = decodeText(bytes)
    if (decoded.kind === 'text') return decoded
    const wanted = this.#rules.charset?.encoding
    const known = wanted ? decodeAs(bytes, wanted) : decoded
    if (known.kind === 'text' && !known.text.includes('\0')) return known
    if (!mayBeLatin1(bytes)) return decoded
    this.#guessed = true
    return decodeAs(bytes, 'latin-1')
  }

  #meta(content: TextDocument): DocumentMeta {
    const { guessed, indent } = { guessed: this.#guessed, indent: this.#rules.indent ?? null }
    return metaOf(this.path, content, { guessed, indent })
  }

  #openText(disk: DiskText, readOnly: boolean, unsaved: Unsaved | undefined): TextDocument {
    const content = new TextDocument(disk, readOnly, this.#startVersion, this.#startClients)
    if (unsaved) content.recover(unsaved)
    else if (disk.hash === null) content.beginNew()
    if (unsaved && !content.dirty) this.#parts.backups.drop(this.path)
    this.#toldMeta = JSON.stringify(this.#meta(content))
    return content
  }

  async #write(content: TextDocument): Promise<Result<{ hash: string }, Failure>> {
    const { path } = this
    if (content.state === 'conflict') return fail('changed', conflictSentence(path))
    const tidy = tidyText(content.text, await readFormatRules(path))
    if (tidy) this.change(content, () => content.apply('host', tidy))
    const encoded = content.encode()
    if (!encoded) {
      const message = `${path} has characters that Latin-1 can’t represent. Choose UTF-8 in the status bar, then save.`
      return fail('encoding', message)
    }
    const { text, facts, bytes } = encoded
    const expected = content.diskHash
    const hash = hashContent(bytes)
    if (hash === expected) {
      this.change(content, () => content.markSaved(text, facts, hash))
      return succeed({ hash })
    }
    const write = { path, hash }
    this.#parts.ledger.expect(write)
    const written = await this.#parts.swapper.swap(path, expected, bytes, {
      createParents: expected === null,
    })
    if (written.ok) {
      // From now on the file is read in the encoding it was written in, if its bytes don't tell.
      if (this.#encoding || facts.encoding === 'latin-1') this.#encoding = facts.encoding
      this.#isNew = false
      this.change(content, () => content.markSaved(text, facts, hash))
      this.#tell({ kind: 'saved', path, hash })
      return succeed({ hash })
    }
    this.#parts.ledger.cancel(write)
    if (written.failure.code !== 'changed') return written
    await this.#meetDisk()
    // Somebody else has written exactly the same.
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
    const meta = this.#meta(content)
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
