import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableInput } from './readable-input'

test('is a line for each member, with several lines indented', () => {
  expect(readableInput({ city: 'Bern', days: 2, notes: 'a\nb', where: { lat: 1 } })).toBe(
    'city: Bern\ndays: 2\nnotes:\n  a\n  b\nwhere:\n  {\n    "lat": 1\n  }',
  )
})

test('quotes what would read like something else', () => {
  expect(readableInput({ a: '2', b: '', c: ' x', d: 'null', 'e: f': 'g' })).toBe(
    'a: "2"\nb: ""\nc: " x"\nd: "null"\n"e: f": g',
  )
})

test('two inputs that differ never read alike', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('a\nb: c', 'a\n  b', '1', '"1"', '{}', 'a:\n  b', '\n'))
  const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text))
  const input = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b'), text), value, { maxKeys: 3 })
  const given = (one: object) => JSON.stringify(Object.entries(one))
  fc.assert(
    fc.property(input, input, (one, other) => {
      expect(readableInput(one) === readableInput(other)).toBe(given(one) === given(other))
    }),
  )
})
