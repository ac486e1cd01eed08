import type { SearchHit } from '../../../shared/contract/search'

/** A place in a line, in UTF-16 units; `to` is exclusive. */
export type Span = readonly [from: number, to: number]

/** A hit without its number. */
export type FoundHit = Omit<SearchHit, 'id'>

/** Short, so that the match itself is visible in a narrow list. */
const mostBefore = 26
const mostMatch = 200
const mostAfter = 160

/** What is shown of a hit: its line without indentation, cut around it. */
export function describeHit(line: number, text: string, [from, to]: Span): FoundHit {
  const indentation = text.length - text.trimStart().length
  const start = Math.min(from, Math.max(indentation, from - mostBefore))
  const shown = Math.min(to, from + mostMatch)
  return {
    line,
    from,
    to,
    before: (start > indentation ? '…' : '') + whole(text.slice(start, from)),
    match: whole(text.slice(from, shown)),
    after: shown < to ? '…' : cutEnd(text.slice(to)),
    isCut: shown < to,
  }
}

function cutEnd(text: string): string {
  return text.length > mostAfter ? `${whole(text.slice(0, mostAfter))}…` : text
}

/** Without half of a surrogate pair at a cut, which can't be shown. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
