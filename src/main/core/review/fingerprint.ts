import type { DiskFile } from '../files/read-file'

/** SHA-256 of a file's bytes in hex, or `absent`. */
export type Fingerprint = string

/** The fingerprint of what a path holds. */
export function fingerprintOf(disk: DiskFile): Fingerprint {
  return disk.kind === 'absent' ? 'absent' : disk.hash
}

/** The hash that a fingerprint is; null for no file. */
export function hashOf(fingerprint: Fingerprint): string | null {
  return fingerprint === 'absent' ? null : fingerprint
}
