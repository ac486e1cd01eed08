import { parseJson } from '../../../shared/json'

/**
 * Parses the beginning of a JSON text: whole values are kept, the cut one is left out, and open objects and lists are
 * closed. Undefined if there is nothing to parse, or if it is not JSON.
 */
export function readHead(text: string): unknown {
  const whole = parseJson(text)
  return whole === undefined ? readCut(text) : whole
}

function readCut(text: string): unknown {
  const open: string[] = []
  /** Up to `end` the text can be closed with the brackets in `closing`. */
  let whole: { end: number; closing: string } | null = null
  const mark = (end: number) => (whole = { end, closing: [...open].reverse().join('') })
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') {
      const end = endOfString(text, at)
      if (end === -1) break
      at = end
    } else if (letter === '{' || letter === '[') {
      open.push(letter === '{' ? '}' : ']')
      mark(at + 1)
    } else if (letter === '}' || letter === ']') {
      if (open.pop() !== letter) return undefined
      mark(at + 1)
    } else if (letter === ',') {
      mark(at)
    }
  }
  const found = whole as { end: number; closing: string } | null
  return found === null ? undefined : parseJson(text.slice(0, found.end) + found.closing)
}

/** The index of the quote that ends the string begun at `start`, or -1. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}
