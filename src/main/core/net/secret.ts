import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Compares two secrets in a time that doesn't tell how much of them matches. Anything but a string, such as a missing
 * or repeated header, never matches.
 */
export function isSameSecret(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  return timingSafeEqual(digest(given), digest(expected))
}

/** The token of an Authorization header; undefined if it has none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
