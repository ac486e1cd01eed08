import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** A place in a file: an absolute path, and a line and a column that count from 1, null where none was given. */
export interface NamedPlace {
  path: string
  line: number | null
  column: number | null
}

/**
 * What FILE[:LINE[:COLUMN]] names. A file that is really called like that wins over a line of another; where neither
 * is there, the words are taken for a name and a line.
 */
export function findPlace(
  word: string,
  cwd: string,
  isThere: (path: string) => boolean = isFile,
): NamedPlace {
  const whole = { path: resolve(cwd, word), line: null, column: null }
  if (isThere(whole.path)) return whole
  const readings = [/^(.+?):(\d{1,9})$/, /^(.+?):(\d{1,9}):(\d{1,9})$/].flatMap((pattern) => {
    const [, name, line, column] = pattern.exec(word) ?? []
    return name === undefined
      ? []
      : [{ path: resolve(cwd, name), line: countFromOne(line), column: countFromOne(column) }]
  })
  return readings.find(({ path }) => isThere(path)) ?? readings.at(-1) ?? whole
}

/** A sentence about the first path that isn't a file; null when all are. With `mayBeNew` files may not exist yet. */
export function complainAboutFiles(paths: readonly string[], { mayBeNew = false } = {}): string | null {
  for (const path of paths) {
    const stat = statOf(path)
    if (stat?.isDirectory()) return `${path} is a folder, not a file.`
    if (stat ? !stat.isFile() : !mayBeNew) return `${path} doesn’t exist.`
  }
  return null
}

/** Undefined where nothing is, or nothing that can be reached: opening it says why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false
}

/** Some programs call the first line and column 0. */
function countFromOne(digits: string | undefined): number | null {
  return digits === undefined ? null : Math.max(1, Number(digits))
}
