/** How long the end may take by then, in milliseconds: the rest of the 3 s is for the process itself. */
const longest = 2750
/** How often to check whether they are done, in milliseconds; Node has no event for it. */
const look = 10

/**
 * Ends the process by `exit`, once no file is being read or written. An exit waits for all of Node's file threads, so
 * one that hangs (a network drive that is gone) would keep the process alive forever: then the process kills itself
 * while there is still time. Whatever must be on disk has to be there before. `begun`: when the end began, by
 * `performance.now()`.
 */
export function endProcess(exit: () => void, begun = performance.now()): void {
  const until = begun + longest
  const next = () => {
    if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) return exit()
    if (performance.now() < until) return void setTimeout(next, look)
    process.kill(process.pid, 'SIGKILL')
  }
  next()
}
