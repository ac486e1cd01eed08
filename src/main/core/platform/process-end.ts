/** How long files that are being read or written may still take at the end, in milliseconds. */
const patience = 250
/** How often it is looked whether they are done; Node tells of no such event. */
const look = 10

/**
 * Ends the process by `exit`, once no work with files is under way. An exit waits for each of Node's file threads, so
 * one that hangs (a network drive that is gone) would keep the process for good: then the process kills itself. What
 * must be on disk has to be there before.
 */
export function endProcess(exit: () => void): void {
  const until = performance.now() + patience
  const next = () => {
    if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) return exit()
    if (performance.now() < until) return void setTimeout(next, look)
    process.kill(process.pid, 'SIGKILL')
  }
  next()
}
