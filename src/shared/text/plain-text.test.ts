import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from './plain-text'

test('a text is one line of letters, and no longer than 200', () => {
  expect(plainText(' a\u001b[31m\u0007b\r\n\tc\u202ed\u2066\u061c ')).toBe('a [31m b cd')
  expect(Array.from(plainText('😀'.repeat(500)))).toHaveLength(200)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const plain = plainText(text)
      expect(plain).not.toMatch(/[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069]/u)
      expect(Array.from(plain).length).toBeLessThanOrEqual(200)
    }),
  )
})
