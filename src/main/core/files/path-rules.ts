import { posix, win32 } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { widen } from '../../../shared/path-pattern'
import { resolveRealPath } from './real-path'

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

/** Deeper paths are not matched: that takes time that grows with the square of the depth. */
const deepest = 100

/**
 * Finds the rule that applies to a path. As `strict` it ignores case, and how a system composes accents, and a pattern
 * that is too complex fits more than it says; as `exact` none of these.
 */
export class PathRules {
  readonly #lists: { list: RuleList; matcher: Ignore }[]
  readonly #spell: (text: string) => string

  constructor(lists: readonly RuleList[], as: 'strict' | 'exact' = 'strict') {
    this.#spell = as === 'strict' ? (text) => text.normalize('NFC') : (text) => text
    this.#lists = lists
      .filter(({ rules }) => rules.length > 0)
      .map((list) => {
        const rules = list.rules.map(({ pattern, spelled }) => ({
          pattern: as === 'strict' ? widen(this.#spell(pattern)) : pattern,
          mark: spelled,
        }))
        return { list, matcher: ignore({ ignorecase: as === 'strict' }).add(rules) }
      })
  }

  /** The first rule that fits a path (absolute, with slashes); `too-deep` if it was not matched. */
  match(path: string): Match | 'too-deep' | null {
    const spelled = this.#spell(path)
    for (const { list, matcher } of this.#lists) {
      const within = pathWithin(this.#spell(list.base), spelled)
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

/** A folder under its given name, and under its real path if that differs, with slashes. */
export async function allNames(folder: string): Promise<string[]> {
  const real = await resolveRealPath(folder).catch(() => folder)
  return [...new Set([slashed(folder), slashed(real)])]
}

/** A path relative to a folder that contains it; null if it is elsewhere or the folder itself. */
export function pathWithin(folder: string, path: string): string | null {
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
