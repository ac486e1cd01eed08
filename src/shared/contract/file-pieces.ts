import { z } from 'zod'
import { defineCall, path, resultOf } from './define'

const offset = z.number().int().min(0)

/** A stretch of a long file: whole lines, except where one is longer than a piece. Offsets are in bytes. */
export const filePiece = z.object({
  text: z.string(),
  from: offset,
  to: offset,
  /** The current size of the whole file. */
  size: offset,
})
export type FilePiece = z.infer<typeof filePiece>

export const filePiecesCalls = {
  /** About 256 KB from the beginning of the line that holds a byte; with `before`, those that end there. */
  'pieces.read': defineCall(z.object({ path, at: offset, before: z.boolean() }), resultOf(filePiece)),
  /** The number of the line that begins at a byte, from 0; answered when so much of the file has been counted. */
  'pieces.line': defineCall(z.object({ path, at: offset }), resultOf(z.object({ line: offset }))),
  /** Where a line begins, from 0; the last line's begin where there are fewer. Answered when it has been counted. */
  'pieces.offset': defineCall(z.object({ path, line: offset }), resultOf(z.object({ at: offset }))),
  /** Bytes of a picture as base64, a piece at a time. */
  'pieces.bytes': defineCall(
    z.object({ path, from: offset }),
    resultOf(z.object({ base64: z.string(), done: z.boolean() })),
  ),
}
