import { ChangeSet, type ChangeSpec, type Text } from '@codemirror/state'
import type { FormatRules } from './editor-config'

/**
 * What a save changes in a text by the project's rules: trailing white space, and a line break after the last line. A
 * CR at a line's end, as in texts with mixed line endings, stays. Undefined if there is nothing to change.
 */
export function tidyText(text: Text, rules: FormatRules): ChangeSet | undefined {
  const changes: ChangeSpec[] = []
  if (rules.trimTrailingWhitespace) {
    let from = 0
    for (const line of text.iterLines()) {
      const end = line.endsWith('\r') ? line.length - 1 : line.length
      let kept = end
      while (kept > 0 && isBlank(line.charCodeAt(kept - 1))) kept--
      if (kept < end) changes.push({ from: from + kept, to: from + end })
      from += line.length + 1
    }
  }
  if (rules.insertFinalNewline && text.length > 0) {
    const last = text.line(text.lines)
    const isOnlyBlank = rules.trimTrailingWhitespace === true && /^[ \t]*$/.test(last.text)
    if (last.length > 0 && !isOnlyBlank) changes.push({ from: text.length, insert: '\n' })
  }
  return changes.length === 0 ? undefined : ChangeSet.of(changes, text.length, '\n')
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}
