import { basename, dirname } from 'node:path'
import { type Disposable, Emitter, type Listen } from '../../../../shared/lifetime'
import type { SessionQuery } from '../../../../shared/conversation/session-query'
import type { Result } from '../../../../shared/result'
import { findCandidateLines, type CandidateLines } from './candidate-lines'
import type { SessionHits } from './session-hit'
import type { HitTask } from './session-hits'
import type { SessionPlace } from '../session-places'
import type { RecordsBeside } from '../records-beside'
import { agentOfRecord, SubAgentFiles } from '../sub-agent-files'

/** What a search tells. Each session comes in `found` only once. */
export interface SearchNews {
  found: ({ id: string } & SessionHits)[]
  /** How many sessions have been searched, and how many there are. */
  searched: number
  of: number
  /**
   * `cut`: there are more hits than are told. `failed`: the search broke off. `no-program`: there is no ripgrep to
   * search with.
   */
  phase: 'running' | 'done' | 'cut' | 'failed' | 'no-program'
}

export interface SessionSearchOptions {
  /** ripgrep. */
  program: string
  typed: string
  query: SessionQuery
  /** Newest first. */
  sessions: readonly SessionPlace[]
  recordsBeside: Pick<RecordsBeside, 'in'>
  /** Reads lines in a thread (`readHits`). */
  readHits(task: HitTask): Promise<Result<SessionHits>>
}

/** At most this many hits are told. */
const mostHits = 500
/** How many sessions are searched first; each batch is `growth` times the one before, */
const firstBatch = 8
const growth = 4
/** as long as its paths have no more characters than fit into a command on any system. */
const longestPaths = 24_000
/** More lines than these are first searched for another word, at most `mostNarrowing` times, before they are read. */
const fewLines = 200
const mostNarrowing = 3
/** What is found within this many milliseconds is told together; the first immediately. */
const gathering = 50

/** A session with all paths to search for it. */
interface Sought {
  session: SessionPlace
  paths: string[]
  /** The folder with the records of its sub-agents. */
  agents: string
}

/**
 * One search through session files. ripgrep finds the lines that contain the words, one batch of sessions after
 * another; a thread reads these lines and tells which of them were said.
 */
export class SessionSearch implements Disposable {
  readonly #options: SessionSearchOptions
  readonly #news = new Emitter<SearchNews>()
  readonly onNews: Listen<SearchNews> = this.#news.on
  readonly #ending = new AbortController()
  readonly #end = new Int32Array(new SharedArrayBuffer(4))
  #searched = 0
  #hits = 0
  #found: SearchNews['found'] = []
  #hasFound = false
  #toldAt = 0
  #phase: SearchNews['phase'] = 'running'

  constructor(options: SessionSearchOptions) {
    this.#options = options
  }

  /** The state, without what was found. */
  get state(): Omit<SearchNews, 'found'> {
    return { searched: this.#searched, of: this.#options.sessions.length, phase: this.#phase }
  }

  /** Searches. Settles when it is over or disposed of. */
  async run(): Promise<void> {
    this.#toldAt = performance.now()
    const batches = await this.#batches()
    let next = this.#candidates(batches[0])
    for (const [at, batch] of batches.entries()) {
      const candidates = await next
      if (candidates.kind === 'found') {
        // ripgrep continues while these are read.
        next = this.#candidates(batches[at + 1])
        await this.#read(batch, candidates.offsets)
      } else if (candidates.kind !== 'ended') this.#phase = candidates.kind
      if (this.#phase !== 'running' || this.#ending.signal.aborted) break
    }
    if (this.#phase === 'running') this.#phase = 'done'
    this.#tell()
    this.dispose()
  }

  dispose(): void {
    Atomics.store(this.#end, 0, 1)
    this.#ending.abort()
    this.#news.dispose()
  }

  async #batches(): Promise<Sought[][]> {
    const { sessions, recordsBeside } = this.#options
    const beside = await recordsBeside.in(new Set(sessions.map(({ path }) => dirname(path))))
    const batches: Sought[][] = []
    let batch: Sought[] = []
    let most = firstBatch
    let length = 0
    for (const session of sessions) {
      const agents = new SubAgentFiles(session).folder
      const sought = { session, agents, paths: [session.path, agents, ...(beside.get(session.id) ?? [])] }
      batch.push(sought)
      length += sought.paths.reduce((sum, path) => sum + path.length, 0)
      if (batch.length < most && length < longestPaths) continue
      batches.push(batch)
      batch = []
      most *= growth
      length = 0
    }
    return batch.length > 0 ? [...batches, batch] : batches
  }

  /** The lines that contain all words, or only some of them if few lines are left. */
  async #candidates(batch: readonly Sought[] | undefined): Promise<CandidateLines> {
    const [first] = batch ?? []
    if (!batch || !first) return { kind: 'ended' }
    const { program, query } = this.#options
    const { signal } = this.#ending
    const folder = dirname(first.session.path)
    const paths = batch.flatMap((sought) => sought.paths)
    let lines: CandidateLines & { kind: 'found' } = { kind: 'found', offsets: new Map() }
    for (const [at, plain] of query.plain.slice(0, mostNarrowing).entries()) {
      const found = await findCandidateLines({ program, folder, paths, plain, signal })
      if (found.kind !== 'found') return found
      lines = at === 0 ? found : { kind: 'found', offsets: inBoth(lines.offsets, found.offsets) }
      if ([...lines.offsets.values()].reduce((sum, { length }) => sum + length, 0) < fewLines) break
    }
    return lines
  }

  async #read(batch: readonly Sought[], offsets: ReadonlyMap<string, number[]>): Promise<void> {
    const inAgents = new Map<string, string[]>()
    for (const path of offsets.keys()) {
      const folder = dirname(path)
      inAgents.set(folder, [...(inAgents.get(folder) ?? []), path])
    }
    for (const { session, paths, agents } of batch) {
      const fitting = [...paths.filter((path) => offsets.has(path)), ...(inAgents.get(agents) ?? [])]
      if (fitting.length > 0) {
        const files = fitting.map((path) => ({
          path,
          agent: agentOfRecord(basename(path)),
          offsets: offsets.get(path) ?? [],
        }))
        const read = await this.#options.readHits({
          ...{ session, files, typed: this.#options.typed, end: this.#end },
        })
        if (this.#ending.signal.aborted) return
        if (read.ok) this.#add(session.id, read.value)
        else this.#phase = 'failed'
      }
      if (this.#phase !== 'running') return
      this.#searched++
      const isFirst = this.#found.length > 0 && !this.#hasFound
      if (isFirst || performance.now() - this.#toldAt > gathering) this.#tell()
    }
  }

  #add(id: string, { hits, isCut }: SessionHits): void {
    const kept = hits.slice(0, mostHits - this.#hits)
    this.#hits += kept.length
    if (kept.length > 0) this.#found.push({ id, hits: kept, isCut: isCut || kept.length < hits.length })
    if (kept.length < hits.length) this.#phase = 'cut'
  }

  #tell(): void {
    const found = this.#found
    this.#found = []
    this.#hasFound ||= found.length > 0
    this.#toldAt = performance.now()
    this.#news.emit({ ...this.state, found })
  }
}

function inBoth(
  some: ReadonlyMap<string, readonly number[]>,
  others: ReadonlyMap<string, readonly number[]>,
): Map<string, number[]> {
  const both = new Map<string, number[]>()
  for (const [path, offsets] of some) {
    const also = new Set(others.get(path))
    const common = offsets.filter((offset) => also.has(offset))
    if (common.length > 0) both.set(path, common)
  }
  return both
}
