import { setTimeout as pause } from 'node:timers/promises'
import type { Failure, Result } from '../../shared/result'
import type { HandOverAnswer } from '../core/platform/hand-over-server'

/** What became of a start: it runs, another process does what it was asked for, or it failed. */
export type Outcome<T, A = HandOverAnswer> =
  | { kind: 'started'; value: T }
  | { kind: 'handed'; answer: A }
  | { kind: 'failed'; failure: Failure }

/** What a start needs to be one, or to leave it to another. */
export interface Starting<T, A = HandOverAnswer> {
  /** Takes the data directory; `in-use` where another process has it, and then nothing has happened. */
  start(): Promise<Result<T>>
  /** Asks that process; null where it does not answer. */
  handOver(): Promise<Result<A> | null>
  /** For tests: see below, in milliseconds. */
  patience?: number
  glance?: number
}

/** An app that begins or ends holds the directory and hears nobody; an end takes 3 s at most. In milliseconds. */
const usualPatience = 5_000
const usualGlance = 100

/**
 * Starts, or has the process that owns the data directory do what was asked. An owner that does not answer is beginning
 * or ending: it is waited for, so that nothing that was asked for is lost between the two.
 */
export async function startOrHandOver<T, A = HandOverAnswer>({
  start,
  handOver,
  patience = usualPatience,
  glance = usualGlance,
}: Starting<T, A>): Promise<Outcome<T, A>> {
  const until = performance.now() + patience
  for (;;) {
    const started = await start()
    if (started.ok) return { kind: 'started', value: started.value }
    const { failure } = started
    if (failure.code !== 'in-use') return { kind: 'failed', failure }
    const answer = await handOver()
    if (answer?.ok) return { kind: 'handed', answer: answer.value }
    if (answer) return { kind: 'failed', failure: answer.failure }
    if (performance.now() >= until) return { kind: 'failed', failure }
    await pause(glance)
  }
}
