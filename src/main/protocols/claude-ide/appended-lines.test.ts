import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AppendedLines } from './appended-lines'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-lines-'))
  file = join(folder, 'a.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function read(lines: AppendedLines): Promise<string[]> {
  const heard: string[] = []
  await lines.read((line) => heard.push(line))
  return heard
}

it('gives each line once and whole, however it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, ''))),
      fc.array(fc.nat(60), { maxLength: 20 }),
      async (texts, cuts) => {
        await rm(file, { force: true })
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''))
        const lines = new AppendedLines(file)
        const heard = await read(lines)
        let from = 0
        for (const cut of [...cuts, bytes.length]) {
          await appendFile(file, bytes.subarray(from, from + cut))
          from += cut
          heard.push(...(await read(lines)))
        }
        expect(heard).toEqual(texts.map((text) => Buffer.from(text).toString('utf8')))
      },
    ),
    { numRuns: 50 },
  )
})

it('gives of what was there before the lines at its end', async () => {
  await writeFile(file, `first ${'x'.repeat(600_000)}\nsecond\n`)
  const lines = new AppendedLines(file)
  expect(await read(lines)).toEqual(['second'])
  await appendFile(file, 'third\nhalf')
  expect(await read(lines)).toEqual(['third'])
  expect(await read(lines)).toEqual([])
})

it('passes over a line that is too long, and goes on after it', async () => {
  const lines = new AppendedLines(file)
  await writeFile(file, 'before\n')
  expect(await read(lines)).toEqual(['before'])
  await appendFile(file, 'y'.repeat(200_000))
  expect(await read(lines)).toEqual([])
  await appendFile(file, `${'y'.repeat(200_000)}\nafter\n`)
  expect(await read(lines)).toEqual(['after'])
})

it('begins anew with a file that has become shorter', async () => {
  await writeFile(file, 'one\ntwo\nthree')
  const lines = new AppendedLines(file)
  expect(await read(lines)).toEqual(['one', 'two'])
  await writeFile(file, 'new\n')
  expect(await read(lines)).toEqual(['new'])
  await rm(file)
  expect(await read(lines)).toEqual([])
})
