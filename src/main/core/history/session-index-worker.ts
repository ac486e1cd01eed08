import { parentPort, workerData } from 'node:worker_threads'
import { readQuery, type SessionQuery } from '../../../shared/conversation/session-query'
import { SessionIndexer, textPath, type IndexedFile } from './session-indexer'
import { searchTexts, type SessionHits } from './text-search'

/** A session whose texts are to be searched; `bytes` of them count. */
export interface SearchedSession {
  id: string
  bytes: number
}

/** What the thread is asked for. Sessions are indexed one after another; a search goes before. */
export type IndexRequest =
  | { kind: 'index'; id: string; path: string; known: IndexedFile | null }
  | { kind: 'drop'; ids: readonly string[] }
  /** Searches sessions in this order; more may be added until it is ended. */
  | { kind: 'search'; run: number; typed: string }
  | { kind: 'add'; run: number; sessions: readonly SearchedSession[] }
  | { kind: 'end'; run: number }

export type IndexAnswer =
  /** `indexed` is null where the file could not be read, or the index not be written. */
  | { kind: 'indexed'; id: string; indexed: IndexedFile | null }
  /** `searched`: so many sessions more have been looked through. */
  | { kind: 'found'; run: number; searched: number; sessions: ({ id: string } & SessionHits)[] }

/** Indexing works for so long, and rests for as long, in milliseconds: others need the processor too. */
const spell = 20
/** What is found within so many milliseconds is told together; the first at once. */
const gathering = 50
/** A search lets other messages in after so many milliseconds. */
const turn = 8

const port = parentPort
if (port === null) throw new Error('the index belongs into a worker thread')
const { folder } = workerData as { folder: string }
const tell = (answer: IndexAnswer) => port.postMessage(answer)

const searches = new Map<number, { query: SessionQuery; waiting: SearchedSession[]; isRunning: boolean }>()
let whenQuiet: (() => void)[] = []
let workedSince = performance.now()

/** Between pieces of indexing: while somebody waits for a search it stands still, and half of the time otherwise. */
async function rest(): Promise<void> {
  if (performance.now() - workedSince > spell) {
    await new Promise((resolve) => setTimeout(resolve, spell))
    workedSince = performance.now()
  }
  while ([...searches.values()].some(({ isRunning }) => isRunning)) {
    await new Promise<void>((resolve) => whenQuiet.push(resolve))
  }
}

async function search(run: number): Promise<void> {
  const state = searches.get(run)
  if (!state || state.isRunning) return
  state.isRunning = true
  const { query, waiting } = state
  const isOver = () => searches.get(run) !== state
  let sessions: ({ id: string } & SessionHits)[] = []
  let searched = 0
  let hasFound = false
  let toldAt = performance.now()
  let turnAt = toldAt
  const flush = () => {
    if (searched > 0 && !isOver()) tell({ kind: 'found', run, searched, sessions })
    hasFound ||= sessions.length > 0
    sessions = []
    searched = 0
    toldAt = performance.now()
  }
  for (let next = waiting.shift(); next && !isOver(); next = waiting.shift()) {
    const looking = searchTexts(textPath(folder, next.id), next.bytes, query)
    let step = looking.next()
    while (!step.done && !isOver()) {
      if (performance.now() - turnAt > turn) {
        await new Promise((resolve) => setImmediate(resolve))
        turnAt = performance.now()
      }
      step = looking.next()
    }
    // What is left open is closed.
    if (!step.done) looking.return({ hits: [], isCut: false })
    else if (step.value.hits.length > 0) sessions.push({ id: next.id, ...step.value })
    searched++
    const isFirst = sessions.length > 0 && !hasFound
    if (isFirst || performance.now() - toldAt > gathering) flush()
  }
  flush()
  state.isRunning = false
  quiet()
}

function quiet(): void {
  const waiting = whenQuiet
  whenQuiet = []
  for (const go of waiting) go()
}

const indexer = new SessionIndexer(folder, rest)
/** What changes the index, one after another. */
let changing: Promise<void> = Promise.resolve()

function change(work: () => Promise<void>): void {
  changing = changing.then(work)
}

port.on('message', (request: IndexRequest) => {
  switch (request.kind) {
    case 'index': {
      const { id, path, known } = request
      return change(async () => {
        await rest()
        // Expected: the file is gone or may not be read, or the disk is full. Another change of it asks again.
        const indexed = await indexer.index(id, path, known).catch(() => null)
        tell({ kind: 'indexed', id, indexed })
      })
    }
    case 'drop':
      return change(() => indexer.drop(request.ids).catch(() => undefined))
    case 'search': {
      const query = readQuery(request.typed)
      if (query) searches.set(request.run, { query, waiting: [], isRunning: false })
      return
    }
    case 'add':
      searches.get(request.run)?.waiting.push(...request.sessions)
      void search(request.run)
      return
    case 'end':
      searches.delete(request.run)
      return quiet()
  }
})
