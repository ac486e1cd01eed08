import { type PathRule, describePatternProblem, isProtectedName } from '../../../shared/gate/path-rule'
import { PathRules, allNames, anchorPatterns, pathWithin, slashed } from '../files/path-rules'
import { resolveRealPath } from '../files/real-path'

/** Where the rules come from, and what their patterns are relative to. */
export interface RuleSources {
  rules(): readonly PathRule[]
  /** The window's folders; real paths. */
  folders(): readonly string[]
  home: string
}

interface ReadRules {
  rules: readonly PathRule[]
  folders: readonly string[]
  never: PathRules
  ask: PathRules
  write: readonly WriteRule[]
}

/** A rule that lets changes through in one folder. */
interface WriteRule {
  rule: PathRule
  folder: string
  matcher: PathRules
  /** What its pattern is relative to. */
  bases: readonly string[]
  /** The protected names that its pattern spells, in order. */
  spelled: readonly string[]
}

/**
 * The person's rules by path. A rule that forbids or asks may match more than it says. One that lets through matches
 * exactly: only inside a folder of the window, both the path as named and the real path, and never by a wildcard a name
 * that begins with a dot, or CLAUDE.md.
 */
export class GateRules {
  readonly #sources: RuleSources
  #homes: Promise<readonly string[]> | null = null
  #read: ReadRules | null = null

  constructor(sources: RuleSources) {
    this.#sources = sources
  }

  /**
   * The rule for a file, which may not exist yet; if several fit, the strictest. Null if none does. `resolving`: its real
   * path, if the caller needs that too.
   */
  async of(path: string, resolving?: Promise<string>): Promise<PathRule | null> {
    if (this.#sources.rules().length === 0) return null
    const real = await (resolving ?? resolveRealPath(path)).catch(() => null)
    const [named, resolved] = [slashed(path), real === null ? null : slashed(real)]
    this.#homes ??= allNames(this.#sources.home)
    const { rules, never, ask, write } = this.#current(await this.#homes)
    for (const [answer, matcher] of [
      ['never', never],
      ['ask', ask],
    ] as const) {
      const match = matcher.match(named) ?? (resolved === null ? null : matcher.match(resolved))
      if (match === null) continue
      // A path too deep to be matched counts as forbidden if anything is.
      const pattern =
        match === 'too-deep' ? rules.find((rule) => rule.answer === answer)?.pattern : match.rule
      return { pattern: pattern ?? '', answer }
    }
    if (resolved === null) return null
    return write.find((one) => letsThrough(one, named) && letsThrough(one, resolved))?.rule ?? null
  }

  #current(homes: readonly string[]): ReadRules {
    const [rules, folders] = [this.#sources.rules(), this.#sources.folders()]
    const isSame = this.#read?.rules === rules && this.#read.folders.join('\n') === folders.join('\n')
    if (this.#read && isSame) return this.#read
    return (this.#read = readRules(rules, [...folders], homes))
  }
}

function readRules(
  all: readonly PathRule[],
  folders: readonly string[],
  homes: readonly string[],
): ReadRules {
  const rules = all.filter((rule) => describePatternProblem(rule) === null)
  const slashedFolders = folders.map((folder) => slashed(folder))
  const patternsOf = (answer: PathRule['answer']) =>
    rules.filter((rule) => rule.answer === answer).map(({ pattern }) => pattern)
  const strict = (answer: PathRule['answer']) =>
    new PathRules(anchorPatterns(patternsOf(answer), slashedFolders, homes))
  return {
    ...{ rules: all, folders, never: strict('never'), ask: strict('ask') },
    write: rules
      .filter(({ answer }) => answer === 'write')
      .flatMap((rule) => slashedFolders.map((folder) => writeRule(rule, folder, homes))),
  }
}

function writeRule(rule: PathRule, folder: string, homes: readonly string[]): WriteRule {
  const { pattern } = rule
  const matcher = new PathRules(anchorPatterns([pattern], [folder], homes), 'exact')
  const bases = pattern.startsWith('//') ? ['/'] : pattern.startsWith('~/') ? homes : [folder]
  return { rule, folder, matcher, bases, spelled: literalNames(pattern).filter(isProtectedName) }
}

function letsThrough({ folder, matcher, bases, spelled }: WriteRule, path: string): boolean {
  if (pathWithin(folder, path) === null) return false
  const match = matcher.match(path)
  if (match === null || match === 'too-deep') return false
  return bases.some((base) => {
    const names = pathWithin(base, path)?.split('/').filter(isProtectedName)
    // If the pattern fits, each of its literal names stands for one name of the path, so none is left to a wildcard.
    return names?.length === spelled.length && names.every((name, index) => name === spelled[index])
  })
}

/** A pattern's names that have no wildcards, unescaped. */
function literalNames(pattern: string): string[] {
  return pattern
    .split('/')
    .filter((name) => !/[*?[]/.test(name.replaceAll(/\\./g, '')))
    .map((name) => name.replaceAll(/\\(.)/g, '$1'))
}
