import { Worker } from 'node:worker_threads'
import { type Result, fail, succeed } from '../../../shared/result'
import type { OwnSearchMessage } from './own-search-worker'
import ownSearchWorker from './own-search-worker?modulePath'
import type { SearchEngine, SearchEvents, SearchJob } from './search-engine'

/** A thread that says nothing for so long, in milliseconds, is stuck in an expression. */
const patience = 10_000

/** Searches in a thread of its own, for where there is no ripgrep. An expression that runs away ends with its thread. */
export class OwnSearch implements SearchEngine {
  readonly #limit: number
  readonly #patience: number

  /** More than `limit` hits are not looked for. */
  constructor(limit: number, patienceMs = patience) {
    this.#limit = limit
    this.#patience = patienceMs
  }

  run(job: SearchJob, events: SearchEvents, signal: AbortSignal): Promise<Result<unknown>> {
    return new Promise((resolve) => {
      const worker = new Worker(ownSearchWorker, {
        name: 'greenlight search',
        workerData: { job, limit: this.#limit },
      })
      let timer: NodeJS.Timeout | undefined
      const end = (result: Result<unknown>) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        worker.removeAllListeners()
        // A thread that is ended may still throw; nobody hears it then.
        worker.on('error', () => undefined)
        void worker.terminate()
        resolve(result)
      }
      const cancel = () => end(succeed({}))
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => end(tooSlow), this.#patience)
      }
      worker.on('message', (message: OwnSearchMessage) => {
        wait()
        switch (message.kind) {
          case 'found':
            if (!message.files.every((file) => events.found(file))) end(succeed({}))
            return
          case 'skipped':
            return events.skipped(message.what)
          case 'done':
            return end(message.result)
          case 'alive':
            return
        }
      })
      worker.on('error', () => end(failed))
      worker.on('exit', () => end(failed))
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
      else wait()
    })
  }
}

const failed = fail('failed', 'The search could not be done. Try again.')
const tooSlow = fail(
  'too-slow',
  'This expression takes too long on one of the files. Make it simpler, or exclude that file.',
)
