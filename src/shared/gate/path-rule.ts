/**
 * What becomes of a change of the files that a pattern names: it is written without a question, asked about whatever the
 * agent's mode says, or refused.
 */
export interface PathRule {
  /** As in .gitignore: relative to the window's folders, with `~/` to home, with `//` to the root. */
  pattern: string
  answer: 'write' | 'ask' | 'never'
}
