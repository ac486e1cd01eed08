import { createRequire } from 'node:module'
import { PassThrough, type Writable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unmaskEarly } from './early-unmasking'

/** Part of ws that its types leave out. */
const { Receiver } = createRequire(import.meta.url)('ws') as {
  Receiver: new (options: { isServer: boolean; skipUTF8Validation: boolean }) => Writable
}

/** A frame as a client sends it. */
function frame(payload: Buffer, mask: Buffer, opcode = 2): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  const masked = Buffer.from(payload)
  for (let i = 0; i < length; i += 1) masked[i] = (masked[i] ?? 0) ^ (mask[i & 3] ?? 0)
  return Buffer.concat([head, mask, masked])
}

/** Runs bytes through, cut as told, and gives what ws makes of them. */
function receive(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const socket = new PassThrough()
  const messages: Buffer[] = []
  const receiver = new Receiver({ isServer: true, skipUTF8Validation: true })
  receiver.on('message', (data: Buffer) => messages.push(data))
  unmaskEarly(socket)
  socket.on('data', (chunk: Buffer) => receiver.write(chunk))
  const edges = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
    (a, b) => a - b,
  )
  // Each piece with memory of its own, at any alignment.
  edges.slice(1).forEach((to, i) => socket.emit('data', Buffer.from(bytes.subarray(edges[i], to))))
  return messages
}

const pattern = Buffer.from(Array.from({ length: 251 }, (_, i) => (i * 31) & 0xff))

/** Bytes whose order is told apart at every place. */
const fill = (length: number, seed: number) => Buffer.alloc(length, pattern.subarray(seed % 200))

describe('taking the mask off early', () => {
  it('changes nothing of what ws receives, wherever the stream is cut', () => {
    const length = fc.oneof(
      fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 65_539, 200_000),
      fc.nat(70_000),
    )
    const one = fc.record({ length, seed: fc.nat(255), mask: fc.uint8Array({ minLength: 4, maxLength: 4 }) })
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.array(fc.nat(20)),
        (frames, cuts, early) => {
          const payloads = frames.map((each) => fill(each.length, each.seed))
          const bytes = Buffer.concat(
            payloads.map((payload, i) => frame(payload, Buffer.from(frames[i]?.mask ?? []))),
          )
          const received = receive(bytes, [...cuts, ...early])
          expect(received.length).toBe(payloads.length)
          received.forEach((message, i) => expect(message.equals(payloads[i] ?? Buffer.alloc(0))).toBe(true))
        },
      ),
    )
  })

  it('leaves ws a zero mask for large frames, and small ones as they are', () => {
    const mask = Buffer.from([1, 2, 3, 4])
    const small = frame(fill(100, 1), mask)
    const large = frame(fill(65_536, 1), mask)
    const socket = new PassThrough()
    unmaskEarly(socket)
    const seen = Buffer.concat([small, large])
    socket.emit('data', seen)
    expect(seen.subarray(0, small.length).equals(small)).toBe(true)
    expect([...seen.subarray(small.length + 10, small.length + 14)]).toEqual([0, 0, 0, 0])
    expect(seen.subarray(small.length + 14).equals(fill(65_536, 1))).toBe(true)
  })
})
