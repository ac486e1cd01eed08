import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { draftText, startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { Verdict } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { Ledger } from '../../core/files/ledger'
import { FileWatcher } from '../../core/files/watcher'
import type { ReviewDesk } from '../../core/review/desk'
import type { ReviewEnded } from '../../core/review/desk-events'
import type { Unquestioned } from '../../core/review/record/receipts'
import { receiveWrite } from './tool-writes'

const before = 'one\ntwo\nthree\n'
const accepted = 'ONE\ntwo\nthree\n'
const further = 'ONE\ntwo\nTHREE\n'
const byMode: Unquestioned = { kind: 'mode', mode: 'acceptEdits' }
const origin = { dialect: 'claude-hooks', connection: 'c', agent: 'Claude', call: '1' } as const

let folder: string
let path: string
let ledger: Ledger
let watcher: FileWatcher
/** Has a review look at its file; the watcher of these tests never does. */
let look: () => void
let desk: ReviewDesk
let ends: ReviewEnded[]
const reports: unknown[] = []

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-tool-writes-')))
  path = join(folder, 'a.txt')
  ledger = new Ledger()
  watcher = new FileWatcher({ interval: 100 })
  ends = []
  desk = startPlainDesk(folder, watcher, {
    ledger,
    isAgents: () => false,
    watch: (_, listener) => {
      look = listener
      return Promise.resolve({ dispose: () => undefined })
    },
  })
  desk.onChange((event) => event.kind === 'ended' && ends.push(event))
  await writeFile(path, before)
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

/** An agent's question about a change of the file. */
async function ask(proposed: string) {
  const { signal } = new AbortController()
  const answer = desk.open({ origin, path, proposed, title: 'a change', effect: 'agent' }, signal)
  const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
  return { id, answer, over: () => untilDesk(desk, () => ends.find((end) => end.id === id)) }
}

const decide = (id: string, word: 'accept' | 'reject' = 'accept') =>
  expect(desk[word](id, desk.summary(id)?.revision ?? 0).ok).toBe(true)

/** The same, accepted; the agent has its answer, and the file doesn't hold it yet. */
async function askAndAccept(proposed: string) {
  const review = await ask(proposed)
  decide(review.id)
  const verdict: Verdict = (await review.answer) as Verdict
  expect(verdict.kind).toBe('accepted')
  return review
}

/** A tool has written without a question; `by` says why. Tells of it as its hooks do, once the tool has run. */
async function writes(was: string | null, now: string, by = byMode, { isLookedAt = false } = {}) {
  const began = Date.now()
  await writeFile(path, now)
  return () =>
    receiveWrite(
      {
        ...{ origin, realPath: path, title: 'Write a.txt', began, at: Date.now(), by },
        before: was === null ? null : Buffer.from(was),
        after: Buffer.from(now),
      },
      isLookedAt,
      { desk, ledger, report: (error) => reports.push(error) },
    )
}

/** The record of the file, oldest first: how each entry came about, and the texts that it leads from and to. */
async function record(): Promise<[string, string | null, string | null][]> {
  const texts = new Map<string | null, string>()
  for (const text of [before, accepted, further, 'more\n']) texts.set(hashContent(text), text)
  const named = (hash: string | null | undefined) => (hash == null ? null : (texts.get(hash) ?? hash))
  const entries: [string, string | null, string | null][] = []
  for await (const { line } of desk.writes.lines({ texts: false })) {
    const { how, before: was, written } = JSON.parse(line) as Entry
    entries.unshift([how, named(was.sha256), named(written?.sha256)])
  }
  return entries
}

interface Entry {
  how: string
  before: { sha256: string | null }
  written: { sha256: string | null } | null
}

test('what is written on top of an accepted change is a write of its own, and shows that the change had come', async () => {
  const review = await askAndAccept(accepted)
  // Written and written over before anybody has looked at the file.
  await writeFile(path, accepted)
  const tell = await writes(accepted, further)
  await tell()
  expect(await review.over()).toMatchObject({ end: 'confirmed' })
  expect(await record()).toEqual([
    ['accepted', before, accepted],
    ['unasked', accepted, further],
  ])
})

test('and is looked at, if the person wants to look at such writes', async () => {
  await askAndAccept(accepted)
  await writeFile(path, accepted)
  const tell = await writes(accepted, further, byMode, { isLookedAt: true })
  await tell()
  expect(desk.summaries()).toMatchObject([{ effect: 'written', phase: 'open' }])
  decide(desk.summaries()[0]?.id ?? '')
  await untilDesk(desk, () => desk.summaries().length === 0)
  expect(await record()).toEqual([
    ['accepted', before, accepted],
    ['accepted', accepted, further],
  ])
})

test('a review that saw only what came on top is corrected by whoever tells of that', async () => {
  const review = await askAndAccept(accepted)
  await writeFile(path, accepted)
  const tell = await writes(accepted, further)
  look()
  expect(await review.over()).toMatchObject({ end: 'diverged' })
  await tell()
  expect(await record()).toEqual([
    ['accepted', before, accepted],
    ['unasked', accepted, further],
  ])
  // What is read again from disk is in the same order.
  await desk.shutdown()
  desk = startPlainDesk(folder, watcher)
  await desk.restore()
  await desk.writes.list()
  expect((await record()).map(([how]) => how)).toEqual(['accepted', 'unasked'])
})

test('what comes before the accepted change doesn’t end its review', async () => {
  const review = await askAndAccept(accepted)
  const tell = await writes(before, further)
  await tell()
  look()
  await writeFile(path, accepted)
  look()
  expect(await review.over()).toMatchObject({ end: 'confirmed' })
  expect(await record()).toEqual([
    ['unasked', before, further],
    ['accepted', further, accepted],
  ])
})

test.each(['accept', 'reject'] as const)(
  'a file is written while the person is asked about it: %s',
  async (word) => {
    const review = await ask(accepted)
    const tell = await writes(before, 'one\ntwo\nTHREE\n')
    await tell()
    // The question is now about the file as it is.
    expect(draftText(desk, review.id)).toBe(further)
    decide(review.id, word)
    const verdict = (await review.answer) as Verdict
    if (verdict.kind === 'accepted') await writeFile(path, verdict.text)
    look()
    await review.over()
    const written = hashContent('one\ntwo\nTHREE\n')
    expect(await record()).toEqual([
      ['unasked', before, written],
      word === 'accept' ? ['accepted', written, further] : ['rejected', written, null],
    ])
  },
)

test('what a review led to isn’t told twice, whoever tells of it first', async () => {
  const early = await askAndAccept(accepted)
  const tell = await writes(before, accepted, { kind: 'person' })
  await tell()
  await early.over()
  const late = await askAndAccept(further)
  const tellLater = await writes(accepted, further, { kind: 'person' })
  look()
  await late.over()
  await tellLater()
  expect(await record()).toEqual([
    ['accepted', before, accepted],
    ['accepted', accepted, further],
  ])
})

test('what is written again while it is looked at is part of what is looked at', async () => {
  const first = await writes(before, accepted, byMode, { isLookedAt: true })
  await first()
  const again = await writes(accepted, further, byMode, { isLookedAt: true })
  await again()
  const [review] = desk.summaries()
  decide(review?.id ?? '', 'reject')
  await untilDesk(desk, () => ends.length > 0)
  expect(await readFile(path, 'utf8')).toBe(before)
  expect(await record()).toEqual([['put-back', before, before]])
})

test('what is written right after it was kept is looked at anew', async () => {
  const first = await writes(before, accepted, byMode, { isLookedAt: true })
  await first()
  decide(desk.summaries()[0]?.id ?? '')
  const again = await writes(accepted, further, byMode, { isLookedAt: true })
  await again()
  const [review] = await untilDesk(desk, () => desk.summaries().length === 1 && desk.summaries())
  decide(review?.id ?? '')
  await untilDesk(desk, () => desk.summaries().length === 0)
  expect(await record()).toEqual([
    ['accepted', before, accepted],
    ['accepted', accepted, further],
  ])
})

test('what was there before is on record by its hash, if its bytes aren’t known any more', async () => {
  const held = { hash: hashContent(before), size: before.length }
  await writeFile(path, accepted)
  const at = Date.now()
  const receipt = {
    origin,
    realPath: path,
    title: '',
    before: held,
    after: Buffer.from(accepted),
    began: at,
    at,
  }
  const rooms = { desk, ledger, report: (error: unknown) => reports.push(error) }
  await receiveWrite({ ...receipt, by: byMode }, false, rooms)
  expect(await record()).toEqual([['unasked', before, accepted]])
  expect(desk.decided()).toEqual([])
  // It can be looked at, and only be kept.
  await writeFile(path, further)
  const second = { ...receipt, before: { ...held, hash: hashContent(accepted) }, after: Buffer.from(further) }
  await receiveWrite({ ...second, by: byMode }, true, rooms)
  expect(desk.summaries()).toMatchObject([{ effect: 'written', isBeforeUnknown: true }])
})

test('what a rule lets through is on record also where the person is asked about the file', async () => {
  const review = await ask(accepted)
  const tell = await writes(before, 'more\n', { kind: 'rule', pattern: '**' })
  await tell()
  decide(review.id, 'reject')
  await review.over()
  expect(await record()).toEqual([
    ['let-through', before, 'more\n'],
    ['rejected', 'more\n', null],
  ])
})
