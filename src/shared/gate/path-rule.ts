import { widen } from '../path-pattern'

/**
 * What becomes of a change of the files that a pattern names: it is written without a question, asked about whatever the
 * agent's mode says, or refused.
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
