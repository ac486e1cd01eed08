import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHead } from './message-head'

test('a whole text is read as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readHead(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('of a cut text what stands whole is kept', () => {
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'openDiff', arguments: { path: '/a"b\\', new_file_contents: 'long '.repeat(1000) } },
  })
  expect(readHead(text.slice(0, 300))).toEqual({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'openDiff', arguments: { path: '/a"b\\' } },
  })
})

test('a text cut anywhere gives a part of the whole, or nothing', () => {
  const isPart = (part: unknown, whole: unknown): boolean => {
    if (typeof part !== 'object' || part === null) return Object.is(part, whole)
    if (Array.isArray(part)) {
      return Array.isArray(whole) && part.every((item, at) => isPart(item, (whole as unknown[])[at]))
    }
    return (
      typeof whole === 'object' &&
      whole !== null &&
      Object.entries(part).every(([name, item]) => isPart(item, (whole as Record<string, unknown>)[name]))
    )
  }
  const value = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
  fc.assert(
    fc.property(value, fc.nat(), (object, place) => {
      const text = JSON.stringify(object)
      const read = readHead(text.slice(0, place % text.length))
      if (read !== undefined) expect(isPart(read, JSON.parse(text))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('what is no JSON gives nothing', () => {
  for (const text of ['', 'hello', '}', '{"a":]', '"cut', '12x']) expect(readHead(text)).toBeUndefined()
})
