const known: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A name on one line and in its own order: a control character that would break the line, or turn the reading
 * direction of what follows, is shown as an escape.
 */
export function plainName(name: string): string {
  return name.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => known[sign] ?? `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
