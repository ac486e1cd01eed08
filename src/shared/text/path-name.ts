/** The last part of a path of any system; empty after a separator at the end. */
export function nameOfPath(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** Whether a path is a folder or inside it. After a leading slash only slashes separate. */
export function isWithin(folder: string, path: string): boolean {
  const separator = folder.startsWith('/') ? /\/$/ : /[\\/]$/
  const next = path.slice(0, folder.length + 1)
  return path === folder || (path.startsWith(folder) && (separator.test(folder) || separator.test(next)))
}
