let last: Promise<unknown> = Promise.resolve()

/**
 * Makes a change of settings once those before it are answered. The host tells what has changed before it answers, so a
 * change that reads the mirrors only when it is made takes back none of them.
 */
export function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const changed = last.then(change)
  last = changed.catch(() => {})
  return changed
}
