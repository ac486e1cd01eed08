import { createHash } from 'node:crypto'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type ChangeSet, type Text } from '@codemirror/state'
import { changesBetween } from '../../../shared/text/line-diff'
import { type Result, succeed } from '../../../shared/result'
import { decodeAs, type TextFacts, toText } from '../../../shared/text/text-facts'
import { writeFileAtomically } from '../files/write-file'
import { fileFailure, type FileFailure, systemCode } from '../files/file-failure'
import { readFile as readDiskFile } from '../files/read-file'
import { privateFileMode } from '../platform/file-modes'
import { type BackupRecord, type BaseRef, applyLog, readLog, recordsOf, writeRecords } from './backup-log'
import { type Format, isSameFormat } from './text-format'

/** Text that a person has typed and not saved. */
export interface Unsaved {
  /** Real path of the file. */
  path: string
  /** What the text began as: the disk's text, and its hash; null if there was no file. */
  base: Text
  baseHash: string | null
  facts: TextFacts
  text: Text
  /** Encoding and line endings for the next save, if somebody chose other ones than `facts`. */
  format?: Format
}

/** Also what happened to the text since a version of it, if known; then no texts have to be compared. */
export interface KeptText extends Unsaved {
  version?: number
  since?: (version: number) => ChangeSet | undefined
}

/** What the files hold, so that the next write adds only what is new. */
interface Written {
  start: { ref: BaseRef; text: Text }
  base: { ref: BaseRef; text: Text }
  /** From the start to the text. */
  sum: ChangeSet
  text: Text
  format: Format
  version: number | undefined
  /** The checksum of the log's last line. */
  lastSum: string
  /** The log's length in bytes, and what it was when the log was last rewritten. */
  bytes: number
  compact: number
}

/** Characters of changed text in one file; more isn't kept. */
const mostCharacters = 32 * 1024 * 1024
/** In bytes. A log is rewritten once it is longer than this and than four times its last rewritten length. */
const usualShortLog = 1024 * 1024

/**
 * One file's unsaved text on disk: a log to which each pause in typing adds what was typed, and a copy of the text that
 * the log starts from. The log comes first: as long as the file on disk still holds that text, no copy is needed, so
 * the first words typed into a long file don't have to wait. Like reviews' edits, records aren't flushed: they survive
 * the app, but not a power failure.
 */
export class BackupFile {
  readonly #folder: string
  readonly #path: string
  readonly #name: string
  readonly #shortLog: number
  readonly #tell: (failure: FileFailure) => void
  #written: Written | null = null
  /** A copy on disk from an earlier run. */
  #found: { ref: BaseRef; text: Text } | null = null
  #copies = 0
  /** Copies of bases are written one after another, alongside the log. */
  #copying: Promise<Result<unknown, FileFailure>> = Promise.resolve(succeed(undefined))
  /** Files from an earlier run protect the text until the new log exists. */
  #isKept: boolean

  /** `isKept`: there are files from an earlier run. `tell` is called when a copy can't be written. */
  constructor(
    folder: string,
    path: string,
    {
      isKept,
      tell,
      shortLog = usualShortLog,
    }: { isKept: boolean; tell: (failure: FileFailure) => void; shortLog?: number | undefined },
  ) {
    this.#tell = tell
    this.#shortLog = shortLog
    this.#folder = folder
    this.#path = path
    this.#isKept = isKept
    this.#name = backupName(path)
  }

  /** Adds what is new since the last time. Must not be called again before it has settled. */
  async write(unsaved: KeptText): Promise<Result<unknown, FileFailure>> {
    const at = this.#written
    if (!at) return this.#begin(unsaved)
    const known = at.version === undefined ? undefined : unsaved.since?.(at.version)
    const fits = known?.length === at.text.length && known.newLength === unsaved.text.length
    const changes = known && fits ? known : changesBetween(at.text, unsaved.text)
    const sum = at.sum.compose(changes)
    if (isTooLarge(sum)) return tooLarge(this.#path)
    this.#written = { ...at, sum, text: unsaved.text, version: unsaved.version }
    const isSameBase = at.base.ref.baseHash === unsaved.baseHash && at.base.text.eq(unsaved.base)
    let added = changes.empty ? succeed(undefined) : await this.#append(recordsOf(changes))
    if (added.ok && !isSameBase) added = await this.#changeBase(unsaved)
    if (added.ok) added = await this.#appendFormat(unsaved.format ?? {})
    const now = this.#written
    if (!added.ok || !now || now.bytes <= Math.max(this.#shortLog, 4 * now.compact)) return added
    return this.#compact(now)
  }

  /** What is kept; undefined if nothing is, or if it can't be read. */
  async read(): Promise<Unsaved | undefined> {
    await this.#copying
    const path = this.#path
    const log = readLog(await contentOf(this.#fileName('log')))
    if (log?.path !== path) return undefined
    const start = await this.#textOf(log.start)
    const text = start === null ? null : applyLog(log, start)
    if (start === null || text === null) return undefined
    const newer = log.base === log.start ? start : await this.#textOf(log.base)
    // Without the newer base the text is still complete, and compared with the older one.
    const [ref, base] = newer === null ? [log.start, start] : [log.base, newer]
    this.#copies = Math.max(this.#copies, log.start.copy ?? 0, log.base.copy ?? 0)
    this.#found = { ref, text: base }
    return { path, base, baseHash: ref.baseHash, facts: ref.facts, text, format: log.format }
  }

  /** Removes the backup. If that fails it is still there, and the next write replaces it. */
  async remove(): Promise<Result<unknown, FileFailure>> {
    // Only the log tells how many copies there are.
    if (this.#isKept && !this.#written && !this.#found) await this.read()
    await this.#copying
    // What is there otherwise isn't ours, or couldn't be set aside.
    if (!this.#isKept) return succeed(undefined)
    this.#written = null
    this.#found = null
    try {
      // The log first: it is what says that there is a backup.
      await rm(this.#fileName('log'), { force: true })
    } catch {
      return cannotForget(this.#path)
    }
    this.#isKept = false
    await this.#removeCopies(null)
    return succeed(undefined)
  }

  /** Resolves when the copies of bases are written. */
  async settle(): Promise<void> {
    await this.#copying
  }

  async #begin(unsaved: KeptText): Promise<Result<unknown, FileFailure>> {
    if (this.#isKept && !this.#found) await this.read()
    const sum = changesBetween(unsaved.base, unsaved.text)
    if (isTooLarge(sum)) return tooLarge(this.#path)
    const found = this.#found
    const hasCopy = found?.ref.baseHash === unsaved.baseHash && found.text.eq(unsaved.base)
    const ref = hasCopy ? found.ref : this.#nextRef(unsaved)
    // If nothing else holds the base, or an older backup still holds the text, the copy has to come first.
    const isCopyFirst = !hasCopy && (this.#isKept || unsaved.baseHash === null)
    if (isCopyFirst) {
      const copied = await this.#copy(ref, unsaved.base)
      if (!copied.ok) return copied
    }
    const base = { ref, text: unsaved.base }
    const begun = await this.#writeWhole({
      start: base,
      base,
      sum,
      text: unsaved.text,
      format: unsaved.format ?? {},
      version: unsaved.version,
    })
    if (begun.ok && !hasCopy && !isCopyFirst) this.#copyLater(ref, unsaved.base)
    return begun
  }

  async #changeBase(unsaved: KeptText): Promise<Result<unknown, FileFailure>> {
    const ref = this.#nextRef(unsaved)
    const copied = ref.baseHash === null ? await this.#copy(ref, unsaved.base) : null
    if (copied?.ok === false) return copied
    const added = await this.#append([{ kind: 'base', base: ref }])
    if (this.#written) this.#written = { ...this.#written, base: { ref, text: unsaved.base } }
    if (added.ok && copied === null) this.#copyLater(ref, unsaved.base)
    return added
  }

  async #appendFormat(format: Format): Promise<Result<unknown, FileFailure>> {
    if (!this.#written || isSameFormat(format, this.#written.format)) return succeed(undefined)
    const added = await this.#append([{ kind: 'format', format }])
    if (added.ok && this.#written) this.#written = { ...this.#written, format }
    return added
  }

  /** Rewrites the log, starting from the newest base. */
  async #compact(now: Written): Promise<Result<unknown, FileFailure>> {
    const copied = await this.#copying
    if (!copied.ok) return copied
    const isMoved = now.base.ref !== now.start.ref
    const sum = isMoved ? changesBetween(now.base.text, now.text) : now.sum
    return this.#writeWhole({ ...now, start: now.base, sum })
  }

  async #writeWhole(
    now: Omit<Written, 'lastSum' | 'bytes' | 'compact'>,
  ): Promise<Result<unknown, FileFailure>> {
    const start: BackupRecord = { kind: 'start', path: this.#path, base: now.start.ref }
    const format: BackupRecord[] = isSameFormat(now.format, {})
      ? []
      : [{ kind: 'format', format: now.format }]
    const { text, sum } = writeRecords([start, ...recordsOf(now.sum), ...format])
    const content = Buffer.from(text)
    const written = await this.#putLog(content)
    if (!written.ok) {
      this.#written = null
      return written
    }
    this.#written = { ...now, lastSum: sum, bytes: content.length, compact: content.length }
    if (!this.#isKept) {
      this.#isKept = true
      return written
    }
    // Copies that only the earlier log needed.
    await this.#removeCopies(now.start.ref.copy)
    return written
  }

  /** What can't be removed is in nobody's way: new copies have new numbers. */
  async #removeCopies(needed: number | null): Promise<void> {
    for (let copy = 0; copy <= this.#copies; copy++) {
      if (copy !== needed) await rm(this.#copyName(copy), { force: true }).catch(() => undefined)
    }
  }

  /** The first log has nothing to lose, so it isn't flushed; a later one replaces the old one in one step. */
  async #putLog(content: Buffer): Promise<Result<unknown, FileFailure>> {
    if (this.#isKept) return put(this.#fileName('log'), content)
    try {
      await writeFile(this.#fileName('log'), content, { mode: privateFileMode, flag: 'wx' })
      return succeed(undefined)
    } catch (error) {
      // The next start must not find half a log. If the file existed, it isn't ours to remove.
      if (systemCode(error) !== 'EEXIST')
        await rm(this.#fileName('log'), { force: true }).catch(() => undefined)
      return cannotKeep(this.#path)
    }
  }

  async #append(records: readonly BackupRecord[]): Promise<Result<unknown, FileFailure>> {
    const { text, sum } = writeRecords(records, this.#written?.lastSum)
    const bytes = Buffer.from(text)
    try {
      await appendFile(this.#fileName('log'), bytes, { mode: privateFileMode })
      const at = this.#written
      if (at) this.#written = { ...at, lastSum: sum, bytes: at.bytes + bytes.length }
      return succeed(undefined)
    } catch {
      // There may be half a line now, and anything after it would be unreadable: the next write starts over.
      this.#written = null
      return cannotKeep(this.#path)
    }
  }

  #nextRef({ base, baseHash, facts }: Unsaved): BaseRef {
    return { copy: base.length === 0 ? null : ++this.#copies, baseHash, facts }
  }

  /** As UTF-16, because half a surrogate pair would not survive UTF-8, and with a checksum. */
  #copy({ copy }: BaseRef, text: Text): Promise<Result<unknown, FileFailure>> {
    if (copy === null) return Promise.resolve(succeed(undefined))
    this.#copying = this.#copying.then(() =>
      put(this.#copyName(copy), seal(Buffer.from(text.toString(), 'utf16le'))),
    )
    return this.#copying
  }

  #copyLater(ref: BaseRef, text: Text): void {
    void this.#copy(ref, text).then((copied) => copied.ok || this.#tell(copied.failure))
  }

  async #textOf({ copy, baseHash, facts }: BaseRef): Promise<Text | null> {
    if (copy === null) return toText('')
    const kept = await readFile(this.#copyName(copy)).catch(() => null)
    const bytes = kept && unseal(kept)
    if (bytes) return toText(bytes.toString('utf16le'))
    // The copy wasn't written in time, or is damaged: the file on disk may still hold the text.
    const disk = await readDiskFile(this.#path, { decode: (found) => decodeAs(found, facts.encoding) })
    if (disk.ok && disk.value.kind === 'file' && disk.value.hash === baseHash) {
      return disk.value.content.kind === 'text' ? toText(disk.value.content.text) : null
    }
    const isOld = kept !== null && kept.length > 0 && kept.length % 2 === 0
    return isOld ? toText(kept.toString('utf16le')) : null
  }

  #copyName(copy: number): string {
    return this.#fileName(`${copy}.copy`)
  }

  #fileName(ending: string): string {
    return join(this.#folder, `${this.#name}.${ending}`)
  }
}

/** The part before the dot in the names of a path's backup files. */
export function backupName(path: string): string {
  return createHash('sha256').update(path, 'utf16le').digest('hex').slice(0, 32)
}

/** A copy's bytes with a checksum. The total is odd, which it never is for older copies without one. */
function seal(bytes: Buffer): Buffer {
  const end = Buffer.alloc(sealLength)
  end.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, end])
}

/** The bytes of a copy; null if it is damaged, or older and has no checksum. */
function unseal(sealed: Buffer): Buffer | null {
  if (sealed.length < sealLength || sealed.length % 2 === 0) return null
  const bytes = sealed.subarray(0, -sealLength)
  return crc32(bytes) === sealed.readUInt32LE(bytes.length) ? bytes : null
}

const sealLength = 5

function isTooLarge(sum: ChangeSet): boolean {
  return sum.newLength - sum.length > mostCharacters
}

function tooLarge(path: string): Result<never, FileFailure> {
  return fileFailure(
    'too-large',
    `The unsaved changes to ${path} are too large to survive a crash. Save the file.`,
  )
}

export function cannotKeep(path: string): Result<never, FileFailure> {
  return fileFailure('failed', `Unsaved changes to ${path} can’t be backed up for a crash. Save the file.`)
}

function cannotForget(path: string): Result<never, FileFailure> {
  return fileFailure(
    'failed',
    `The backup of earlier unsaved changes to ${path} can’t be removed. If the next start brings them back, discard them.`,
  )
}

async function put(file: string, content: Buffer): Promise<Result<unknown, FileFailure>> {
  return writeFileAtomically(file, new Uint8Array(content), { mode: privateFileMode })
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return ''
  }
}
