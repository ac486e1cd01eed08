/// <reference path="../../core/workers/module-path.d.ts" />
import { WorkerPool } from '../../core/workers/worker-pool'
import type { Disposable } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import frameWorker from './frame-worker?modulePath'

/**
 * Frames of more bytes than this are parsed in a thread, so that other clients need not wait for them. Below it that
 * takes longer than it saves: a few milliseconds here, against the start of a thread and the copies to and fro.
 */
export const largeFrame = 2 * 1024 * 1024

/** Parses large frames in a thread of its own. One serves all connections of a process. */
export class FrameParser implements Disposable {
  readonly #pool = new WorkerPool<Uint8Array, unknown>(frameWorker)

  /**
   * Parses UTF-8 bytes; undefined if they aren't JSON. Takes the buffer away where it owns its memory: do not read it
   * afterwards.
   */
  parse(frame: Buffer): Promise<Result<unknown>> {
    const { buffer, byteLength } = frame
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
      return this.#pool.run(new Uint8Array(buffer), [buffer])
    }
    // A part of a larger buffer: without a copy of just this part the whole buffer would be cloned.
    const copy = new Uint8Array(frame)
    return this.#pool.run(copy, [copy.buffer])
  }

  dispose(): void {
    this.#pool.dispose()
  }
}
