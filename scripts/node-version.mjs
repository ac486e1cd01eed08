const needed = [20, 19]

/** The oldest Node that the app is made for. */
export const neededNode = needed.join('.')

/** Whether this Node is new enough. */
export function isNodeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

/** Ends with a sentence where Node is older than what the app is made for. */
export function requireNode() {
  if (isNodeNewEnough()) return
  process.stderr.write(
    `Greenlight needs Node ${neededNode} or newer; this is ${process.versions.node}. Get a newer one from https://nodejs.org and start again.\n`,
  )
  process.exit(1)
}
