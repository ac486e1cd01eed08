import { createHash } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceLine } from '../../../shared/conversation/transcript'
import { readStretch } from '../files/file-pieces'
import { openToRead } from '../files/regular-file'
import { privateFolderMode } from '../platform/file-modes'
import { AppendedFile } from './appended-file'
import { isSameFile, stampOf, type FileStamp } from './file-stamp'
import { FoundLines, type LongLine } from './found-lines'
import { addFigures, type SessionFigures } from './session-entry'
import { indexLine, type IndexedInto, type Tallied } from './indexed-line'
import { longestLine, parseLine, type FileLine } from './session-line'
import type { SessionPlace } from './session-places'
import { SessionTally, type ShownPlace, type TallyStep } from './session-tally'
import { startedAgents, SubAgentFiles } from './sub-agent-files'
import { TallyWriter, readTally } from './tally-log'
import type { AgentPlace } from './text-records'

/** How far one file has been indexed. Sizes and offsets in bytes. */
interface IndexedPart {
  /** Which file it was, and how it was then. */
  stamp: FileStamp
  /** Behind the last line that has its end; so far it has been read. */
  to: number
  /** Tells whether what stands before `to` is still the same. */
  mark: string
  /** So much of the steps that the figures are made of is of what was read. */
  tallyBytes: number
  /** Of this file alone. */
  own: SessionFigures
}

/** How far a sub-agent's record has been indexed, and where the tool is that started it. */
export interface IndexedAgent extends IndexedPart {
  /** The session's line that uses the tool; of a sub-agent's sub-agent, the one that started the outermost. */
  card: ShownPlace
  /** The way from there to this one's tool: a line in the record of each sub-agent between. */
  above: AgentPlace[]
}

/** How far a session has been indexed, with all its sub-agents. */
export interface IndexedFile extends IndexedPart {
  /** So much of the texts is of what was read. */
  textBytes: number
  /** By their ids. Those of which it is not known what started them are left out. */
  agents: Record<string, IndexedAgent>
  /** Of all of it. */
  figures: SessionFigures
}

/** So much is read at once, in bytes, */
const chunk = 256 * 1024
/** and so much is gathered before it is written. */
const gathered = 1024 * 1024
/** The mark is made of so many bytes at the begin and at the end of what was read. */
const markBytes = 1024
/** The tallies of so many files are kept at hand: those that grow now. */
const mostTallies = 6

/** Where a session's texts are, those of its sub-agents among them. */
export function textPath(folder: string, id: string): string {
  return join(folder, `${id}.text`)
}

/** `key`: a session's id, or that of a sub-agent of it (`agentKey`). */
function tallyPath(folder: string, key: string): string {
  return join(folder, `${key}.tally`)
}

/** No id holds this sign. */
const agentSign = '~'

function agentKey(session: string, agent: string): string {
  return session + agentSign + agent
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

  /**
   * Brings a session's index up to its file, and to the records of its sub-agents. Throws where the file, or the index,
   * cannot be read or written.
   */
  async index(id: string, path: string, known: IndexedFile | null): Promise<IndexedFile> {
    const files = new SubAgentFiles({ id, path })
    const before = known && (await this.#isValid({ id, path }, files, known)) ? known : null
    await mkdir(this.#folder, { recursive: true, mode: privateFolderMode })
    const texts = await AppendedFile.open(textPath(this.#folder, id), before?.textBytes ?? 0)
    try {
      /** Which calls have started sub-agents, as their results say. */
      const started = new Map<string, string>()
      const main = await this.#read(id, path, before, texts, (line, into) => {
        for (const [agent, call] of startedAgents(line.record)) started.set(agent, call)
        indexLine(line, into, null)
      })
      const agents = await this.#readAgents(id, files, started, before, main, texts)
      await texts.flush()
      const figures = Object.values(agents).reduce((sum, { own }) => addFigures(sum, own), main.own)
      return { ...main, agents, figures, textBytes: texts.bytes }
    } finally {
      await texts.close()
    }
  }

  /** Deletes what is kept of sessions. */
  async drop(ids: readonly string[]): Promise<void> {
    const dropped = new Set(ids)
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const [, key = '', id = ''] = /^(([^~.]+)(?:~[^.]*)?)\.(?:text|tally)$/.exec(name) ?? []
      if (!dropped.has(id)) continue
      this.#tallies.delete(key)
      await rm(join(this.#folder, name), { force: true })
    }
  }

  async #isValid({ id, path }: SessionPlace, files: SubAgentFiles, known: IndexedFile): Promise<boolean> {
    if ((await sizeOf(textPath(this.#folder, id))) < known.textBytes) return false
    if (!(await this.#isValidPart(id, path, known))) return false
    for (const [agent, part] of Object.entries(known.agents)) {
      const where = await readablePath(files, agent)
      const stamp = where === null ? null : await stampOf(where)
      // What a sub-agent said stays, even when its record is gone.
      if (where === null || !stamp || isSameFile(stamp, part.stamp)) continue
      if (!(await this.#isValidPart(agentKey(id, agent), where, part))) return false
    }
    return true
  }

  async #isValidPart(key: string, path: string, known: IndexedPart): Promise<boolean> {
    if ((await sizeOf(tallyPath(this.#folder, key))) < known.tallyBytes) return false
    const file = await openToRead(path)
    try {
      const { ino, size } = await file.stat()
      return known.stamp.inode === ino && known.to <= size && (await markOf(file, known.to)) === known.mark
    } finally {
      await file.close()
    }
  }

  /** Reads the records of sub-agents that are new, or have grown, once it is known which tool has started them. */
  async #readAgents(
    id: string,
    files: SubAgentFiles,
    started: Map<string, string>,
    before: IndexedFile | null,
    main: IndexedPart,
    texts: AppendedFile,
  ): Promise<Record<string, IndexedAgent>> {
    const agents: Record<string, IndexedAgent> = { ...before?.agents }
    const waiting = new Set([...(await files.ids()), ...started.keys(), ...Object.keys(agents)])
    // A sub-agent's record may tell of further ones.
    for (let hasFound = true; hasFound;) {
      hasFound = false
      for (const agent of waiting) {
        const path = await readablePath(files, agent)
        if (path === null) continue
        const known = agents[agent] ?? null
        const call = started.get(agent) ?? (known ? null : await files.callOf(agent))
        const place = known ?? (call === null ? null : await this.#placeOfCall(id, call, main, agents))
        if (!place) continue
        waiting.delete(agent)
        hasFound = true
        const { card, above } = place
        const part = await this.#read(agentKey(id, agent), path, known, texts, (line, into) => {
          for (const [inner, its] of startedAgents(line.record)) {
            started.set(inner, its)
            if (!agents[inner]) waiting.add(inner)
          }
          indexLine(line, into, { agent, card, above })
        })
        agents[agent] = { ...part, card, above }
      }
    }
    return agents
  }

  /** Where the tool of a call stands, in the session or in the record of one of its sub-agents. */
  async #placeOfCall(
    id: string,
    call: string,
    main: IndexedPart,
    agents: Readonly<Record<string, IndexedAgent>>,
  ): Promise<{ card: ShownPlace; above: AgentPlace[] } | null> {
    const card = (await this.#tallyOf(id, main)).tally.placeOfCall(call)
    if (card) return { card, above: [] }
    for (const [agent, part] of Object.entries(agents)) {
      const { tally } = await this.#tallyOf(agentKey(id, agent), part)
      const place = tally.placeOfCall(call)
      if (place) return { card: part.card, above: [...part.above, { agent, ...place }] }
    }
    return null
  }

  async #tallyOf(key: string, { tallyBytes }: IndexedPart): Promise<Tallied> {
    const kept = this.#tallies.get(key)
    if (kept?.tallyBytes === tallyBytes) return kept
    const tally = new SessionTally()
    const text = (await readFile(tallyPath(this.#folder, key))).toString('utf8', 0, tallyBytes)
    let last: TallyStep | null = null
    let count = 0
    for (const step of readTally(text)) {
      tally.take(step)
      last = step
      if (++count % 5000 === 0) await this.#rest()
    }
    return { tally, last, tallyBytes }
  }

  #keep(key: string, tallied: Tallied): void {
    this.#tallies.set(key, tallied)
    if (this.#tallies.size <= mostTallies) return
    for (const oldest of this.#tallies.keys()) {
      this.#tallies.delete(oldest)
      return
    }
  }

  /** Reads what is new in a file; all of it where nothing is known of it. */
  async #read(
    key: string,
    path: string,
    before: IndexedPart | null,
    texts: AppendedFile,
    hear: (line: SourceLine, into: IndexedInto) => void,
  ): Promise<IndexedPart> {
    const file = await openToRead(path)
    try {
      const found = await file.stat()
      const stamp = { size: found.size, changedAt: found.mtimeMs, inode: found.ino }
      if (before && isSameFile(before.stamp, stamp)) return partOf(before)
      const tallied = before
        ? await this.#tallyOf(key, before)
        : { tally: new SessionTally(), last: null, tallyBytes: 0 }
      this.#tallies.delete(key)
      const steps = await AppendedFile.open(tallyPath(this.#folder, key), before?.tallyBytes ?? 0)
      let to = 0
      try {
        const into = { tallied, writer: new TallyWriter(tallied.last), steps, texts }
        to = await this.#readLines(file, before?.to ?? 0, stamp.size, (line) => hear(line, into), [
          texts,
          steps,
        ])
        await steps.flush()
        tallied.tallyBytes = steps.bytes
      } finally {
        await steps.close()
      }
      this.#keep(key, tallied)
      const mark = await markOf(file, to)
      return { stamp, to, mark, tallyBytes: tallied.tallyBytes, own: tallied.tally.figures }
    } finally {
      await file.close()
    }
  }

  /** Takes the lines from an offset on; gives where the last of them ends. */
  async #readLines(
    file: FileHandle,
    from: number,
    size: number,
    take: (line: SourceLine) => void,
    written: readonly AppendedFile[],
  ): Promise<number> {
    const found = new FoundLines(from)
    while (found.at < size) {
      const bytes = await readStretch(file, found.at, Math.min(size, found.at + chunk))
      if (bytes.length === 0) break
      found.take(bytes)
      for (const line of found.lines.splice(0)) {
        const read = 'record' in line ? line : await readLong(file, line)
        if (read) take(read)
      }
      for (const one of written) await one.flush(gathered)
      await this.#rest()
    }
    return found.to
  }
}

/** Where a sub-agent's record is; null where it cannot be read, which takes nothing from its session. */
async function readablePath(files: SubAgentFiles, agent: string): Promise<string | null> {
  const path = await files.pathOf(agent)
  if (path === null) return null
  return access(path, constants.R_OK).then(
    () => path,
    () => null,
  )
}

function partOf({ stamp, to, mark, tallyBytes, own }: IndexedPart): IndexedPart {
  return { stamp, to, mark, tallyBytes, own }
}

async function readLong(file: FileHandle, { offset, bytes }: LongLine): Promise<FileLine | null> {
  if (bytes > longestLine) return null
  const raw = await readStretch(file, offset, offset + bytes)
  const record = parseLine(raw, offset)
  return record === undefined ? null : { offset, bytes: raw.length, raw: null, record }
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
