import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf } from './code-painter'

test('parts of a code are all of it, and none but the last changes when more comes', () => {
  const text = fc.array(fc.constantFrom('a', '\n', '\r', '\u2028', '\n'.repeat(31)), { maxLength: 40 })
  fc.assert(
    fc.property(text, text, (one, more) => {
      const before = partsOf(one.join(''))
      const after = partsOf([...one, ...more].join(''))
      expect(before.join('')).toBe(one.join(''))
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
    }),
  )
})
