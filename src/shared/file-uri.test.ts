import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathToFileURL } from 'node:url'
import { fileUri, pathOfFileUri } from './file-uri'

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .map((text) => text.replace(/[/\\\0:]|\p{Surrogate}/gu, '_'))

test('every posix path comes back from its URI', () => {
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const path = '/' + names.join('/')
      expect(pathOfFileUri(fileUri(path, 'posix'), 'posix')).toBe(path)
    }),
  )
})

test('every windows path comes back from its URI', () => {
  fc.assert(
    fc.property(fc.array(name), fc.constantFrom('C:', 'z:', '\\\\server\\share'), (names, root) => {
      const path = [root, ...names].join('\\') + (names.length === 0 && root.endsWith(':') ? '\\' : '')
      expect(pathOfFileUri(fileUri(path, 'windows'), 'windows')).toBe(path)
    }),
  )
})

test('the platform reads our URIs as we do', () => {
  const path = '/a b/50%/#x?/ü😀.ts'
  expect(pathOfFileUri(pathToFileURL(path).href, 'posix')).toBe(path)
  expect(new URL(fileUri(path, 'posix')).href).toBe(fileUri(path, 'posix'))
})

test.each([
  ['/a b/#%?.ts', 'posix', 'file:///a%20b/%23%25%3F.ts'],
  ['C:\\Users\\x y\\a.ts', 'windows', 'file:///C:/Users/x%20y/a.ts'],
  ['\\\\server\\share\\a.ts', 'windows', 'file://server/share/a.ts'],
] as const)('%s on %s', (path, flavour, uri) => {
  expect(fileUri(path, flavour)).toBe(uri)
})

test.each([
  ['file://localhost/a', 'posix', '/a'],
  ['file:///a%20b?query#part', 'posix', undefined],
  ['file:///c%3A/x', 'windows', 'c:\\x'],
  ['https://example.org/a', 'posix', undefined],
  ['file:///a%2Fb', 'posix', undefined],
  ['file:///a%00', 'posix', undefined],
  ['file:///a%zz', 'posix', undefined],
  ['file://server/a', 'posix', undefined],
  ['file:///no/drive', 'windows', undefined],
] as const)('%s on %s', (uri, flavour, path) => {
  expect(pathOfFileUri(uri, flavour)).toBe(path)
})
