import { widen } from '../path-pattern'

/**
 * What happens when an agent changes a file that a pattern names: the change is written without a question, is asked
 * about whatever the agent's mode says, or is refused.
 */
export interface PathRule {
  /** As in .gitignore: relative to the window's folders, with `~/` to home, with `//` to the root. */
  pattern: string
  answer: 'write' | 'ask' | 'never'
}

/** How many rules there may be, and how many characters a pattern may have. */
export const mostPathRules = 200
export const longestPattern = 500

/** Why a rule can't hold, as a sentence; null if it can. */
export function describePatternProblem({ pattern, answer }: PathRule): string | null {
  if (pattern.trim() === '') return 'Name files by a pattern, such as docs/**.'
  if (pattern.length > longestPattern) return `Use at most ${longestPattern} characters.`
  if (pattern.startsWith('!')) return 'Leave out the “!”. Of all rules that fit, the strictest counts.'
  if (pattern.startsWith('#')) return 'Write \\# for a name that begins with #.'
  if (/[\r\n\0]/.test(pattern)) return 'Use one line for each pattern.'
  if (answer === 'write' && widen(pattern) !== pattern) {
    return 'Too many stars to be certain. Name more of the path.'
  }
  return null
}

/** Names of files that control how programs and agents behave: a rule that lets them through has to spell them out. */
export function isProtectedName(name: string): boolean {
  return name.startsWith('.') || name.toLowerCase() === 'claude.md'
}

/**
 * Patterns that would let a file through: one for the file itself, one for everything in its folder. None for a file
 * outside the window's folders, or one whose name would need escapes.
 */
export function patternsFor(path: string, folders: readonly string[], platform: string): string[] {
  const slashed = (text: string) => (platform === 'win32' ? text.replaceAll('\\', '/') : text)
  const folder = folders.map((one) => `${slashed(one)}/`).find((one) => slashed(path).startsWith(one))
  if (folder === undefined) return []
  const within = slashed(path).slice(folder.length)
  if (/[\\*?[\]\r\n\0]|\s$/.test(within)) return []
  const names = within.split('/')
  const [name = ''] = names.slice(-1)
  const around = names.slice(0, -1)
  const whole = around.length === 0 || isProtectedName(name) ? [] : [`${around.join('/')}/**`]
  return [around.length === 0 ? `/${within}` : within, ...whole]
}
