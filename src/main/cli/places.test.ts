import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { complainAboutFiles, findPlace } from './places'

const find = (word: string, ...present: string[]) => findPlace(word, '/w', (path) => present.includes(path))

test.each([
  ['a.txt', ['/w/a.txt'], ['/w/a.txt', null, null]],
  ['a.txt:7', ['/w/a.txt'], ['/w/a.txt', 7, null]],
  ['a.txt:7:2', ['/w/a.txt'], ['/w/a.txt', 7, 2]],
  ['a.txt:0:0', ['/w/a.txt'], ['/w/a.txt', 1, 1]],
  ['a.txt:7', ['/w/a.txt:7', '/w/a.txt'], ['/w/a.txt:7', null, null]],
  ['a.txt:7:2', ['/w/a.txt:7', '/w/a.txt'], ['/w/a.txt:7', 2, null]],
  ['/else/a.txt:12', ['/else/a.txt'], ['/else/a.txt', 12, null]],
  ['missing:3:4', [], ['/w/missing', 3, 4]],
  ['a:b', [], ['/w/a:b', null, null]],
  [':3', [], ['/w/:3', null, null]],
  ['a.txt:99999999999', [], ['/w/a.txt:99999999999', null, null]],
] as const)('%s', (word, present, [path, line, column]) => {
  expect(find(word, ...present)).toEqual({ path, line, column })
})

test('the first that is no file is named', () => {
  const base = mkdtempSync(join(tmpdir(), 'greenlight-places-'))
  const file = join(base, 'a')
  writeFileSync(file, '')
  expect(complainAboutFiles([file])).toBeNull()
  expect(complainAboutFiles([file, join(base, 'b')])).toBe(`${join(base, 'b')} doesn’t exist.`)
  expect(complainAboutFiles([base])).toContain('is a folder')
  // An editor makes what is not there yet.
  const mayBeNew = { mayBeNew: true }
  expect(complainAboutFiles([file, join(base, 'b'), join(file, 'c')], mayBeNew)).toBeNull()
  expect(complainAboutFiles([base], mayBeNew)).toContain('is a folder')
  expect(complainAboutFiles([join(base, 'x'.repeat(300))])).toContain('doesn’t exist')
  rmSync(base, { recursive: true })
})
