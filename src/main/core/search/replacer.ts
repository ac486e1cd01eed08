import type { SearchHit, SearchQuery } from '../../../shared/contract/search'
import type { Disposable } from '../../../shared/lifetime'
import { type Result, fail, succeed } from '../../../shared/result'
import { WorkerPool } from '../workers/worker-pool'
import type { Replaced } from './replacement'
import type { ReplacementAnswer, ReplacementTask } from './replacement-worker'
import replacementWorker from './replacement-worker?modulePath'

/** How long an expression may take for one file, in milliseconds. */
const patience = 10_000

/** Replaces in a thread, which is ended if an expression runs away. */
export class Replacer implements Disposable {
  readonly #patience: number
  #pool: WorkerPool<ReplacementTask, ReplacementAnswer> | null = null
  #isOver = false

  constructor(patienceMs = patience) {
    this.#patience = patienceMs
  }

  /** The text with these hits replaced. Fails as `too-slow`. */
  async replace(
    raw: string,
    hits: readonly SearchHit[],
    query: SearchQuery,
    replacement: string,
  ): Promise<Result<Replaced>> {
    const answer = await this.#run({ kind: 'replace', raw, hits: [...hits], query, replacement })
    if (!answer.ok) return answer
    return answer.value.kind === 'replaced' ? succeed(answer.value.replaced) : tooSlow
  }

  /** What each hit will be replaced with; null if that can't be told. Fails as `too-slow`. */
  async preview(
    hits: readonly SearchHit[],
    query: SearchQuery,
    replacement: string,
  ): Promise<Result<(string | null)[]>> {
    const answer = await this.#run({ kind: 'preview', hits: [...hits], query, replacement })
    if (!answer.ok) return answer
    return answer.value.kind === 'previews' ? succeed(answer.value.texts) : tooSlow
  }

  dispose(): void {
    this.#isOver = true
    this.#pool?.dispose()
    this.#pool = null
  }

  async #run(task: ReplacementTask): Promise<Result<ReplacementAnswer>> {
    if (this.#isOver) return tooSlow
    const pool = (this.#pool ??= new WorkerPool<ReplacementTask, ReplacementAnswer>(replacementWorker))
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<typeof tooSlow>((resolve) => {
      timer = setTimeout(() => {
        resolve(tooSlow)
        if (this.#pool === pool) this.#pool = null
        pool.dispose()
      }, this.#patience)
    })
    const answer = await Promise.race([pool.run(task), limit])
    clearTimeout(timer)
    return answer
  }
}

const tooSlow = fail('too-slow', 'This expression takes too long. Make it simpler, then replace again.')
