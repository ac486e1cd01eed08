import { parentPort } from 'node:worker_threads'

/** A message to a thread. */
export interface TaskMessage {
  id: number
  input: unknown
}

/** A message back. An error's text stays in the thread, because it may quote the input. */
export type TaskAnswer = { id: number; ok: true; output: unknown } | { id: number; ok: false }

/** Called once by a worker's module: calls `work` for each task from a `WorkerPool`, one after another. */
export function runTasks<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  const port = parentPort
  if (port === null) throw new Error('runTasks is for worker threads')
  const run = async ({ id, input }: TaskMessage) => {
    let answer: TaskAnswer = { id, ok: false }
    try {
      answer = { id, ok: true, output: await work(input as Input) }
    } catch {
      // The answer says that it failed.
    }
    port.postMessage(answer)
  }
  // A pool sends the next task only after the answer to this one.
  port.on('message', (message: TaskMessage) => void run(message))
}
