import type { Text } from '@codemirror/state'

/**
 * The offset that a typed place means: a line from 1, or `+` or `-` a number of lines from the cursor's, and after a
 * colon a column from 1. A place beyond the text gives the nearest one. Null where it is none of these.
 */
export function readTypedLine(typed: string, text: Text, cursor: number): number | null {
  const found = /^([+-])?(\d{1,9})?(?::(\d{0,9}))?$/.exec(typed.trim())
  const [, sign, digits, column] = found ?? []
  if (!found || (digits === undefined && !column)) return null
  const here = text.lineAt(cursor).number
  const wanted = digits === undefined ? here : Number(digits)
  const number = sign === '+' ? here + wanted : sign === '-' ? here - wanted : wanted
  const line = text.line(Math.max(1, Math.min(text.lines, number)))
  return line.from + Math.max(0, Math.min(line.length, Number(column || 1) - 1))
}
