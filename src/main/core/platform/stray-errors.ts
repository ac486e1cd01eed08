import type { Log } from './log'

/** Who hears of errors that nobody has caught. */
export interface StrayErrors {
  log: Log
  /** Tells the person a sentence. False where there is nobody yet: the start itself has failed then. */
  tell(sentence: string): boolean
  end(): void
}

/** The person is told of it again after so long, in milliseconds. */
const pause = 60_000
/** So many lines of where an error came from go to the log. */
const mostFrames = 8

const sentence =
  'Something went wrong in Greenlight, but it keeps running. If anything looks wrong, reload the page. Details are in the logs folder of the data directory.'

/**
 * Errors and rejections that nobody catches from now on are logged and told. They end the process only while it starts:
 * later, the terminals and reviews of every agent would end with one event that failed.
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
      // Telling is no reason to end either.
      log.error('bug', { error: failed })
    }
  }
  process.on('uncaughtException', hear)
  process.on('unhandledRejection', hear)
}
