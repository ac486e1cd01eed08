import type { SessionFile } from '../../core/history/session-file'
import type { FileLine } from '../../core/history/session-line'
import type { FrameParser } from '../kit/frame-parser'
import type { Frame, FrameFormat } from './frame-format'
import { uuidOf } from './session-lines'

/** A longer line is not sent, since clients do not take such frames. In bytes. */
const longestSent = 64 * 1024 * 1024

/** Makes frames of a session's lines. */
export interface LineFrames {
  session: SessionFile
  format: FrameFormat
  /** Parses what is too large to be parsed where everyone waits. */
  frames: FrameParser
}

/**
 * A line as a frame, its fields untouched. A line that isn't JSON is reported by its place, one that is too long by its
 * size.
 * Null where the file has changed under it.
 */
export async function frameOfLine(
  line: FileLine,
  { session, format, frames }: LineFrames,
): Promise<Frame | null> {
  const { offset, bytes, raw, record, flaw } = line
  const unreadable = (): Frame => format.write({ type: 'unreadable', offset, bytes })
  if (flaw === 'not-json') return unreadable()
  if (raw !== null) return format.writeLine(raw, record) ?? unreadable()
  if (flaw === 'too-long' || bytes > longestSent) {
    const error = `A message of ${bytes} bytes is too long to be sent.`
    return format.write({ type: 'error', error, code: 'too-long', uuid: uuidOf(line) })
  }
  const whole = await session.readRaw(offset, bytes)
  if (!whole.ok || whole.value.length < bytes) return null
  const sound = format.writeSound(whole.value)
  if (sound) return sound
  const parsed = await frames.parse(Buffer.from(whole.value))
  if (!parsed.ok || parsed.value === undefined) return unreadable()
  return format.writeLine(whole.value, parsed.value) ?? unreadable()
}
