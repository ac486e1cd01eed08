import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandMatches } from './command-matches'

const named = (...names: string[]) => names.map((name) => ({ name, description: '' }))
const matches = (text: string) =>
  commandMatches(named('review', 'compact', 'model', 'Commit'), text).map(({ name }) => name)

test('what begins with what is typed comes before what holds it, in the agent’s order', () => {
  expect(matches('/')).toEqual(['review', 'compact', 'model', 'Commit'])
  expect(matches('/com')).toEqual(['compact', 'Commit'])
  expect(matches('/M')).toEqual(['model', 'compact', 'Commit'])
  expect(matches('/none')).toEqual([])
})

test('nothing is listed unless the text is the beginning of a command and no more', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (!/^\/\S*$/.test(text)) expect(matches(text)).toEqual([])
    }),
  )
  for (const text of ['', 'a/', ' /', '/compact ', '/compact now', '/\n']) expect(matches(text)).toEqual([])
})

test('each that is listed holds what is typed, none twice, and no more than a hundred', () => {
  const name = fc.string({ unit: fc.constantFrom(...'abA-'.split('')), minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 200 }), name, (names, typed) => {
      const found = commandMatches(named(...names), `/${typed}`).map((one) => one.name)
      const wanted = names.filter((one) => one.toLowerCase().includes(typed.toLowerCase()))
      expect(new Set(found).size).toBe(found.length)
      expect(found.length).toBe(Math.min(100, wanted.length))
      expect(found.every((one) => wanted.includes(one))).toBe(true)
    }),
  )
})
