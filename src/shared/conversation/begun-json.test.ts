import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBegun } from './begun-json'

test('a text that is cut off is as far as it goes; a name without a value is not there yet', () => {
  expect(readBegun('')).toEqual({})
  expect(readBegun('{"comm')).toEqual({})
  expect(readBegun('{"command":')).toEqual({})
  expect(readBegun('{"command": "npm te')).toEqual({ command: 'npm te' })
  expect(readBegun('{"path": "a\\')).toEqual({ path: 'a' })
  expect(readBegun('{"path": "a\\u00e')).toEqual({ path: 'a' })
  expect(readBegun('{"path": "/a.ts", "edi')).toEqual({ path: '/a.ts' })
  expect(readBegun('{"path": "/a.ts", "edits": [{"old": "x", "new')).toEqual({
    path: '/a.ts',
    edits: [{ old: 'x' }],
  })
  expect(readBegun('not JSON')).toEqual({})
})

test('however an object is cut, each text in it is the beginning of what it will be', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.boolean(), fc.integer(), fc.array(fc.string()))
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), value), fc.nat(400), (object, cut) => {
      const whole = JSON.stringify(object)
      const read = readBegun(whole.slice(0, cut))
      for (const [name, text] of Object.entries(read)) {
        expect(Object.hasOwn(object, name)).toBe(true)
        if (typeof text === 'string') expect(object[name]).toSatisfy((full) => String(full).startsWith(text))
      }
      if (cut >= whole.length) expect(read).toEqual(JSON.parse(whole))
    }),
  )
})
