import type { FileHandle } from 'node:fs/promises'
import { SessionFactsReader } from '../../../shared/conversation/session-facts'
import { promptOf, readLine } from '../../../shared/conversation/session-item'
import { agentOf } from '../../../shared/conversation/session-record'
import { type Result, succeed } from '../../../shared/result'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { type Activity, textOf } from '../../../shared/conversation/transcript'
import { failureOf, type FileFailure } from '../files/file-failure'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import { FoundLines } from './search/found-lines'
import type { FileLine } from './session-line'

/** What a session is about, from the beginning and end of its file. */
export interface SessionSummary {
  /** The name given by the person in its terminal, or by the agent; null if there is neither. */
  title: string | null
  titleBy: 'person' | 'agent' | null
  /** The first thing that the person said, shortened. */
  firstPrompt: string | null
  /** The folder that it began in. */
  folder: string | null
  branch: string | null
  /** Milliseconds since the epoch. */
  startedAt: number | null
  lastAt: number | null
  /** What its last lines say; whether anything is running is another question. */
  activity: Activity
  /** In dollars, if the agent has counted. */
  costUSD: number | null
}

/** How much is read at a time, in bytes, */
const step = 32 * 1024
/** and at most at each end. */
const most = 512 * 1024
/** Longer prompts are cut, in characters. */
const longestPrompt = 300

/** Reads what a session is about from the beginning and end of its file, whatever its length. */
export async function summariseSession(path: string): Promise<Result<SessionSummary, FileFailure>> {
  const reading = new Reading()
  try {
    await withFile(path, async (file) => {
      const { size } = await file.stat()
      const headEnd = await readHead(file, size, reading)
      await readTail(file, headEnd, size, reading)
    })
    return succeed(reading.summary)
  } catch (error) {
    return failureOf(error, 'read', path)
  }
}

/** Reads until the first prompt and the folder are known; returns where it stopped. */
async function readHead(file: FileHandle, size: number, reading: Reading): Promise<number> {
  const found = new FoundLines(0)
  while (found.at < most && (await found.read(file, size, step))) {
    if (found.at >= size) found.pause()
    for (const line of found.lines.splice(0)) if ('record' in line) reading.hear(line)
    if (reading.knowsBegin) break
  }
  return found.to
}

/** Reads the end, twice as much each time until it is known what the session does; never what the head covered. */
async function readTail(file: FileHandle, headEnd: number, size: number, reading: Reading): Promise<void> {
  for (let length = 2 * step; ; length *= 4) {
    const from = Math.max(headEnd, size - length)
    const bytes = await readStretch(file, from, size)
    // A line that begins before is left out.
    const skipped = from === headEnd ? 0 : bytes.indexOf(0x0a) + 1
    if (from === headEnd || skipped > 0) {
      const found = new FoundLines(from + skipped)
      found.take(bytes.subarray(skipped))
      found.pause()
      const lines = found.lines.flatMap((line) => ('record' in line ? line : []))
      if (from === headEnd || length >= most || tellsActivity(lines)) {
        for (const line of lines) reading.hear(line)
        return
      }
    } else if (length >= most) return
  }
}

function tellsActivity(lines: readonly FileLine[]): boolean {
  const facts = new SessionFactsReader()
  for (const { offset, record } of lines) {
    if (typeof record === 'object' && record !== null) facts.hear(offset, record as Record<string, unknown>)
  }
  return facts.activity !== 'unknown'
}

class Reading {
  readonly #facts = new SessionFactsReader()
  #first: string | null = null
  #firstCommand: string | null = null
  #startedAt: number | null = null

  hear(line: FileLine): void {
    const read = readLine(line)
    if (!read) return
    this.#facts.hear(read.offset, read.record)
    this.#startedAt ??= read.at
    if (!read.isPrompt || agentOf(read.record) !== null) return
    const { manner, blocks } = promptOf(read.record)
    const text = textOf(blocks)
    if (text === '') return
    if (manner === 'typed' || manner === 'queued') this.#first ??= text
    else this.#firstCommand ??= text
  }

  get knowsBegin(): boolean {
    return this.#first !== null && this.#facts.facts.firstFolder !== null
  }

  get summary(): SessionSummary {
    const { facts, activity } = this.#facts
    return {
      title: facts.title,
      titleBy: facts.titleBy,
      firstPrompt: cut(this.#first ?? this.#firstCommand),
      folder: facts.firstFolder,
      branch: facts.branch,
      startedAt: this.#startedAt,
      lastAt: facts.lastAt,
      activity,
      costUSD: facts.costUSD,
    }
  }
}

/** Puts a text on one line and shortens it. */
function cut(text: string | null): string | null {
  if (text === null) return null
  const line = text
    .slice(0, 4 * longestPrompt)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (line === '') return null
  return line.length <= longestPrompt ? line : `${firstOf(line, longestPrompt)}…`
}
