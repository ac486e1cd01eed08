import type { Text } from '@codemirror/state'

/** Whole lines of a document: from the first one's start to the last one's end, without its line break. */
export interface Lines {
  readonly from: number
  readonly to: number
  /** The first line's number, from 1. */
  readonly first: number
  readonly count: number
}

/**
 * The lines that a change's range covers, or null when it covers none. A range at the document's end may begin with
 * the line break before its first line (see `textChanges` in shared/text/line-diff); that line is not part of it.
 */
export function linesIn(doc: Text, from: number, to: number): Lines | null {
  if (from >= to) return null
  let first = doc.lineAt(from)
  if (from === first.to && from !== first.from && first.number < doc.lines) first = doc.line(first.number + 1)
  // Most changes are of one line.
  if (to === first.to + 1 || to === first.to)
    return { from: first.from, to: first.to, first: first.number, count: 1 }
  let last = doc.lineAt(to)
  if (to === last.from && last.number > first.number) last = doc.line(last.number - 1)
  return {
    from: first.from,
    to: Math.max(first.to, last.to),
    first: first.number,
    count: Math.max(1, last.number - first.number + 1),
  }
}

/** How many lines a string that left the document had; its last line break ends a line and begins none. */
export function countLinesOf(text: string): number {
  if (text === '') return 0
  const breaks = text.split('\n').length - 1
  return Math.max(1, text.endsWith('\n') || text.startsWith('\n') ? breaks : breaks + 1)
}
