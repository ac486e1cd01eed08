import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm, stat, truncate, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { readLine } from '../../../shared/session-item'
import { agentOf } from '../../../shared/session-record'
import type { SourceLine } from '../../../shared/transcript'
import { readStretch } from '../files/file-pieces'
import { privateFileMode, privateFolderMode } from '../platform/file-modes'
import type { FileStamp } from './file-stamp'
import { FoundLines, type LongLine } from './found-lines'
import { searchableTexts } from './searchable-text'
import type { SessionFigures } from './session-entry'
import { longestLine, parseLine, type FileLine } from './session-line'
import { SessionTally, stepOf, type TallyStep } from './session-tally'
import { TallyWriter, readTally } from './tally-log'
import { textHeader } from './text-records'

/** How far a session has been indexed. Sizes and offsets in bytes. */
export interface IndexedFile {
  /** Which file it was, and how it was then. */
  stamp: FileStamp
  /** Behind the last line that has its end; so far it has been read. */
  to: number
  /** Tells whether what stands before `to` is still the same. */
  mark: string
  /** So much of the texts, and of the steps that the figures are made of, is of what was read. */
  textBytes: number
  tallyBytes: number
  figures: SessionFigures
}

/** So much is read at once, in bytes, */
const chunk = 256 * 1024
/** and so much is gathered before it is written. */
const gathered = 1024 * 1024
/** The mark is made of so many bytes at the begin and at the end of what was read. */
const markBytes = 1024
/** The tallies of so many sessions are kept at hand: those that grow now. */
const mostTallies = 6

interface Tallied {
  tally: SessionTally
  last: TallyStep | null
  tallyBytes: number
}

/** Where a session's texts are. */
export function textPath(folder: string, id: string): string {
  return join(folder, `${id}.text`)
}

function tallyPath(folder: string, id: string): string {
  return join(folder, `${id}.tally`)
}

/**
 * Reads sessions' files and keeps, in a folder of its own, what can be searched in each and what its figures are made
 * of. Of a file that has grown only what is new is read; one that was cut or rewritten is read anew. What was written
 * and not yet told counts for nothing, so that a process may end at any time.
 */
export class SessionIndexer {
  readonly #folder: string
  readonly #rest: () => Promise<void>
  /** The last one used is the last one here. */
  readonly #tallies = new Map<string, Tallied>()

  /** `rest` is awaited between pieces of work. */
  constructor(folder: string, rest: () => Promise<void>) {
    this.#folder = folder
    this.#rest = rest
  }

  /** Brings a session's index up to its file. Throws where the file, or the index, cannot be read or written. */
  async index(id: string, path: string, known: IndexedFile | null): Promise<IndexedFile> {
    const file = await open(path, 'r')
    try {
      const found = await file.stat()
      const stamp = { size: found.size, changedAt: found.mtimeMs, inode: found.ino }
      const before = known && (await this.#isValid(id, file, stamp, known)) ? known : null
      const tallied = before ? await this.#tallyOf(id, before) : newTally()
      this.#tallies.delete(id)
      const written = await this.#write(id, file, stamp.size, before, tallied)
      this.#keep(id, tallied)
      const mark = await markOf(file, written.to)
      return { stamp, mark, ...written, figures: tallied.tally.figures }
    } finally {
      await file.close()
    }
  }

  /** Deletes what is kept of sessions. */
  async drop(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#tallies.delete(id)
      await rm(textPath(this.#folder, id), { force: true })
      await rm(tallyPath(this.#folder, id), { force: true })
    }
  }

  async #isValid(id: string, file: FileHandle, stamp: FileStamp, known: IndexedFile): Promise<boolean> {
    if (known.stamp.inode !== stamp.inode || known.to > stamp.size) return false
    if ((await markOf(file, known.to)) !== known.mark) return false
    const texts = await sizeOf(textPath(this.#folder, id))
    const tally = await sizeOf(tallyPath(this.#folder, id))
    return texts >= known.textBytes && tally >= known.tallyBytes
  }

  async #tallyOf(id: string, { tallyBytes }: IndexedFile): Promise<Tallied> {
    const kept = this.#tallies.get(id)
    if (kept?.tallyBytes === tallyBytes) return kept
    const tally = new SessionTally()
    const text = (await readFile(tallyPath(this.#folder, id))).toString('utf8', 0, tallyBytes)
    let last: TallyStep | null = null
    let count = 0
    for (const step of readTally(text)) {
      tally.take(step)
      last = step
      if (++count % 5000 === 0) await this.#rest()
    }
    return { tally, last, tallyBytes }
  }

  #keep(id: string, tallied: Tallied): void {
    this.#tallies.set(id, tallied)
    if (this.#tallies.size <= mostTallies) return
    for (const oldest of this.#tallies.keys()) {
      this.#tallies.delete(oldest)
      return
    }
  }

  async #write(id: string, file: FileHandle, size: number, before: IndexedFile | null, tallied: Tallied) {
    await mkdir(this.#folder, { recursive: true, mode: privateFolderMode })
    const texts = await Appended.open(textPath(this.#folder, id), before?.textBytes ?? 0)
    const steps = await Appended.open(tallyPath(this.#folder, id), before?.tallyBytes ?? 0)
    try {
      const writer = new TallyWriter(tallied.last)
      const found = new FoundLines(before?.to ?? 0)
      while (found.at < size) {
        const bytes = await readStretch(file, found.at, Math.min(size, found.at + chunk))
        if (bytes.length === 0) break
        found.take(bytes)
        for (const line of found.lines.splice(0)) {
          const read = 'record' in line ? line : await readLong(file, line)
          if (read) hear(read, tallied, writer, texts, steps)
        }
        await texts.flush(gathered)
        await steps.flush(gathered)
        await this.#rest()
      }
      await texts.flush()
      await steps.flush()
      tallied.tallyBytes = steps.bytes
      return { to: found.to, textBytes: texts.bytes, tallyBytes: steps.bytes }
    } finally {
      await texts.close()
      await steps.close()
    }
  }
}

/** Takes one line into the tally and the texts. Lines of sub-agents are not the conversation's. */
function hear(
  source: SourceLine,
  tallied: Tallied,
  writer: TallyWriter,
  texts: Appended,
  steps: Appended,
): void {
  const line = readLine(source)
  if (!line || agentOf(line.record) !== null) return
  const { tally } = tallied
  if (line.uuid !== null && tally.knows(line.uuid)) return
  const step = stepOf(line)
  if (step) {
    tally.take(step)
    tallied.last = step
    steps.add(writer.write(step))
  }
  for (const { speaker, call, text } of searchableTexts(line)) {
    // What came of a tool is shown where the tool is.
    const place = (call === null ? null : tally.placeOfCall(call)) ?? line
    texts.add(
      `${textHeader({ uuid: place.uuid, offset: place.offset, at: line.at, speaker })}${onOneLine(text)}\n`,
    )
  }
}

function onOneLine(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r')
}

async function readLong(file: FileHandle, { offset, bytes }: LongLine): Promise<FileLine | null> {
  if (bytes > longestLine) return null
  const raw = await readStretch(file, offset, offset + bytes)
  const record = parseLine(raw, offset)
  return record === undefined ? null : { offset, bytes, raw: null, record }
}

function newTally(): Tallied {
  return { tally: new SessionTally(), last: null, tallyBytes: 0 }
}

/** What the begin and the end of a file's first bytes are, in short. */
async function markOf(file: FileHandle, to: number): Promise<string> {
  const head = await readStretch(file, 0, Math.min(markBytes, to))
  const tail = await readStretch(file, Math.max(head.length, to - markBytes), to)
  return createHash('sha256').update(head).update(tail).digest('base64').slice(0, 22)
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => -1,
  )
}

/** A file of texts that is written on from a place; what stands behind that is cut off. */
class Appended {
  readonly #file: FileHandle
  #waiting: string[] = []
  #waitingLength = 0
  bytes: number

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file
    this.bytes = bytes
  }

  static async open(path: string, bytes: number): Promise<Appended> {
    if (bytes > 0) await truncate(path, bytes)
    return new Appended(await open(path, bytes > 0 ? 'r+' : 'w', privateFileMode), bytes)
  }

  add(text: string): void {
    this.#waiting.push(text)
    this.#waitingLength += text.length
  }

  /** Writes what has been gathered, if it is so much. */
  async flush(least = 1): Promise<void> {
    if (this.#waitingLength < least) return
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#waitingLength = 0
    let done = 0
    while (done < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.bytes + done)
      done += bytesWritten
    }
    this.bytes += bytes.length
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
