import { firstOf } from '../../../shared/rpc/message-pieces'

/** A longer text is cut, in characters. */
const longestText = 16 * 1024
/** As much is kept of one that is cut. */
const keptText = 4 * 1024
/** A longer list is cut. */
const longestList = 2000
/** Deeper than this nothing is kept. */
const deepest = 24

/**
 * A record with its longest texts and lists cut, so that it can be shown and sent around; what is cut says so at its
 * end. Ids, names and times are short and stay as they are.
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
