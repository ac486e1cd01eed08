/** A path with the home directory as ~. */
export function shorten(path: string, home: string): string {
  const separator = path[home.length]
  const isInside = path.startsWith(home) && (separator === '/' || separator === '\\' || path === home)
  return isInside ? `~${path.slice(home.length)}` : path
}
