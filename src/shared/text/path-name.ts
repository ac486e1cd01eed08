/** The last part of a path, whatever its system; empty behind a separator at the end. */
export function nameOfPath(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
