import { expect, test } from 'vitest'
import { readPictures, tooManyOf, typeOf } from './pictures'

const png = (more = 0) => {
  const bytes = new Uint8Array(8 + more)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return bytes
}
const file = (bytes: Uint8Array<ArrayBuffer>, name = 'a.png') => new File([bytes], name)
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test('a picture is known by its first bytes, not by its name', async () => {
  expect(typeOf(bytesOf('GIF89a…'))).toBe('image/gif')
  expect(typeOf(bytesOf('\xff\xd8\xff\xe0'))).toBe('image/jpeg')
  expect(typeOf(bytesOf('RIFF1234WEBPVP8 '))).toBe('image/webp')
  for (const text of ['', 'GIF', 'RIFF1234WAVE', '<svg>', '%PDF-1.7'])
    expect(typeOf(bytesOf(text))).toBeNull()
  const read = await readPictures([file(bytesOf('%PDF-1.7'), 'plan.png'), file(png(), 'plan.pdf')], [])
  expect(read.problem).toBe('plan.png isn’t a PNG, JPEG, GIF or WebP picture. Convert it, then add it again.')
  expect(read.added).toEqual([{ name: 'plan.pdf', mediaType: 'image/png', data: 'iVBORw0KGgo=' }])
})

test('what is too large or too much is said, and the rest is added', async () => {
  const large = await readPictures([file(png(5_000_000), 'large.png'), file(png())], [])
  expect([large.added.length, large.problem]).toEqual([
    1,
    'large.png is larger than 5 MB. Make it smaller, then add it again.',
  ])
  const many = await readPictures(
    Array.from({ length: 25 }, () => file(png())),
    [],
  )
  expect([many.added.length, many.problem]).toEqual([20, expect.stringContaining('at most 20 pictures')])
  const heavy = await readPictures(
    Array.from({ length: 12 }, () => file(png(4_900_000))),
    [],
  )
  expect([heavy.added.length, heavy.problem]).toEqual([10, expect.stringContaining('50 MB together')])
  const more = await readPictures([file(png())], many.added)
  expect(more.added).toEqual([])
  expect(tooManyOf(many.added)).toBeNull()
  expect(tooManyOf([...many.added, ...large.added])).toContain('at most 20 pictures, and this has 21.')
  expect(tooManyOf(heavy.added)).toBeNull()
  expect(tooManyOf([...heavy.added, ...heavy.added.slice(0, 1)])).toContain('50 MB together')
})
