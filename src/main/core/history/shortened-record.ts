import { firstOf } from '../../../shared/rpc/message-pieces'

/** Longer texts are cut, in characters, */
const longestText = 16 * 1024
/** to this length. */
const keptText = 4 * 1024
/** Longer lists are cut. */
const longestList = 2000
/** Nothing deeper is kept. */
const deepest = 24

/**
 * A record with its longest texts and lists cut, so that it can be shown and sent. A cut text says so at its end. Ids,
 * names and times are short and stay as they are.
 */
export function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.length <= longestText) return value
    return `${firstOf(value, keptText)}… (${value.length - keptText} more characters)`
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return null
  if (Array.isArray(value)) {
    return (value as unknown[]).slice(0, longestList).map((item) => shorten(item, depth + 1))
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner, depth + 1)]))
}
