import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithin, nameOfPath } from './path-name'

const part = fc.stringMatching(/^[a-z]{1,6}$/)

test('a folder holds itself and what lies below it, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), fc.array(part), fc.boolean(), (above, below, isWindows) => {
      const join = (parts: string[]) => (isWindows ? `C:\\${parts.join('\\')}` : `/${parts.join('/')}`)
      const folder = join(above)
      expect(isWithin(folder, join([...above, ...below]))).toBe(true)
      expect(isWithin(isWindows ? 'C:\\' : '/', folder)).toBe(true)
      expect(isWithin(join([...above, 'x', ...below]), folder)).toBe(false)
      expect(isWithin(folder, `${folder}x`)).toBe(false)
    }),
  )
})

test('takes a backslash after a leading slash for a part of a name', () => {
  expect(isWithin('/a', '/a\\b')).toBe(false)
  expect(isWithin('C:/a', 'C:/a/b')).toBe(true)
})

test('gives the last part of a path, whatever its system', () => {
  expect(['/a/b.ts', 'C:\\a\\b.ts', 'b.ts', '/a/'].map(nameOfPath)).toEqual(['b.ts', 'b.ts', 'b.ts', ''])
})
