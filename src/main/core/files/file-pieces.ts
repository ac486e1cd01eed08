import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { succeed, type Result } from '../../../shared/result'
import { failureOf, type FileFailure } from './file-failure'
import { withFile } from './regular-file'

/** A part of a file as text; offsets in bytes. */
export interface Piece {
  text: string
  from: number
  to: number
  size: number
}

/** A piece's approximate length in bytes. */
const pieceBytes = 256 * 1024
/** In bytes: how far to look for a line's beginning or end; a longer line is cut. */
const longestLine = 64 * 1024

/** How a file's bytes are read as text: UTF-16 by its byte order mark, otherwise UTF-8. */
type Units = { decoder: 'utf-8' | 'utf-16le' | 'utf-16be'; width: 1 | 2; newline: Buffer }

/**
 * Reads part of a regular file without the rest: from the beginning of the line that contains `at`, or with `before` up
 * to `at`. It ends after a line, at the end of the file, or inside a line longer than 64 KB. Invalid bytes become
 * U+FFFD: a piece is for display, and never written back.
 */
export async function readPiece(
  path: string,
  at: number,
  before: boolean,
  length = pieceBytes,
): Promise<Result<Piece, FileFailure>> {
  try {
    return await withFile(path, async (file) => {
      const { size } = await file.stat()
      const units = await unitsOf(file)
      const place = Math.min(at, size)
      const from = await lineStart(file, units, before ? Math.max(0, place - length) : place)
      const to = before ? place : await lineEnd(file, units, Math.min(size, from + length), size)
      const bytes = await readStretch(file, from, to)
      const text = new TextDecoder(units.decoder, { ignoreBOM: from !== 0 }).decode(bytes)
      return succeed({ text: text.replaceAll('\r\n', '\n'), from, to: from + bytes.length, size })
    })
  } catch (error) {
    return failureOf(error, 'read', path)
  }
}

/** The bytes of a range; fewer if the file ends before. */
export async function readStretch(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from))
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}

/** As `readStretch`, synchronously, for worker threads. */
export function readStretchSync(file: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from))
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, from + length)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}

async function unitsOf(file: FileHandle): Promise<Units> {
  const mark = (await readStretch(file, 0, 2)).toString('hex')
  if (mark === 'fffe') return { decoder: 'utf-16le', width: 2, newline: Buffer.from([10, 0]) }
  if (mark === 'feff') return { decoder: 'utf-16be', width: 2, newline: Buffer.from([0, 10]) }
  return { decoder: 'utf-8', width: 1, newline: Buffer.from([10]) }
}

async function lineStart(file: FileHandle, units: Units, at: number): Promise<number> {
  const place = at - (at % units.width)
  const base = Math.max(0, place - longestLine)
  const bytes = await readStretch(file, base, place)
  const newline = lastNewline(bytes, units)
  if (newline >= 0) return base + newline + units.width
  return base === 0 ? 0 : charStart(file, units, place)
}

async function lineEnd(file: FileHandle, units: Units, at: number, size: number): Promise<number> {
  if (at >= size) return size
  const place = at - (at % units.width)
  const bytes = await readStretch(file, place, Math.min(size, place + longestLine))
  const newline = firstNewline(bytes, units)
  if (newline >= 0) return place + newline + units.width
  return place + bytes.length >= size ? size : charStart(file, units, place)
}

function firstNewline(bytes: Buffer, { newline, width }: Units): number {
  let at = bytes.indexOf(newline)
  while (at >= 0 && at % width !== 0) at = bytes.indexOf(newline, at + 1)
  return at
}

function lastNewline(bytes: Buffer, { newline, width }: Units): number {
  let at = bytes.lastIndexOf(newline)
  while (at > 0 && at % width !== 0) at = bytes.lastIndexOf(newline, at - 1)
  return at % width === 0 ? at : -1
}

/** The beginning of the character that a byte belongs to: in UTF-8 at most three bytes earlier. */
async function charStart(file: FileHandle, { width }: Units, at: number): Promise<number> {
  if (width === 2) return at
  const base = Math.max(0, at - 3)
  const bytes = await readStretch(file, base, at + 1)
  for (let index = bytes.length - 1; index >= 0; index--) {
    if (((bytes[index] ?? 0) & 0xc0) !== 0x80) return base + index
  }
  return at
}
