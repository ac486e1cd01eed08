import { posix, win32 } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Patterns in .gitignore syntax, from one source and relative to one folder. */
export interface RuleList {
  /** The folder that `/x` and `x/y` are relative to, as a path with slashes. */
  base: string
  rules: readonly { pattern: string; spelled: string }[]
  /** Folders below the base to which they don't apply. */
  except?: readonly string[]
  /** The settings file they are from; null for the person's own. */
  file: string | null
}

/** The rule that applies to a path. */
export interface Match {
  /** As written. */
  rule: string
  file: string | null
}

/** How many stars in one name, and `**` in one pattern, are matched exactly. */
const mostStars = 3
const mostDoubleStars = 2
/** Deeper paths are not matched: that takes time that grows with the square of the depth. */
const deepest = 100

/** Finds the rule that applies to a path. Ignores case, and how a system composes accents. */
export class PathRules {
  readonly #lists: { list: RuleList; matcher: Ignore }[]

  constructor(lists: readonly RuleList[]) {
    this.#lists = lists
      .filter(({ rules }) => rules.length > 0)
      .map((list) => {
        const rules = list.rules.map(({ pattern, spelled }) => ({
          pattern: widen(pattern.normalize('NFC')),
          mark: spelled,
        }))
        return { list, matcher: ignore({ ignorecase: true }).add(rules) }
      })
  }

  /** The first rule that forbids a path (absolute, with slashes); `too-deep` if it was not matched. */
  match(path: string): Match | 'too-deep' | null {
    const normal = path.normalize('NFC')
    for (const { list, matcher } of this.#lists) {
      const within = pathWithin(list.base.normalize('NFC'), normal)
      if (within === null || list.except?.some((folder) => pathWithin(folder, path) !== null)) continue
      if (within.split('/').length > deepest) return 'too-deep'
      const { ignored, rule } = matcher.test(within)
      if (ignored) return { rule: rule?.mark ?? rule?.pattern ?? '', file: list.file }
    }
    return null
  }
}

/**
 * A path as rules write it: with slashes, and on Windows with the drive as the first folder (`C:\x` is `/c/x`), as in
 * Claude Code's rules.
 */
export function slashed(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return posix.normalize(path)
  const normal = win32.normalize(path).replaceAll('\\', '/')
  return normal.replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`)
}

/** A path relative to a folder that contains it; null if it is elsewhere or the folder itself. */
function pathWithin(folder: string, path: string): string | null {
  const start = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : null
}

/** A pattern for the person's own list that matches exactly one file. */
export function patternFor(path: string, home: string, platform: NodeJS.Platform = process.platform): string {
  const normal = slashed(path, platform)
  const within = pathWithin(slashed(home, platform), normal)
  return within === null ? `/${escapePattern(normal)}` : `~/${escapePattern(within)}`
}

/**
 * The person's own patterns with their folders: `//x` is relative to the root of the file system, `~/x` to home, others
 * to each folder of the window and, for files outside them, to the root.
 */
export function anchorPatterns(
  patterns: readonly string[],
  folders: readonly string[],
  homes: readonly string[],
): RuleList[] {
  const lists = { root: [] as string[], home: [] as string[], relative: [] as string[] }
  for (const pattern of patterns) {
    if (pattern.startsWith('//')) lists.root.push(pattern)
    else if (pattern.startsWith('~/')) lists.home.push(pattern)
    else lists.relative.push(pattern)
  }
  const cut = (pattern: string) => ({ pattern: pattern.slice(1), spelled: pattern })
  const relative = lists.relative.map((pattern) => ({ pattern, spelled: pattern }))
  return [
    { base: '/', rules: lists.root.map(cut), file: null },
    ...homes.map((base) => ({ base, rules: lists.home.map(cut), file: null })),
    ...folders.map((base) => ({ base, rules: relative, file: null })),
    { base: '/', except: folders, rules: relative, file: null },
  ]
}

/** Escapes a path, so that as a pattern it matches only itself. */
export function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]!#]/g, '\\$&').replace(/ +$/, (spaces) => spaces.replaceAll(' ', '\\ '))
}

/**
 * Makes a pattern quick to match: with too many stars it is made to forbid more, never less. A folder's settings may
 * come from a stranger, and a regular expression can be made to take years.
 */
export function widen(pattern: string): string {
  const isNegative = pattern.startsWith('!')
  const parts = (isNegative ? pattern.slice(1) : pattern).split('/')
  const doubles = parts.flatMap((part, index) => (part === '**' ? [index] : []))
  const [first, last] = [doubles[0], doubles.at(-1)]
  const isTooDeep = doubles.length > mostDoubleStars
  const fewer =
    isTooDeep && first !== undefined && last !== undefined
      ? parts.toSpliced(first, last - first + 1, '**')
      : parts
  const simple = fewer.map(widenName)
  const isWider = isTooDeep || simple.some((part, index) => part !== fewer[index])
  // A negated pattern that allowed more than it says would reveal what is forbidden.
  if (isNegative) return isWider ? '' : pattern
  return simple.join('/')
}

function widenName(name: string): string {
  if (name === '**') return name
  const runs = name.split(/\*+/)
  if (runs.length - 1 <= mostStars) return name
  if (/[\\[\]]/.test(name)) return '*'
  return `${runs[0] ?? ''}*${runs.at(-1) ?? ''}`
}
