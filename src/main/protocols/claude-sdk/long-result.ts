import { shorten } from '../../core/history/shortened-record'

/** A record with more characters in its texts than this is shortened, as long lines of session files are. */
const mostCharacters = 256 * 1024

/** The record itself, or, if it is too long to be kept and shown, one with its longest texts cut; each says so at its end. */
export function shortenLong(record: unknown): unknown {
  return charactersIn(record, mostCharacters) > mostCharacters ? shorten(record) : record
}

/** Characters in all texts of a value; counting ends once there are more than `enough`. */
function charactersIn(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  for (const inner of Object.values(value)) {
    sum += charactersIn(inner, enough - sum)
    if (sum > enough) break
  }
  return sum
}
