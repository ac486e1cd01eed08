import type { EditorState } from '@codemirror/state'

/** Lines from 0, the last one included. */
interface LineSpan {
  first: number
  last: number
}

/** The lines of the selection; null, for the whole file, when nothing is selected. */
export function mentionedLines(state: EditorState): LineSpan | null {
  const { from, to, empty } = state.selection.main
  if (empty) return null
  const last = state.doc.lineAt(to)
  // A selection of whole lines ends at the start of the next one, which isn't selected.
  const end = to === last.from && to > from ? last.number - 1 : last.number
  return { first: state.doc.lineAt(from).number - 1, last: end - 1 }
}

/** "Mentioned app.ts lines 3–7 to Claude": as people count, from 1. */
export function describeMention(name: string, lines: LineSpan | null, agents: readonly string[]): string {
  const what =
    lines === null
      ? name
      : lines.first === lines.last
        ? `${name} line ${lines.first + 1}`
        : `${name} lines ${lines.first + 1}–${lines.last + 1}`
  if (agents.length === 0)
    return `No agent is connected, so ${what} can’t be mentioned. Start one in a terminal first.`
  const distinct = [...new Set(agents)]
  const whom =
    distinct.length === 1 ? distinct[0] : `${distinct.slice(0, -1).join(', ')} and ${distinct.at(-1)}`
  return `Mentioned ${what} to ${whom}`
}
