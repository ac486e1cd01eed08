import type { FileHandle } from 'node:fs/promises'
import { readLine } from '../../../shared/conversation/session-item'
import { agentOf } from '../../../shared/conversation/session-record'
import type { SourceLine } from '../../../shared/conversation/transcript'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import { FoundLines, type LongLine } from './search/found-lines'
import { longestLine, parseLine } from './session-line'
import type { SessionPlace } from './session-places'
import { addFigures, FigureCount, type SessionFigures } from './figure-count'
import { startedAgents, SubAgentFiles } from './sub-agent-files'

/** How much of a file has been counted. */
interface CountedFile {
  inode: number
  /** The end of the last complete line, in bytes. */
  to: number
  /** The bytes before that, which tell whether the file has only grown. */
  last: Buffer
  count: FigureCount
}

interface CountedSession {
  main: CountedFile
  /** By id: those whose start is known. They still count after their record is gone. */
  agents: Map<string, CountedFile>
  /** Which calls started sub-agents, from their results. */
  started: Map<string, string>
}

/** How much is read at a time, in bytes. */
const chunk = 256 * 1024
/** How many of the last counted bytes are compared with the file. */
const compared = 1024
/** Counts are remembered for the most recently counted sessions, up to this many lines in all. */
const mostLines = 400_000

/**
 * Counts what was said in sessions and what it cost. If a session has only grown, only what is new is read; one that
 * was cut or rewritten is counted from its beginning.
 */
export class SessionCounter {
  /** By path; the most recently counted is last. */
  readonly #sessions = new Map<string, CountedSession>()

  /** Throws if the session's file can't be read. */
  async count(place: SessionPlace): Promise<SessionFigures> {
    const { path } = place
    const counted: CountedSession = this.#sessions.get(path) ?? {
      main: uncounted(),
      agents: new Map(),
      started: new Map(),
    }
    this.#sessions.delete(path)
    const { main, agents, started } = counted
    const isAnew = () => {
      agents.clear()
      started.clear()
    }
    const hear = (line: SourceLine) => {
      for (const [agent, call] of startedAgents(line.record)) started.set(agent, call)
      take(line, main.count, true)
    }
    await withFile(path, (file) => readOn(file, main, isAnew, hear))
    await countAgents(place, counted)
    this.#sessions.set(path, counted)
    this.#forgetOldest()
    let { figures } = main.count
    for (const { count } of agents.values()) figures = addFigures(figures, count.figures)
    return figures
  }

  #forgetOldest(): void {
    let lines = 0
    for (const [path, { main, agents }] of [...this.#sessions].reverse()) {
      lines += [main, ...agents.values()].reduce((sum, { count }) => sum + count.size, 0)
      if (lines > mostLines) this.#sessions.delete(path)
    }
  }
}

function uncounted(): CountedFile {
  return { inode: 0, to: 0, last: Buffer.alloc(0), count: new FigureCount() }
}

/** Counts the records of sub-agents whose starting tool is known. */
async function countAgents(place: SessionPlace, { main, agents, started }: CountedSession): Promise<void> {
  const files = new SubAgentFiles(place)
  const waiting = new Set([...(await files.ids()), ...started.keys(), ...agents.keys()])
  // A sub-agent's record may name further ones.
  for (let hasFound = true; hasFound;) {
    hasFound = false
    for (const agent of waiting) {
      const path = await files.pathOf(agent)
      if (path === null) continue
      const call = started.get(agent) ?? (agents.has(agent) ? null : await files.callOf(agent))
      const counts = [main, ...agents.values()].map(({ count }) => count)
      if (!agents.has(agent) && !counts.some((count) => call !== null && count.placeOfCall(call))) continue
      waiting.delete(agent)
      hasFound = true
      const counted = agents.get(agent) ?? uncounted()
      const hear = (line: SourceLine) => {
        for (const [inner, its] of startedAgents(line.record)) {
          started.set(inner, its)
          if (!agents.has(inner)) waiting.add(inner)
        }
        take(line, counted.count, false)
      }
      const read = withFile(path, (file) => readOn(file, counted, nothing, hear))
      // An unreadable record takes nothing from its session.
      await read.then(
        () => agents.set(agent, counted),
        () => undefined,
      )
    }
  }
}

/** Adds one line to a count. Old versions write lines of sub-agents into the session's own file; these don't count. */
function take(source: SourceLine, count: FigureCount, isMain: boolean): void {
  const line = readLine(source)
  if (!line || (isMain && agentOf(line.record) !== null)) return
  if (line.uuid !== null && count.knows(line.uuid)) return
  count.take(line)
}

const nothing = () => undefined

/** Reads what is new in a file; if it is not the same file as before, reports that and reads all of it. */
async function readOn(
  file: FileHandle,
  counted: CountedFile,
  isAnew: () => void,
  hear: (line: SourceLine) => void,
): Promise<void> {
  const { ino, size } = await file.stat()
  if (counted.inode !== ino || counted.to > size || !(await endsAsBefore(file, counted))) {
    Object.assign(counted, uncounted(), { inode: ino })
    isAnew()
  }
  const found = new FoundLines(counted.to)
  while (await found.read(file, size, chunk)) {
    for (const line of found.lines.splice(0)) {
      const read = 'record' in line ? line : await readLong(file, line)
      if (read) hear(read)
    }
  }
  counted.to = found.to
  counted.last = await readStretch(file, Math.max(0, found.to - compared), found.to)
}

async function endsAsBefore(file: FileHandle, { to, last }: CountedFile): Promise<boolean> {
  return (await readStretch(file, to - last.length, to)).equals(last)
}

async function readLong(file: FileHandle, { offset, bytes }: LongLine): Promise<SourceLine | null> {
  if (bytes > longestLine) return null
  const raw = await readStretch(file, offset, offset + bytes)
  const record = parseLine(raw, offset)
  return record === undefined ? null : { offset, bytes: raw.length, record }
}
