import ignore, { type Ignore } from 'ignore'

/**
 * Which files of a folder the person doesn't want to see, by patterns in .gitignore syntax. Paths are relative to the
 * folder, with slashes. Everything in an excluded folder is excluded too.
 */
export class Exclusions {
  /** Patterns that are whole names, in lower case: most are, and a set is fast even for 100,000 files. */
  readonly #names: ReadonlySet<string>
  readonly #matcher: Ignore | null

  constructor(patterns: readonly string[]) {
    // An exception applies to the patterns before it, so then all are matched in their order.
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
    // With the slash, patterns for folders only ("build/") match too.
    return this.#matcher?.ignores(isFolder ? `${path}/` : path) ?? false
  }
}
