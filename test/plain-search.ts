import type { SearchQuery } from '../src/shared/contract/search'
import { type FoundHit, describeHit } from '../src/main/core/search/found-hit'
import { compileQuery } from '../src/main/core/search/replacement'

/** All places in a text that JavaScript's own expressions find, line by line; none where the query is no expression. */
export function hitsOf(raw: string, query: SearchQuery): FoundHit[] {
  const sticky = compileQuery(query)
  if (sticky === null) return []
  const expression = new RegExp(sticky.source, sticky.flags.replace('y', 'g'))
  return raw.split('\n').flatMap((whole, number) => {
    const line = whole.replace(/\r$/, '')
    return [...line.matchAll(expression)]
      .filter(([match]) => match !== '')
      .map(({ 0: match, index }) => describeHit(number, line, [index, index + match.length]))
  })
}
