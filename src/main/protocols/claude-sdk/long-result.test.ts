import { expect, test } from 'vitest'
import { shortenLong } from './long-result'

const long = 'x'.repeat(300 * 1024)
const picture = (data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
})

test('what is short stays the same object', () => {
  const record = { message: { content: ['x'.repeat(200 * 1024)] } }
  expect(shortenLong(record)).toBe(record)
})

test('of what is long only the long texts are cut, and say so', () => {
  const cut = shortenLong({ id: 'a', content: [{ type: 'text', text: long }, 'short'] }) as {
    id: string
    content: [{ text: string }, string]
  }
  expect([cut.id, cut.content[1]]).toEqual(['a', 'short'])
  expect(cut.content[0].text).toMatch(/^x+… \(\d+ more characters\)$/)
  expect(cut.content[0].text.length).toBeLessThan(5000)
})

test('a picture is whole, or left out where it is too large', () => {
  expect(shortenLong([picture(long)])).toEqual([picture(long)])
  expect(shortenLong([picture('x'.repeat(9 * 1024 * 1024))])).toEqual([picture('')])
})
