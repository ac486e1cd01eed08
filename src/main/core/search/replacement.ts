import type { SearchHit, SearchQuery } from '../../../shared/contract/search'

/** Where a hit is, and what was shown of it. */
export type ReplacedHit = Pick<SearchHit, 'line' | 'from' | 'to' | 'match'>

/**
 * The result of replacing: `changed` if a hit is no longer there, `unlike` if this language's expressions don't match
 * what ripgrep's did.
 */
export type Replaced = { kind: 'done'; text: string } | { kind: 'changed' | 'unlike' }

/**
 * Replaces exactly these hits in a text with its own line endings. In an expression's replacement `$1` and `$<name>`
 * stand for groups, `$&` for the match, `$$` for a dollar sign, `\n` and `\t` for a line break and a tab.
 */
export function replaceHits(
  raw: string,
  hits: readonly ReplacedHit[],
  query: SearchQuery,
  replacement: string,
): Replaced {
  const expression = compileQuery(query)
  if (expression === null) return { kind: 'unlike' }
  const lineEnd = raw.includes('\r\n') ? '\r\n' : '\n'
  const starts = lineStarts(raw)
  const pieces: string[] = []
  let taken = 0
  for (const { line, from, to, match } of hits.toSorted(inOrder)) {
    const start = starts[line]
    if (start === undefined) return { kind: 'changed' }
    const text = lineAt(raw, start)
    if (!text.slice(from, to).startsWith(match) || start + from < taken) return { kind: 'changed' }
    const put = expand(text, from, to, expression, query.isRegex ? replacement : null)
    if (put === null) return { kind: query.isRegex ? 'unlike' : 'changed' }
    pieces.push(raw.slice(taken, start + from))
    pieces.push(query.isRegex ? put.replaceAll('\n', lineEnd) : replacement)
    taken = start + to
  }
  return { kind: 'done', text: pieces.join('') + raw.slice(taken) }
}

/** What a hit will be replaced with; null if that can't be told from what is shown of it. */
export function previewHit(
  { before, match, after, isCut }: Pick<SearchHit, 'before' | 'match' | 'after' | 'isCut'>,
  query: SearchQuery,
  replacement: string,
): string | null {
  if (!query.isRegex) return replacement
  const expression = compileQuery(query)
  if (expression === null || isCut) return null
  const start = before.replace(/^…/, '')
  const text = start + match + after.replace(/…$/, '')
  return expand(text, start.length, start.length + match.length, expression, replacement)
}

/** Word characters as ripgrep defines them. */
const wordLetter = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d]'

/** The query as a sticky JavaScript expression; null if it isn't a valid one. */
export function compileQuery({ text, isRegex, isCaseSensitive, isWholeWord }: SearchQuery): RegExp | null {
  const source = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, escapeLetter)
  const whole = isWholeWord ? `(?<!${wordLetter})(?:${source})(?!${wordLetter})` : source
  try {
    return new RegExp(whole, `ysu${isCaseSensitive ? '' : 'i'}`)
  } catch {
    return null
  }
}

/** Only these may be escaped in Unicode expressions; a hyphen is escaped by its number. */
function escapeLetter(letter: string): string {
  return letter === '-' ? '\\u002d' : `\\${letter}`
}

/** The replacement for one match; null if the expression doesn't match exactly there. */
function expand(
  line: string,
  from: number,
  to: number,
  expression: RegExp,
  replacement: string | null,
): string | null {
  expression.lastIndex = from
  const found = expression.exec(line)
  if (!found || from + found[0].length !== to) return null
  if (replacement === null) return found[0]
  return replacement.replaceAll(
    /\$(?:([$&])|(\d{1,2})|<([^>]*)>)|\\([nt\\])/g,
    (whole, sign?: string, number?: string, name?: string, letter?: string) => {
      if (sign !== undefined) return sign === '$' ? '$' : found[0]
      if (letter !== undefined) return letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\'
      if (name !== undefined) return found.groups ? (found.groups[name] ?? '') : whole
      const group = Number(number)
      return group > 0 && group < found.length ? (found[group] ?? '') : whole
    },
  )
}

function lineStarts(raw: string): number[] {
  const starts = [0]
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(raw: string, start: number): string {
  const end = raw.indexOf('\n', start)
  const line = raw.slice(start, end === -1 ? undefined : end)
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function inOrder(one: ReplacedHit, other: ReplacedHit): number {
  return one.line - other.line || one.from - other.from
}
