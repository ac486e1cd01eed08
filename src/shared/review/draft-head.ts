import type { Draft, Hunk } from './draft'

/** How many unchanged lines stay visible beside a change when the others are folded. */
export const foldMargin = 3
/** A stretch of unchanged lines shorter than this is never folded. */
export const shortestFold = 6

/** The fewest rows to send ahead: enough for a window 1,300 pixels high. */
const wantedRows = 60
/** Neither text of a head is longer than this, in UTF-16 units. */
const longestHead = 128 * 1024
/** Changes whose JSON may be longer than this are sent in pieces, like a long text. */
const longHunks = 64 * 1024
/** The approximate length of a change's JSON without its texts. */
const hunkFrame = 160

/** Whether a draft's changes are so many or so long that they should be fetched in pieces. */
export function areLong(hunks: readonly Hunk[]): boolean {
  let length = 0
  for (const { proposed, decision } of hunks) {
    length += hunkFrame + proposed.length + (decision.kind === 'undecided' ? 0 : decision.was.length)
    if (length > longHunks) return true
  }
  return false
}

/**
 * The head of a long draft, to be shown before the rest has arrived: the first lines of both texts with all changes in
 * them. Its last line (without the line break) is one that no change covers and that stays visible when unchanged lines
 * are folded, so the rest moves nothing. Null if the first change is far below.
 */
export function headOf(draft: Draft): Draft | null {
  const { a, b, hunks } = draft
  let rows = 0
  let head: Draft | null = null
  for (const [index, hunk] of hunks.entries()) {
    const { toA, toB } = hunk
    if (Math.max(toA, toB) > longestHead) break
    const next = hunks[index + 1]
    const first = b.lineAt(toB).number
    const last = next ? b.lineAt(next.fromB).number - 1 : b.lines
    const gap = Math.max(0, last - first + 1)
    rows += rowsOf(draft, hunk)
    if (gap > 0) {
      const { to } = b.line(first + Math.min(gap, foldMargin) - 1)
      if (to >= toB && to < (next ? next.fromB : b.length) && to <= longestHead) {
        head = { a: a.slice(0, to - toB + toA), b: b.slice(0, to), hunks: hunks.slice(0, index + 1) }
      }
    }
    rows += Math.min(gap, 2 * foldMargin + shortestFold)
    if (head && rows >= wantedRows) break
  }
  return head
}

/** About how many rows a change takes; one if it is decided, since then it is folded. */
function rowsOf({ a, b }: Draft, { decision, fromA, toA, fromB, toB }: Hunk): number {
  if (decision.kind !== 'undecided') return 1
  const linesA = toA > fromA ? a.lineAt(toA - 1).number - a.lineAt(fromA).number + 1 : 0
  const linesB = toB > fromB ? b.lineAt(toB - 1).number - b.lineAt(fromB).number + 1 : 0
  return linesA + linesB
}
