import { type Json, objectOf, parseJson } from '../json'

/**
 * How much is read, in characters: the members that say what a tool is about come first, and with each new piece the
 * reading starts over.
 */
const longestRead = 4000

/**
 * The members that a JSON object has so far, while its text is still being written; an unfinished string is given as far
 * as it goes. Empty if nothing can be read yet.
 */
export function readBegun(text: string): Json {
  const head = text.slice(0, longestRead)
  const closers: string[] = []
  /** Where the last whole member ends, and what would close the text there. */
  let safe: { end: number; closing: string } | null = null
  let isText = false
  let end = head.length
  for (let at = 0; at < head.length; at++) {
    const sign = head[at]
    if (isText) {
      if (sign === '\\') {
        const length = head[at + 1] === 'u' ? 6 : 2
        // An escape that is cut off is left out.
        if (at + length > head.length) end = at
        at += length - 1
      } else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{') closers.unshift('}')
    else if (sign === '[') closers.unshift(']')
    else if (sign === '}' || sign === ']') closers.shift()
    else if (sign === ',') safe = { end: at, closing: closers.join('') }
  }
  const whole = head.slice(0, end) + (isText ? '"' : '') + closers.join('')
  return (
    objectOf(parseJson(whole)) ?? (safe && objectOf(parseJson(head.slice(0, safe.end) + safe.closing))) ?? {}
  )
}
