import ignore, { type Ignore } from 'ignore'

/**
 * Which files of a folder the person does not want to see, by patterns in the syntax of a .gitignore. Paths are
 * relative to the folder, with slashes. What lies in an excluded folder is excluded too.
 */
export class Exclusions {
  readonly #matcher: Ignore
  readonly #isEmpty: boolean

  constructor(patterns: readonly string[]) {
    this.#isEmpty = patterns.length === 0
    this.#matcher = ignore({ ignorecase: true, allowRelativePaths: true }).add([...patterns])
  }

  excludes(path: string, isFolder: boolean): boolean {
    if (this.#isEmpty || path === '') return false
    // With the slash, patterns for folders alone ("build/") hold too.
    return this.#matcher.ignores(isFolder ? `${path}/` : path)
  }
}
