import { Worker, type Transferable } from 'node:worker_threads'
import type { Disposable } from '../../../shared/lifetime'
import { fail, succeed, type Result } from '../../../shared/result'
import type { TaskAnswer, TaskMessage } from './worker-task'

/** How many tasks may wait besides the one that runs; more are refused. */
const mostWaiting = 1000
/** How long the thread stays alive without work, in milliseconds, unless said otherwise. */
const usualIdle = 30_000

interface Task {
  message: TaskMessage
  transfer: readonly Transferable[]
  settle(result: Result<unknown>): void
}

/**
 * Runs work that must not stall the main process in a thread of one module, which calls `runTasks` with its function. The
 * thread starts when there is work. `Input` and `Output` are copied between threads. Tasks run in the order of `run`.
 */
export class WorkerPool<Input, Output> implements Disposable {
  readonly #modulePath: string
  readonly #idle: number
  readonly #waiting: Task[] = []
  #worker: Worker | null = null
  /** The one that runs. */
  #task: Task | null = null
  #timer: NodeJS.Timeout | undefined
  #nextId = 0
  #disposed = false

  /** `modulePath` is what importing the worker's module with `?modulePath` gives. */
  constructor(modulePath: string, { idle = usualIdle } = {}) {
    this.#modulePath = modulePath
    this.#idle = idle
  }

  /**
   * Runs one task in the thread. Buffers in `transfer` move to the thread and are empty here afterwards. Fails with
   * `busy` if too many tasks wait, `worker-failed` if the task threw or its thread ended, `disposed` after disposal.
   */
  run(input: Input, transfer: readonly Transferable[] = []): Promise<Result<Output>> {
    if (this.#disposed) return Promise.resolve(ended)
    if (this.#waiting.length >= mostWaiting) {
      return Promise.resolve(fail('busy', 'Greenlight is busy. Try again in a moment.'))
    }
    return new Promise((resolve) => {
      const message: TaskMessage = { id: (this.#nextId += 1), input }
      this.#waiting.push({ message, transfer, settle: resolve as (result: Result<unknown>) => void })
      this.#start()
    })
  }

  dispose(): void {
    this.#disposed = true
    for (const task of this.#waiting.splice(0)) task.settle(ended)
    this.#end(ended)
  }

  #start(): void {
    while (this.#task === null) {
      const task = this.#waiting.shift()
      if (task === undefined) return
      this.#give(task)
    }
  }

  #give(task: Task): void {
    const worker = (this.#worker ??= this.#open())
    clearTimeout(this.#timer)
    this.#task = task
    try {
      worker.ref()
      worker.postMessage(task.message, [...task.transfer])
    } catch {
      // Something in the input can't be copied: that is the task's fault, not the thread's.
      this.#rest(worker, fail('worker-failed', 'A background task couldn’t be started. Please report this.'))
    }
  }

  #open(): Worker {
    const worker = new Worker(this.#modulePath, { name: 'greenlight' })
    worker.on('message', (answer: TaskAnswer) => {
      if (this.#task?.message.id !== answer.id) return
      this.#rest(
        worker,
        answer.ok
          ? succeed(answer.output)
          : fail('worker-failed', 'Work in the background failed. Try again.'),
      )
      this.#start()
    })
    const gone = (): void => {
      if (this.#worker !== worker) return
      this.#end(fail('worker-failed', 'A background task ended early. Try again.'))
      this.#start()
    }
    worker.on('error', gone)
    worker.on('exit', gone)
    return worker
  }

  /** The task is over. An idle thread doesn't keep the process alive, and frees its memory before long. */
  #rest(worker: Worker, result: Result<unknown>): void {
    worker.unref()
    this.#timer = setTimeout(() => this.#end(ended), this.#idle).unref()
    this.#settle(result)
  }

  /** Ends the thread, and what it still works on. */
  #end(result: Result<unknown>): void {
    clearTimeout(this.#timer)
    void this.#worker?.terminate()
    this.#worker = null
    this.#settle(result)
  }

  #settle(result: Result<unknown>): void {
    const task = this.#task
    this.#task = null
    task?.settle(result)
  }
}

const ended = fail('disposed', 'Background tasks have ended.')
