import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { succeed, type Result } from '../../../shared/result'
import { decodeText, type Decoded } from '../../../shared/text/text-facts'
import { isReadOnly } from '../platform/file-modes'
import { hashContent } from './content-hash'
import { failureOf, fileFailure, systemCode, type FileFailure } from './file-failure'
import { resolveRealPath } from './real-path'
import { defaultMaxBytes, readToEnd, withFile } from './regular-file'

/** In ms. A file may be seen half written, so a content counts only when seen twice, this far apart. */
export const settleTime = 120

/** What a path holds: a regular file with its content, or nothing. `realPath` has every symbolic link resolved. */
export type DiskFile = PresentFile | { kind: 'absent'; realPath: string }

export interface PresentFile {
  kind: 'file'
  realPath: string
  /** Of the bytes read, see `hashContent`. */
  hash: string
  /** In bytes. */
  size: number
  content: Decoded
  readOnly: boolean
}

/**
 * Reads a whole regular file. A missing file isn't a failure but `absent`. Folders, devices, pipes, and files over
 * `maxBytes` are refused with a sentence; opening never waits for a pipe.
 */
export async function readFile(
  path: string,
  {
    maxBytes = defaultMaxBytes,
    decode = decodeText,
  }: { maxBytes?: number; decode?: (bytes: Uint8Array) => Decoded } = {},
): Promise<Result<DiskFile, FileFailure>> {
  try {
    const realPath = await resolveRealPath(path)
    const before = await statOf(realPath)
    if (before === undefined) return succeed({ kind: 'absent', realPath })
    if (!before.isFile()) return refuseKind(path, before)
    const { bytes, mode } = await withFile(realPath, async (file, found) => {
      return { bytes: await readToEnd(file, found.size, maxBytes), mode: found.mode }
    })
    if (bytes === undefined) return tooLarge(path, maxBytes)
    return succeed({
      kind: 'file',
      realPath,
      hash: hashContent(bytes),
      size: bytes.length,
      content: decode(bytes),
      readOnly: await isReadOnly(realPath, mode),
    })
  } catch (error) {
    return failureOf(error, 'read', path)
  }
}

/** The hash of a regular file of any size (see `hashContent`); null if there is no file. */
export async function hashFile(path: string): Promise<Result<string | null, FileFailure>> {
  try {
    const found = await statOf(path)
    if (found === undefined) return succeed(null)
    if (!found.isFile()) return refuseKind(path, found)
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(Math.min(found.size + 1, 1024 * 1024))
    await withFile(path, async (file) => {
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) return
        hash.update(buffer.subarray(0, bytesRead))
      }
    })
    return succeed(hash.digest('hex'))
  } catch (error) {
    return failureOf(error, 'read', path)
  }
}

/** The status of a path, following links; undefined if nothing is there. Throws any other system error. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function refuseKind(path: string, found: Stats) {
  if (found.isDirectory()) return fileFailure('not-a-file', `${path} is a folder. Choose a file.`)
  return fileFailure('not-a-file', `${path} is a device, a pipe or a socket. Choose a regular file.`)
}

function tooLarge(path: string, maxBytes: number) {
  const limit = Math.floor(maxBytes / (1024 * 1024))
  return fileFailure('too-large', `${path} is larger than ${limit} MB. Open it with another program.`)
}
