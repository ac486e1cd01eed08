import { appendFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPiece } from './file-pieces'
import { LineCount } from './line-count'

let folder: string
let path: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pieces-')))
  path = join(folder, 'a.log')
})
afterEach(() => rm(folder, { recursive: true }))

async function piece(at: number, before = false, length = 20) {
  const read = await readPiece(path, at, before, length)
  if (!read.ok) throw new Error(read.failure.message)
  return read.value
}

test('pieces after each other are the whole text, also read backwards, and begin and end with lines', async () => {
  const line = fc
    .array(fc.constantFrom('a', 'é', '😀', 'word '), { maxLength: 12 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const text = lines.join('\n')
      await writeFile(path, text)
      const { size } = await piece(0)
      let forwards = ''
      for (let at = 0; at < size;) {
        const { text: part, to } = await piece(at)
        expect(to === size || part.endsWith('\n')).toBe(true)
        forwards += part
        at = to
      }
      let backwards = ''
      for (let at = size; at > 0;) {
        const { text: part, from } = await piece(at, true)
        backwards = part + backwards
        at = from
      }
      expect([forwards, backwards]).toEqual([text, text])
    }),
    { numRuns: 40 },
  )
})

test('a place inside a line gives the line whole; a line without an end is cut between characters', async () => {
  await writeFile(path, 'first\nsecond\nthird\n')
  expect(await piece(9)).toMatchObject({ from: 6, text: 'second\nthird\n' })
  await writeFile(path, 'é'.repeat(200_000))
  const cut = await piece(200_001, false, 1000)
  expect(cut.from % 2).toBe(0)
  expect(cut.text).toMatch(/^é+$/)
})

test('UTF-16 is read by its mark', async () => {
  await writeFile(path, Buffer.from('\ufeffone\ntwo\u0a0a\nthree', 'utf16le'))
  expect((await piece(0, false, 4)).text).toBe('one\n')
  expect((await piece(12)).text).toBe('two\u0a0a\nthree')
})

test('lines are counted, and found, also in what is written later', async () => {
  const line = 'x'.repeat(99)
  await writeFile(path, `${line}\n`.repeat(30_000))
  const count = new LineCount(path)
  expect(await count.lineAt(2_500_000)).toBe(25_000)
  expect(await count.offsetOf(12_345)).toBe(1_234_500)
  expect(await count.offsetOf(99_999_999)).toBe(3_000_000)
  await appendFile(path, 'more\nlines\n')
  expect(await count.offsetOf(30_001)).toBe(3_000_005)
  expect(await count.lineAt(3_000_005)).toBe(30_001)
  await rm(path)
  expect(await new LineCount(path).lineAt(5)).toBeNull()
  count.dispose()
})
