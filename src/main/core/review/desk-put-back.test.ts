import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import { encodeText } from '../../../shared/text/text-facts'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { ReviewEnded } from './desk-events'

let folder: string
let path: string
let desk: ReviewDesk
let watcher: FileWatcher
let ends: ReviewEnded[]

function startDesk(): ReviewDesk {
  const made = startPlainDesk(folder, watcher)
  made.onChange((event) => event.kind === 'ended' && ends.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-put-back-')))
  path = join(folder, 'a.txt')
  watcher = new FileWatcher({ interval: 100 })
  ends = []
  desk = startDesk()
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const until = <T>(find: () => T | null | undefined | false) => untilDesk(desk, find)
const end = (id: string) => until(() => ends.find((event) => event.id === id))
const disk = () => readFile(path).catch(() => null)
const origin = { dialect: 'rewind', connection: 'rewind', agent: 'Rewind', call: '1' } as const

async function put(bytes: Uint8Array | null): Promise<void> {
  if (bytes === null) await rm(path, { force: true })
  else await writeFile(path, bytes)
}

/** Proposes that the file is put back. */
async function propose(before: Uint8Array | null) {
  const { signal } = new AbortController()
  const opening = desk.open({ origin, path, proposed: before, title: 'Rewind', effect: 'host' }, signal)
  const { id } = await until(() => desk.summaries()[0])
  return { id, opening, now: () => desk.summary(id) }
}

async function accept(id: string): Promise<ReviewEnded> {
  expect(desk.accept(id, desk.summary(id)?.revision ?? 0).ok).toBe(true)
  return end(id)
}

const utf8 = (text: string) => Buffer.from(text)
const utf16 = (text: string) => Buffer.from(encodeText(text, { encoding: 'utf-16le', bom: true, eol: 'lf' }))

test.each<[string, Buffer | null, Buffer | null]>([
  ['lines', utf8('one\nTWO\nthree\n'), utf8('one\ntwo\nthree\n')],
  ['line ends', utf8('one\nTWO\n'), utf8('one\r\ntwo\r\n')],
  ['line ends alone', utf8('one\ntwo\n'), utf8('one\r\ntwo\r\n')],
  ['mixed line ends', utf8('one\r\nTWO\r\nthree\r\n'), utf8('one\ntwo\r\nthree\n')],
  ['a mark', utf8('ONE\n'), utf8('\ufeffone\n')],
  ['a mark alone', utf8('\ufeffone\n'), utf8('one\n')],
  ['an encoding', utf8('ONE\n'), utf16('one\n')],
  ['a final newline', utf8('one\n'), utf8('one')],
  ['an emptied file', utf8(''), utf8('one\n')],
  ['a file that is gone', null, utf8('one\r\ntwo')],
  ['an empty file that is gone', null, utf8('')],
  ['a new file', utf8('one\n'), null],
  ['a new empty file', utf8(''), null],
])('%s: the file is exactly as before, and after an undo as it was found', async (_, now, before) => {
  await put(now)
  const review = await propose(before)
  expect(review.now()).toMatchObject({ isNew: now === null, effect: 'host' })
  expect(review.now()?.isGone === true).toBe(before === null)
  expect(await disk()).toEqual(now)
  expect(await accept(review.id)).toMatchObject({ end: 'confirmed', canUndo: true })
  expect(await disk()).toEqual(before)
  expect(await desk.undo(review.id)).toEqual({ ok: true, value: {} })
  expect(await disk()).toEqual(now)
})

it('can be rejected in part or whole, and then leaves the rest', async () => {
  await put(utf8('ONE\ntwo\nthree\nFOUR\n'))
  const review = await propose(utf8('one\r\ntwo\r\nthree\r\nfour\r\n'))
  desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
  await accept(review.id)
  expect((await disk())?.toString()).toBe('ONE\r\ntwo\r\nthree\r\nfour\r\n')
  const again = await propose(null)
  expect(desk.reject(again.id, again.now()?.revision ?? 0).ok).toBe(true)
  expect(await end(again.id)).toMatchObject({ end: 'rejected', canUndo: false, canReopen: false })
  expect((await disk())?.toString()).toBe('ONE\r\ntwo\r\nthree\r\nfour\r\n')
})

it('shows what came to the file meanwhile, and writes over nothing that was not seen', async () => {
  await put(utf8('ONE\ntwo\n'))
  const review = await propose(utf8('one\ntwo\n'))
  await put(utf8('ONE\ntwo\nmine\n'))
  await until(() => review.now()?.isStale)
  await accept(review.id)
  expect((await disk())?.toString()).toBe('one\ntwo\nmine\n')
  await put(utf8('agent\n'))
  const gone = await propose(null)
  const { revision = 0 } = gone.now() ?? {}
  await put(utf8('agent\nmine\n'))
  await until(() => gone.now()?.isStale)
  expect(desk.accept(gone.id, revision)).toMatchObject({ failure: { code: 'stale' } })
  expect(desk.patch(gone.id)?.text).toContain('-mine')
  await accept(gone.id)
  expect(await disk()).toBe(null)
})

it('survives a restart, also as a deletion', async () => {
  await put(utf8('one\n'))
  const before = utf8('one\r\n\ufefftwo\n')
  const review = await propose(before)
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
  expect(review.now()).toMatchObject({ phase: 'orphaned' })
  expect(desk.keep(review.id, review.now()?.revision ?? 0).ok).toBe(true)
  await end(review.id)
  expect(await disk()).toEqual(before)
  const gone = await propose(null)
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
  expect(gone.now()).toMatchObject({ phase: 'orphaned', isGone: true })
  expect(desk.keep(gone.id, gone.now()?.revision ?? 0).ok).toBe(true)
  await end(gone.id)
  expect(await disk()).toBe(null)
})

it('refuses what is no text, and says what to do', async () => {
  await put(Buffer.from([0, 1, 2]))
  const { signal } = new AbortController()
  for (const proposed of [null, utf8('one\n')]) {
    const opening = await desk.open({ origin, path, proposed, title: 'Rewind', effect: 'host' }, signal)
    expect(opening).toEqual({ kind: 'refused', message: `${path} isn’t text. Put it back by hand.` })
  }
})
