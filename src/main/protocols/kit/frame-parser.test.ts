import { afterEach, expect, it } from 'vitest'
import { FrameParser } from './frame-parser'

let parser = new FrameParser()
afterEach(() => {
  parser.dispose()
  parser = new FrameParser()
})

it('parses what ws gives: a buffer of its own, or a part of another', async () => {
  const value = { text: 'ä😀\n'.repeat(1000), list: [1, null, { a: true }] }
  const whole = Buffer.from(JSON.stringify(value))
  const around = Buffer.concat([Buffer.from('##'), whole, Buffer.from('##')])
  const part = around.subarray(2, -2)
  expect(await parser.parse(part)).toEqual({ ok: true, value })
  // The other part of that memory is still there.
  expect(around.subarray(0, 2).toString()).toBe('##')
  const own = Buffer.from(new Uint8Array(whole).buffer)
  expect(await parser.parse(own)).toEqual({ ok: true, value })
})

it('says what is not JSON', async () => {
  const notJson = { ok: true, value: undefined }
  expect(await parser.parse(Buffer.from('{"a":'))).toStrictEqual(notJson)
  expect(await parser.parse(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toStrictEqual(notJson)
  expect(await parser.parse(Buffer.alloc(0))).toStrictEqual(notJson)
})
