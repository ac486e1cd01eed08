import { type Json, objectOf } from '../../../shared/json'
import { shorten } from '../../core/history/shortened-record'

/** A record with more characters in its texts than this is shortened, as long lines of session files are. */
const mostCharacters = 256 * 1024
/** A longer picture is left out, in characters of base64; half of one is none. */
const longestPicture = 8 * 1024 * 1024

/** Longer lists are cut. */
const longestList = 2000

/** The record itself, or, if it is too long to be kept and shown, one with its longest texts cut; each says so at its end. */
export function shortenLong(record: unknown): unknown {
  return charactersIn(record, mostCharacters) > mostCharacters ? shortened(record) : record
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

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).slice(0, longestList).map(shortened)
  const object = objectOf(value)
  if (!object) return shorten(value)
  if (isPicture(object)) return object.data.length > longestPicture ? { ...object, data: '' } : object
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, shortened(inner)]))
}

function isPicture(object: Json): object is Json & { data: string } {
  return object['type'] === 'base64' && typeof object['data'] === 'string'
}
