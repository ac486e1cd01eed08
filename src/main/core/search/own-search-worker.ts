import { parentPort, workerData } from 'node:worker_threads'
import type { SkippedFiles } from '../../../shared/contract/search'
import type { Result } from '../../../shared/result'
import { searchHere } from './own-search'
import type { FileHits, SearchJob } from './search-engine'

/** What the thread tells while it searches: files in batches, and at least once a second that it is alive. */
export type OwnSearchMessage =
  | { kind: 'found'; files: FileHits[] }
  | { kind: 'skipped'; what: keyof SkippedFiles }
  | { kind: 'alive' }
  | { kind: 'done'; result: Result<unknown> }

/** What is found within so many milliseconds is told together. */
const gathering = 50
const aliveEvery = 500

const port = parentPort
if (port === null) throw new Error('the search belongs into a worker thread')
const tell = (message: OwnSearchMessage) => port.postMessage(message)
const { job, limit } = workerData as { job: SearchJob; limit: number }
let files: FileHits[] = []
let hits = 0
let toldAt = 0

const flush = () => {
  if (files.length > 0) tell({ kind: 'found', files })
  files = []
  toldAt = Date.now()
}
const result = searchHere(
  job,
  {
    found(file) {
      files.push(file)
      hits += file.hits.length
      if (Date.now() - toldAt >= gathering) flush()
      return hits <= limit
    },
    skipped: (what) => tell({ kind: 'skipped', what }),
  },
  () => {
    if (files.length > 0 && Date.now() - toldAt >= gathering) flush()
    if (Date.now() - toldAt < aliveEvery) return
    toldAt = Date.now()
    tell({ kind: 'alive' })
  },
)
flush()
tell({ kind: 'done', result })
