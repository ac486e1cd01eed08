import { readSync } from 'node:fs'

const scratch = Buffer.allocUnsafe(64 << 10)

/** Reads what is available from a non-blocking descriptor: empty if nothing is, null if nothing more will come. */
export function readNow(descriptor: number): Buffer | null {
  try {
    const length = readSync(descriptor, scratch, 0, scratch.length, null)
    return length === 0 ? null : Buffer.from(scratch.subarray(0, length))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? Buffer.alloc(0) : null
  }
}
