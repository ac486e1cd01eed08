import ignore, { type Ignore } from 'ignore'

/**
 * Which files of a folder the person does not want to see, by patterns in the syntax of a .gitignore. Paths are
 * relative to the folder, with slashes. What lies in an excluded folder is excluded too.
 */
export class Exclusions {
  /** Patterns that are whole names, in small letters: most are, and a set answers for 100,000 files at once. */
  readonly #names: ReadonlySet<string>
  readonly #matcher: Ignore | null

  constructor(patterns: readonly string[]) {
    // An exception counts against what stands before it, so then all are taken in their order.
    const isOrdered = patterns.some((pattern) => pattern.startsWith('!'))
    const isName = (pattern: string) => !isOrdered && /^[^/*?[\]\\#\s]+$/.test(pattern)
    this.#names = new Set(patterns.filter(isName).map((pattern) => pattern.toLowerCase()))
    const others = patterns.filter((pattern) => !isName(pattern))
    this.#matcher =
      others.length > 0 ? ignore({ ignorecase: true, allowRelativePaths: true }).add(others) : null
  }

  excludes(path: string, isFolder: boolean): boolean {
    if (path === '') return false
    if (this.#names.size > 0 && path.split('/').some((name) => this.#names.has(name.toLowerCase())))
      return true
    // With the slash, patterns for folders alone ("build/") hold too.
    return this.#matcher?.ignores(isFolder ? `${path}/` : path) ?? false
  }
}
