import type { Log } from './log'

/** Who is told about errors that nobody caught. */
export interface StrayErrors {
  log: Log
  /** Shows the person a sentence. False if there is nobody yet: then the start itself has failed. */
  tell(sentence: string): boolean
  end(): void
}

/** How long until the person is told again, in milliseconds. */
const pause = 60_000
/** How many stack frames go to the log. */
const mostFrames = 8

const sentence =
  'Something went wrong in Greenlight, but it keeps running. If anything looks wrong, reload the page. Details are in the logs folder of the data directory.'

/**
 * Logs and tells errors and rejections that nobody catches. They end the process only during its start: later, one
 * event that failed would end every agent's terminals and reviews.
 */
export function catchStrayErrors({ log, tell, end }: StrayErrors): void {
  let toldAt = -Infinity
  const hear = (error: unknown) => {
    const stack = error instanceof Error ? error.stack?.split('\n').slice(1, 1 + mostFrames) : undefined
    log.error('bug', { error, stack: stack?.map((line) => line.trim()) })
    const now = performance.now()
    if (now - toldAt < pause) return
    try {
      if (!tell(sentence)) return end()
      toldAt = now
    } catch (failed) {
      // A failure to tell the person is no reason to end either.
      log.error('bug', { error: failed })
    }
  }
  process.on('uncaughtException', hear)
  process.on('unhandledRejection', hear)
}
