import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether two secrets are the same, in a time that does not tell how much of them is. Anything but a string, such as
 * a missing or a doubled header, is never the same.
 */
export function isSameSecret(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
