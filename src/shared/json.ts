/** Parses a JSON text; undefined if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

export type Json = Readonly<Record<string, unknown>>

/** An object, or undefined for any other value. */
export function objectOf(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

/** The entries of an object whose values are strings; none for any other value. */
export function textEntriesOf(value: unknown): [string, string][] {
  return Object.entries(objectOf(value) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
}

/** A string, or null. */
export function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** A finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
