import { Worker, type Transferable } from 'node:worker_threads'
import type { Disposable } from '../../../shared/lifetime'
import { fail, succeed, type Result } from '../../../shared/result'
import type { TaskAnswer, TaskMessage } from './worker-task'

/** How a pool is sized. */
export interface PoolOptions {
  /** The greatest number of threads; they start when there is work. Default 1. */
  threads?: number
  /** How many tasks may wait besides those that run; more are refused. Default 1,000. */
  queue?: number
  /** How long a thread without work stays alive, in milliseconds. Default 30,000. */
  idle?: number
}

interface Task {
  message: TaskMessage
  transfer: readonly Transferable[]
  settle(result: Result<unknown>): void
}

interface Thread {
  worker: Worker
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
}

/**
 * Runs work that must not stall the main process in threads of one module, which calls `runTasks` with its function.
 * `Input` and `Output` are copied between threads. Tasks start in the order of `run`.
 */
export class WorkerPool<Input, Output> implements Disposable {
  readonly #modulePath: string
  readonly #threads: number
  readonly #limit: number
  readonly #idle: number
  #waiting: Task[] = []
  #running = new Set<Thread>()
  #nextId = 0
  #disposed = false

  /** `modulePath` is what importing the worker's module with `?modulePath` gives. */
  constructor(modulePath: string, options: PoolOptions = {}) {
    this.#modulePath = modulePath
    this.#threads = options.threads ?? 1
    this.#limit = options.queue ?? 1000
    this.#idle = options.idle ?? 30_000
  }

  /**
   * Runs one task in a thread. Buffers in `transfer` move to the thread and are empty here afterwards. Fails with
   * `busy` if too many tasks wait, `worker-failed` if the task threw or its thread ended, `disposed` after disposal.
   */
  run(input: Input, transfer: readonly Transferable[] = []): Promise<Result<Output>> {
    if (this.#disposed) return Promise.resolve(ended)
    if (this.#waiting.length >= this.#limit) {
      return Promise.resolve(fail('busy', 'Greenlight is busy. Try again in a moment.'))
    }
    return new Promise((resolve) => {
      const message: TaskMessage = { id: (this.#nextId += 1), input }
      this.#waiting.push({ message, transfer, settle: resolve as (result: Result<unknown>) => void })
      this.#start()
    })
  }

  get size(): number {
    return this.#running.size
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    const threads = [...this.#running]
    this.#running.clear()
    for (const task of this.#waiting.splice(0)) task.settle(ended)
    for (const thread of threads) {
      clearTimeout(thread.timer)
      thread.task?.settle(ended)
      thread.task = undefined
      void thread.worker.terminate()
    }
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      let thread = [...this.#running].find((candidate) => candidate.task === undefined)
      if (thread === undefined && this.#running.size < this.#threads) thread = this.#open()
      if (thread === undefined) return
      const task = this.#waiting.shift()
      if (task === undefined) return
      this.#give(thread, task)
    }
  }

  #give(thread: Thread, task: Task): void {
    clearTimeout(thread.timer)
    thread.task = task
    try {
      thread.worker.ref()
      thread.worker.postMessage(task.message, [...task.transfer])
    } catch {
      // Something in the input can't be copied: that is the task's fault, not the thread's.
      thread.task = undefined
      this.#rest(thread)
      task.settle(fail('worker-failed', 'A background task couldn’t be started. Please report this.'))
    }
  }

  #open(): Thread {
    const worker = new Worker(this.#modulePath, { name: 'greenlight' })
    const thread: Thread = { worker, task: undefined, timer: undefined }
    this.#running.add(thread)
    worker.on('message', (answer: TaskAnswer) => {
      const { task } = thread
      if (task === undefined || task.message.id !== answer.id) return
      thread.task = undefined
      this.#rest(thread)
      task.settle(
        answer.ok
          ? succeed(answer.output)
          : fail('worker-failed', 'Work in the background failed. Try again.'),
      )
      this.#start()
    })
    const gone = (): void => {
      clearTimeout(thread.timer)
      if (!this.#running.delete(thread)) return
      thread.task?.settle(fail('worker-failed', 'A background task ended early. Try again.'))
      thread.task = undefined
      this.#start()
    }
    worker.on('error', gone)
    worker.on('exit', gone)
    return thread
  }

  /** An idle thread doesn't keep the process alive, and frees its memory before long. */
  #rest(thread: Thread): void {
    thread.worker.unref()
    thread.timer = setTimeout(() => {
      this.#running.delete(thread)
      void thread.worker.terminate()
    }, this.#idle)
    thread.timer.unref()
  }
}

const ended = fail('disposed', 'Background tasks have ended.')
