import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'

/**
 * Node's own `open` and `readFile` wait for whoever writes into a pipe, and so does a read of some files of the
 * system (/proc/kmsg). All of Node shares four threads for files, and the process cannot even exit while one of them
 * waits. So whatever is at a path that a person or an agent names is opened here and nowhere else.
 */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** The code of the error for what is no regular file, beside those of the system. */
export const notRegular = 'ENOTREG'

/** A longer file is not read whole unless the caller says so: 64 MiB. */
export const defaultMaxBytes = 64 * 1024 * 1024

/**
 * Opens a regular file for reading; reads from it never wait for a writer. Throws the system's error, or one with the
 * code `notRegular` for a folder, a pipe, a device or a socket, which is not opened at all.
 */
async function openToRead(path: string, { follow = true } = {}): Promise<FileHandle> {
  // Asked first, for opening some devices does something.
  requireRegular(path, await stat(path))
  const file = await open(path, withoutWaiting | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)))
  try {
    requireRegular(path, await file.stat())
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** What `use` gives for an open file (`openToRead`), which is closed afterwards. */
export async function withFile<T>(
  path: string,
  use: (file: FileHandle) => Promise<T>,
  options?: { follow: boolean },
): Promise<T> {
  const file = await openToRead(path, options)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

/** The same at once: for worker threads, and for the few files that a start needs. */
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

/** All of a regular file; undefined where that is more than `maxBytes`. Throws as `openToRead` does. */
export function readIfShort(path: string, maxBytes = defaultMaxBytes): Promise<Buffer | undefined> {
  return withFile(path, async (file) => readToEnd(file, (await file.stat()).size, maxBytes))
}

/** The text of a regular file that is not expected to be long. Throws as `openToRead` does, and for a long one. */
export async function readText(path: string): Promise<string> {
  const bytes = await readIfShort(path)
  if (bytes === undefined) throw tooLong(path)
  return bytes.toString('utf8')
}

/** All of a regular file, at once. Throws as `openToRead` does, and for a file over 64 MiB. */
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

/** Reads to the end even if the file grows meanwhile, or gives up as soon as there is too much. */
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
