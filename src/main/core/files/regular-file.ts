import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'

/**
 * Node's own `open` and `readFile` wait for whoever writes into a pipe, and so does reading some system files
 * (/proc/kmsg). Node has four threads for all file work, and can't even exit while one of them waits. So every path
 * that a person or an agent names is opened here and nowhere else.
 */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** The error code for anything but a regular file; the system has none. */
export const notRegular = 'ENOTREG'

/** 64 MiB; a longer file isn't read whole unless the caller says so. */
export const defaultMaxBytes = 64 * 1024 * 1024

/**
 * Opens a regular file for reading; reads never wait for a writer. Throws the system's error, or one with the code
 * `notRegular` for a folder, pipe, device or socket, which isn't opened at all.
 */
async function openToRead(path: string, { follow = true } = {}): Promise<{ file: FileHandle; found: Stats }> {
  // Checked first, because opening some devices has effects.
  requireRegular(path, await stat(path))
  const file = await open(path, withoutWaiting | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)))
  try {
    const found = await file.stat()
    requireRegular(path, found)
    return { file, found }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Returns what `use` returns for the opened file (see `openToRead`), as it was then found, and closes it. */
export async function withFile<T>(
  path: string,
  use: (file: FileHandle, found: Stats) => Promise<T>,
  options?: { follow: boolean },
): Promise<T> {
  const { file, found } = await openToRead(path, options)
  try {
    return await use(file, found)
  } finally {
    await file.close()
  }
}

/** As `openToRead`, synchronously: for worker threads, and for the few files needed at the start. */
export function openToReadSync(path: string): number {
  requireRegular(path, statSync(path))
  const file = openSync(path, withoutWaiting)
  try {
    requireRegular(path, fstatSync(file))
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The whole of a regular file; undefined if it is longer than `maxBytes`. Throws as `openToRead` does. */
export function readIfShort(path: string, maxBytes = defaultMaxBytes): Promise<Buffer | undefined> {
  return withFile(path, (file, { size }) => readToEnd(file, size, maxBytes))
}

/** The text of a regular file that should be short. Throws as `openToRead` does, and for a file over 64 MiB. */
export async function readText(path: string): Promise<string> {
  const bytes = await readIfShort(path)
  if (bytes === undefined) throw tooLong(path)
  return bytes.toString('utf8')
}

/** The whole of a regular file, synchronously. Throws as `openToRead` does, and for a file over 64 MiB. */
export function readBytesSync(path: string): Buffer {
  const file = openToReadSync(path)
  try {
    let buffer = Buffer.allocUnsafe(Math.min(fstatSync(file).size, defaultMaxBytes) + 1)
    let length = 0
    for (;;) {
      const read = readSync(file, buffer, length, buffer.length - length, null)
      if (read === 0) return buffer.subarray(0, length)
      length += read
      if (length > defaultMaxBytes) throw tooLong(path)
      if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
    }
  } finally {
    closeSync(file)
  }
}

/** Reads to the end even if the file is growing; undefined as soon as it exceeds `maxBytes`. */
export async function readToEnd(
  file: FileHandle,
  size: number,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (size > maxBytes) return undefined
  let buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) return buffer.subarray(0, length)
    length += bytesRead
    if (length > maxBytes) return undefined
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
  }
}

function requireRegular(path: string, found: Pick<Stats, 'isFile'>): void {
  if (!found.isFile()) throw Object.assign(new Error(`${path} is no regular file`), { code: notRegular })
}

function tooLong(path: string): Error {
  return Object.assign(new Error(`${path} is too long`), { code: 'EFBIG' })
}
