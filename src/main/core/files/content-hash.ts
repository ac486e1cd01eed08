import { createHash } from 'node:crypto'

/** SHA-256 of bytes, or of a string's UTF-8, in lower-case hex. The app compares contents by it. */
export function hashContent(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}
