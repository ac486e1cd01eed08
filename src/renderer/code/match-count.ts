import type { SearchQuery } from '@codemirror/search'
import type { EditorState } from '@codemirror/state'

/** How many places match, and which of them is selected (from 1; 0 where none is). */
export interface MatchCount {
  total: number
  current: number
  /** There are more, but counting them would take too long. */
  isPartial: boolean
}

/** Nobody reads a larger number. */
const mostCounted = 10_000

/** Counts the matches of a query, for at most `budget` milliseconds. */
export function countMatches(state: EditorState, query: SearchQuery, budget = 30): MatchCount {
  const count: MatchCount = { total: 0, current: 0, isPartial: false }
  if (!query.valid) return count
  const { from, to } = state.selection.main
  const end = performance.now() + budget
  const cursor = query.getCursor(state)
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    count.total++
    if (next.value.from === from && next.value.to === to) count.current = count.total
    if (count.total >= mostCounted || (count.total % 64 === 0 && performance.now() > end)) {
      count.isPartial = true
      return count
    }
  }
  return count
}

/** A count in words: "3 of 12", "12 found", "Nothing found". */
export function describeMatches({ total, current, isPartial }: MatchCount): string {
  if (total === 0) return 'Nothing found'
  const all = isPartial ? `${total}+` : String(total)
  return current > 0 ? `${current} of ${all}` : `${all} found`
}
