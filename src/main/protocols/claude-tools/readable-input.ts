import type { Json } from '../../../shared/json'

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
  return text.trim() === '' || text !== text.trim() || isJson(text) ? JSON.stringify(text) : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function nameOf(name: string): string {
  return /^[\w.$-]+$/.test(name) ? name : JSON.stringify(name)
}
