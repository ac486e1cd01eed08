/** How long files may still be read or written at the end, in milliseconds. */
const patience = 250
/** How often to check whether they are done, in milliseconds; Node has no event for it. */
const look = 10

/**
 * Ends the process by `exit`, once no file is being read or written. An exit waits for all of Node's file threads, so
 * one that hangs (a network drive that is gone) would keep the process alive forever: then the process kills itself.
 * Whatever must be on disk has to be there before.
 */
export function endProcess(exit: () => void, limit = patience): void {
  const until = performance.now() + limit
  const next = () => {
    if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) return exit()
    if (performance.now() < until) return void setTimeout(next, look)
    process.kill(process.pid, 'SIGKILL')
  }
  next()
}
