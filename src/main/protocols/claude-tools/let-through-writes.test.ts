import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashContent } from '../../core/files/content-hash'
import { Ledger } from '../../core/files/ledger'
import type { Receipt } from '../../core/review/record/receipts'
import { LetThroughWrites } from './let-through-writes'

const origin = { dialect: 'claude-hooks', connection: 'c', agent: 'Claude', call: '1' } as const
const byMode = { kind: 'mode', mode: 'acceptEdits' } as const

let folder: string
let receipts: Receipt[]

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-let-through-')))
  receipts = []
})

afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

function start(most: { calls: number; bytes: number }): LetThroughWrites {
  const receive = (receipt: Receipt) => Promise.resolve(void receipts.push(receipt))
  return new LetThroughWrites({ ledger: new Ledger(), receive }, most)
}

/** A call that writes `text` into a file is about to run. */
async function begin(writes: LetThroughWrites, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  const call = { tool: 'Write', input: { file_path: path, content: text } } as const
  const prepared = await writes.prepare(call, { path, realPath: path })
  if (!prepared) throw new Error('not prepared')
  await writes.begin(name, prepared, origin, byMode)
  return path
}

test('of what files held only so many bytes are kept, the newest; the rest is on record by its hash', async () => {
  const writes = start({ calls: 500, bytes: 25 })
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), `${name} held this`)
  for (const name of ['a', 'b', 'c']) await writeFile(await begin(writes, name, 'now'), 'now')
  for (const name of ['a', 'b', 'c']) await writes.ran(name)
  expect(receipts.map(({ before }) => before)).toEqual([
    { hash: hashContent('a held this'), size: 11 },
    Buffer.from('b held this'),
    Buffer.from('c held this'),
  ])
  expect(receipts.map(({ after }) => String(after))).toEqual(['now', 'now', 'now'])
})

test('a file too large to be kept is on record by its hash and size, before and after', async () => {
  const writes = start({ calls: 500, bytes: 25 })
  const [before, after] = ['a', 'b'].map((letter) => letter.repeat(9_000_000))
  await writeFile(join(folder, 'large'), before ?? '')
  await writeFile(await begin(writes, 'large', after ?? ''), after ?? '')
  writes.look('large')
  await writes.ran('large')
  const sumOf = (text = '') => ({ hash: hashContent(text), size: text.length })
  expect(receipts).toMatchObject([{ before: sumOf(before), after: sumOf(after), by: byMode }])
})

test('one that is dropped because there are too many is on record if it has run', async () => {
  const writes = start({ calls: 2, bytes: 1000 })
  await writeFile(await begin(writes, 'ran', 'now'), 'now')
  await begin(writes, 'interrupted', 'now')
  await begin(writes, 'third', 'now')
  await begin(writes, 'fourth', 'now')
  expect(receipts).toMatchObject([{ realPath: join(folder, 'ran'), before: null, by: byMode }])
  await writes.ran('ran')
  await writes.ran('interrupted')
  expect(receipts).toHaveLength(1)
})
