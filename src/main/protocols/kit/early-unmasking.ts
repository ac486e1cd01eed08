import type { Duplex } from 'node:stream'

/** Frames with a shorter payload are left to ws, whose own loop is quick enough for them. */
const worthwhile = 64 * 1024

/** A frame's head: 2 bytes, up to 8 of length, 4 of mask (RFC 6455, section 5.2). */
const longestHead = 14

/**
 * Takes the mask off large frames as their pieces arrive. ws does it when a frame is complete, byte by byte: 50 ms for
 * 10 MB in which no other client is served. Call this before ws is given the socket: pieces are changed in place
 * before ws sees them, and the mask that it then finds is zero, for which it does nothing. All checks stay with ws.
 */
export function unmaskEarly(socket: Duplex): void {
  const frames = new FrameWalk()
  socket.on('data', (chunk: Buffer) => frames.walk(chunk))
}

/** Where in the stream of frames we are. */
class FrameWalk {
  readonly #head = Buffer.alloc(longestHead)
  #headRead = 0
  #payloadLeft = 0
  /** The mask, turned so that its first byte is for the next byte of the payload; undefined: leave it to ws. */
  #mask: Buffer | undefined

  walk(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length)
      at = this.#payloadLeft > 0 ? this.#payload(chunk, at) : this.#readHead(chunk, at)
  }

  #payload(chunk: Buffer, from: number): number {
    const to = Math.min(chunk.length, from + this.#payloadLeft)
    if (this.#mask !== undefined) this.#mask = unmask(chunk, from, to, this.#mask)
    this.#payloadLeft -= to - from
    return to
  }

  /** Collects the head, which may come in pieces. Its mask is zeroed where it comes, if it is known by then. */
  #readHead(chunk: Buffer, from: number): number {
    const head = this.#head
    let at = from
    while (at < chunk.length) {
      const byte = chunk[at] ?? 0
      head[this.#headRead] = byte
      const length = headLength(head, this.#headRead + 1)
      const isMask = this.#headRead >= 2 && this.#headRead >= length - 4 && this.#headRead < length
      if (isMask && (head.readUInt8(1) & 0x80) !== 0 && payloadLength(head) >= worthwhile) chunk[at] = 0
      this.#headRead += 1
      at += 1
      if (this.#headRead === length) {
        this.#begin()
        return at
      }
    }
    return at
  }

  #begin(): void {
    const head = this.#head
    const masked = (head.readUInt8(1) & 0x80) !== 0
    this.#payloadLeft = payloadLength(head)
    this.#mask =
      masked && this.#payloadLeft >= worthwhile
        ? Buffer.from(head.subarray(this.#headRead - 4, this.#headRead))
        : undefined
    this.#headRead = 0
  }
}

/** How long a head is, as far as its first `known` bytes tell. */
function headLength(head: Buffer, known: number): number {
  if (known < 2) return 2
  const second = head.readUInt8(1)
  const short = second & 0x7f
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + ((second & 0x80) === 0 ? 0 : 4)
}

/** The payload's length. One that no number holds exactly is refused by ws, so it only has to be large here. */
function payloadLength(head: Buffer): number {
  const short = head.readUInt8(1) & 0x7f
  if (short === 126) return head.readUInt16BE(2)
  if (short === 127) return head.readUInt32BE(2) * 2 ** 32 + head.readUInt32BE(6)
  return short
}

/** Takes the mask off in place, four bytes at a time. Gives the mask as it stands for the next byte. */
function unmask(chunk: Buffer, from: number, to: number, mask: Buffer): Buffer {
  const turned = (steps: number): Buffer => Buffer.from([0, 1, 2, 3].map((i) => mask[(i + steps) & 3] ?? 0))
  let at = from
  while (at < to && ((chunk.byteOffset + at) & 3) !== 0) xorByte(chunk, at, mask[(at++ - from) & 3] ?? 0)
  const words = (to - at) >> 2
  if (words > 0) {
    const view = new Int32Array(chunk.buffer, chunk.byteOffset + at, words)
    const four = turned(at - from)
    // Both views have the machine's own byte order.
    const word = new Int32Array(four.buffer.slice(four.byteOffset, four.byteOffset + 4))[0] ?? 0
    for (let i = 0; i < words; i += 1) view[i] = (view[i] ?? 0) ^ word
    at += words * 4
  }
  while (at < to) xorByte(chunk, at, mask[(at++ - from) & 3] ?? 0)
  return turned(to - from)
}

function xorByte(chunk: Buffer, at: number, mask: number): void {
  chunk[at] = (chunk[at] ?? 0) ^ mask
}
