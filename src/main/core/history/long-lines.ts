import type { Disposable } from '../../../shared/lifetime'
import { WorkerPool } from '../workers/worker-pool'
import longLineWorker from './long-line-worker?modulePath'
import type { LongLineAnswer, LongLineTask } from './long-line-worker'
import { longestLine, type FileLine } from './session-line'

/** Reads lines of many megabytes in a thread and shortens them. One for all session files. */
export class LongLines implements Disposable {
  readonly #pool = new WorkerPool<LongLineTask, LongLineAnswer>(longLineWorker)

  /** Reads a line of a file; if that fails, the result is a line that can't be parsed. */
  async read(path: string, offset: number, bytes: number): Promise<FileLine> {
    const line = { offset, bytes, raw: null, record: undefined }
    if (bytes > longestLine) return { ...line, flaw: 'too-long', head: '' }
    const answer = await this.#pool.run({ path, offset, bytes })
    if (!answer.ok) return { ...line, flaw: 'too-long', head: '' }
    const { record, head } = answer.value
    if (record === undefined) return { ...line, flaw: 'not-json', head }
    return { ...line, record, flaw: 'shortened' }
  }

  dispose(): void {
    this.#pool.dispose()
  }
}
