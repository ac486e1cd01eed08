import { expect, test } from 'vitest'
import { fileWordsOf } from './file-words'

/** The words found, as "name:line:column" with the text that is underlined. */
function found(line: string): string[] {
  return fileWordsOf(line).map(
    ({ name, line: row, column, from, to }) =>
      `${name}${row === null ? '' : `:${row}`}${column === null ? '' : `:${column}`} [${line.slice(from, to)}]`,
  )
}

test.each([
  ['error in src/main/app.ts:12:5 here', ['src/main/app.ts:12:5 [src/main/app.ts:12:5]']],
  ['./a.ts', ['./a.ts [./a.ts]']],
  ['~/notes.md:3', ['~/notes.md:3 [~/notes.md:3]']],
  ['/abs/with-dash_1/x.test.tsx.', ['/abs/with-dash_1/x.test.tsx [/abs/with-dash_1/x.test.tsx]']],
  ['    at run (/app/index.js:7:11)', ['/app/index.js:7:11 [/app/index.js:7:11]']],
  ['src/a.ts(4,2): error TS1', ['src/a.ts:4:2 [src/a.ts(4,2)]']],
  ['src/a.ts(4): error', ['src/a.ts:4 [src/a.ts(4)]']],
  ['File "/x y/main.py", line 8, in f', ['/x y/main.py:8 [/x y/main.py]']],
  ['+++ b/src/x.ts', ['b/src/x.ts [b/src/x.ts]']],
  ['C:\\Users\\me\\a.ts:3', ['C:\\Users\\me\\a.ts:3 [C:\\Users\\me\\a.ts:3]']],
  ['src/straße/日本.ts:1', ['src/straße/日本.ts:1 [src/straße/日本.ts:1]']],
  ['pages/[id]/page.tsx:2', ['pages/[id]/page.tsx:2 [pages/[id]/page.tsx:2]']],
  ['(see README.md)', ['README.md [README.md]']],
  ['file:///tmp/a.ts', ['file:///tmp/a.ts [file:///tmp/a.ts]']],
  ['version 1.2.3 took 4.5 s ... done', []],
  ['plain words only', []],
])('%s', (line, words) => {
  expect(found(line)).toEqual(words)
})

test('addresses are left to the other links', () => {
  expect(found('https://example.org/a.html').filter((text) => text.startsWith('http'))).toEqual([])
})

test('a line of a megabyte takes no time to speak of', () => {
  const begin = process.cpuUsage()
  fileWordsOf('a/'.repeat(2000) + ' '.repeat(2000) + '('.repeat(2000) + '.'.repeat(2000))
  expect(process.cpuUsage(begin).user / 1000).toBeLessThan(500)
})
