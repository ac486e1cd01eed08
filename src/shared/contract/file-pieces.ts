import { z } from 'zod'
import { defineCall, path, resultOf } from './define'

const offset = z.number().int().min(0)

/** A stretch of a long file: whole lines, unless one is longer than a piece. Offsets are in bytes. */
export const filePiece = z.object({
  text: z.string(),
  from: offset,
  to: offset,
  /** The current size of the whole file. */
  size: offset,
})
export type FilePiece = z.infer<typeof filePiece>

export const filePiecesCalls = {
  /** About 256 KB from the start of the line with the byte `at`; with `before`, up to there. */
  'pieces.read': defineCall(z.object({ path, at: offset, before: z.boolean() }), resultOf(filePiece)),
  /** The number (from 0) of the line that begins at a byte. Waits until lines are counted that far. */
  'pieces.line': defineCall(z.object({ path, at: offset }), resultOf(z.object({ line: offset }))),
  /** Where a line (counted from 0), or else the last one, begins. Waits until lines are counted that far. */
  'pieces.offset': defineCall(z.object({ path, line: offset }), resultOf(z.object({ at: offset }))),
  /** Bytes of a picture as base64, a piece at a time. */
  'pieces.bytes': defineCall(
    z.object({ path, from: offset }),
    resultOf(z.object({ base64: z.string(), done: z.boolean() })),
  ),
}
