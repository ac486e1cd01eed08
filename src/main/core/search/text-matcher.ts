import type { SearchHit, SearchQuery } from '../../../shared/contract/search'
import { type Result, fail, succeed } from '../../../shared/result'

/** A place in a line: from, and behind its last letter, in UTF-16 units. */
export type Span = readonly [from: number, to: number]

/** A hit without its number. */
export type FoundHit = Omit<SearchHit, 'id'>

/** The letters of words, as Unicode has them. */
const wordLetter = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]'

/** What is searched as an expression of this language's own. Fails with a sentence where it is none. */
export function compileQuery(
  { text, isRegex, isCaseSensitive, isWholeWord }: SearchQuery,
  flags: 'g' | 'y' = 'g',
): Result<RegExp> {
  const source = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, escapeLetter)
  const whole = isWholeWord ? `(?<!${wordLetter})(?:${source})(?!${wordLetter})` : source
  try {
    return succeed(new RegExp(whole, `${flags}su${isCaseSensitive ? '' : 'i'}`))
  } catch {
    return fail(
      'invalid',
      'This is not a valid regular expression. Mend it, or search for the plain text instead.',
    )
  }
}

/** In Unicode expressions only these may be escaped; a hyphen is escaped by its number. */
function escapeLetter(letter: string): string {
  return letter === '-' ? '\\u002d' : `\\${letter}`
}

/** All places in a line, which has no line end; empty ones do not count. */
export function findSpans(line: string, expression: RegExp): Span[] {
  const spans: Span[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(line); found; found = expression.exec(line)) {
    const to = found.index + found[0].length
    if (to > found.index) spans.push([found.index, to])
    else expression.lastIndex += (line.codePointAt(to) ?? 0) > 0xffff ? 2 : 1
  }
  return spans
}

/** The lines of a text as they are searched: split at LF, without a CR before it. */
export function linesOf(raw: string): string[] {
  const lines = raw.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Little, so that the match itself is in sight in a narrow list. */
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

/** Half of a pair at a cut is nothing that can be shown. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}
