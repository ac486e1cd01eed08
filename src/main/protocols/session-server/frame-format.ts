import { isUtf8 } from 'node:buffer'
import { decode, encode } from '@msgpack/msgpack'
import { type Result, fail, succeed } from '../../../shared/result'

/** What is sent in one frame. */
export interface Frame {
  data: string | Uint8Array
  isBinary: boolean
}

/** How messages are written in frames. */
export interface FrameFormat {
  /** A message that the server makes. */
  write(message: object): Frame
  /** A line of a session from its bytes alone; null where that does not do. */
  writeSound(raw: Buffer): Frame | null
  /** A line of a session: its bytes as they were recorded, and what they say. Null where it cannot be written. */
  writeLine(raw: Buffer, record: unknown): Frame | null
}

/** Deeper nesting is not written. */
const deepest = 2000
/** What a UTF-8 byte order mark begins with. */
const markBegin = 0xef

/** Text frames. A recorded line goes out byte for byte. */
const json: FrameFormat = {
  write: (message) => ({ data: JSON.stringify(message), isBinary: false }),
  // A text frame has to be UTF-8 to the last byte, or the client ends the connection.
  writeSound: (raw) => (raw[0] !== markBegin && isUtf8(raw) ? { data: raw, isBinary: false } : null),
  writeLine: (raw, record) =>
    json.writeSound(raw) ?? attempt(() => ({ data: JSON.stringify(record), isBinary: false })),
}

/** Binary frames of MessagePack. */
const msgpack: FrameFormat = {
  write: (message) => ({ data: encode(message, { ignoreUndefined: true }), isBinary: true }),
  writeSound: () => null,
  writeLine: (_raw, record) =>
    attempt(() => ({ data: encode(record, { maxDepth: deepest }), isBinary: true })),
}

export const frameFormats = { json, msgpack }

/** Reads a frame of a client, whichever way it is written. */
export function readFrame(data: Buffer, isBinary: boolean): Result<unknown> {
  try {
    return succeed(isBinary ? decode(data) : (JSON.parse(data.toString('utf8')) as unknown))
  } catch {
    const what = isBinary ? 'The message is no MessagePack that can be read.' : 'The message is no JSON.'
    return fail('malformed', what)
  }
}

/** Nesting may be deeper than can be written; nothing else fails. */
function attempt(make: () => Frame): Frame | null {
  try {
    return make()
  } catch {
    return null
  }
}
