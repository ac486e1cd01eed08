const needed = [20, 19]

/** Ends with a sentence where Node is older than what the app is made for. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return
  process.stderr.write(
    `Greenlight needs Node ${needed.join('.')} or newer; this is ${process.versions.node}. Get a newer one from https://nodejs.org and start again.\n`,
  )
  process.exit(1)
}
