import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../../../../../test/plain-desk'
import { FileSwapper } from '../../files/compare-and-swap'
import { Ledger } from '../../files/ledger'
import { ReviewJournal } from '../journal'
import { DecidedReviews } from './decided-reviews'

const day = 24 * 60 * 60 * 1000
const bounds = { time: 7 * day, bytes: 100_000, count: 3 }

let data: string
let journal: ReviewJournal
let decided: DecidedReviews
let changes: number

beforeEach(async () => {
  data = join(await mkdtemp(join(tmpdir(), 'greenlight-decided-')), 'data')
  start()
})
afterEach(async () => {
  stop()
  vi.useRealTimers()
  await rm(join(data, '..'), { recursive: true, force: true, maxRetries: 5 })
})

function start(within = bounds) {
  changes = 0
  journal = new ReviewJournal(data, silent)
  const ports = { journal, ledger: new Ledger(), swapper: new FileSwapper() }
  decided = new DecidedReviews(ports, () => changes++, within)
}
function stop() {
  decided.dispose()
  journal.dispose()
}

/** A file was written, whose text before was so long. */
const write = (name: string, { at = Date.now(), length = 1 } = {}) =>
  decided.addReceipt({
    origin: { dialect: 'claude-tools', connection: 'c', agent: 'Claude', call: '1' },
    realPath: join('/', name),
    title: '',
    before: Buffer.alloc(length, 'a'),
    after: Buffer.from('b'),
    began: at,
    at,
    by: { kind: 'mode', mode: 'auto' },
  })

/** The names of what is kept, newest first; as many as have a folder. */
async function names(): Promise<string[]> {
  await decided.flush()
  const all = await decided.all()
  expect((await readdir(join(data, 'decided-reviews'))).sort()).toEqual(all.map(({ id }) => id).sort())
  return all.map(({ path }) => path.slice(1))
}

test('so many are kept, without a restart', async () => {
  for (const name of ['a', 'b', 'c']) await write(name)
  expect([await names(), changes]).toEqual([['c', 'b', 'a'], 0])
  for (const name of ['d', 'e']) await write(name)
  expect([await names(), changes]).toEqual([['e', 'd', 'c'], 2])
})

test('so many bytes are kept, without a restart', async () => {
  await write('a', { length: 60_000 })
  await write('b')
  expect(await names()).toEqual(['b', 'a'])
  await write('c', { length: 60_000 })
  expect(await names()).toEqual(['c', 'b'])
})

test('they are kept for so long, also if nothing is written after them', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  stop()
  start()
  await write('a')
  vi.advanceTimersByTime(6 * day)
  expect(await names()).toEqual(['a'])
  vi.advanceTimersByTime(day + day / 24)
  expect([await names(), changes]).toEqual([[], 1])
})

test('what an earlier run kept is bounded too', async () => {
  stop()
  start({ time: Infinity, bytes: Infinity, count: Infinity })
  await write('a', { at: Date.now() - 8 * day })
  await write('b', { length: 60_000 })
  await write('c', { length: 30_000 })
  expect(await names()).toEqual(['c', 'b', 'a'])
  stop()
  start()
  await decided.load()
  expect(await names()).toEqual(['c', 'b'])
  await write('d', { length: 30_000 })
  expect(await names()).toEqual(['d', 'c'])
})

test('what waits for a writable disk stays', async () => {
  await writeFile(data, '')
  for (const name of ['a', 'b', 'c', 'd']) await write(name)
  await decided.flush()
  expect((await decided.all()).map(({ path }) => path.slice(1))).toEqual(['d', 'c', 'b', 'a'])
})
