import { type Json, parseJson } from '../../../shared/json'

/**
 * What a tool is given, as text that a person can read through: a line for each member, several lines indented. Two
 * different inputs never read alike, so a rule for one doesn't fit another.
 */
export function readableInput(input: Json): string {
  return Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => member(nameOf(name), value))
    .join('\n')
}

function member(name: string, value: unknown): string {
  const text = typeof value === 'string' ? plain(value) : JSON.stringify(value, null, 2)
  if (!/[\n\r]/.test(text)) return `${name}: ${text}`
  return [`${name}:`, ...text.split('\n')].join('\n  ')
}

/** A text as it is, quoted where it would read like something else: a number, an object, nothing. */
function plain(text: string): string {
  const isJson = parseJson(text) !== undefined
  return text.trim() === '' || text !== text.trim() || isJson ? JSON.stringify(text) : text
}

function nameOf(name: string): string {
  return /^[\w.$-]+$/.test(name) ? name : JSON.stringify(name)
}
