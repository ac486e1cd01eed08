import fc from 'fast-check'
import { mkdtemp, readFile, realpath, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { draftText, startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import { hashContent } from '../files/content-hash'
import { Ledger } from '../files/ledger'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { ReviewEnded } from './desk-events'
import type { WrittenProposal } from './written-proposal'

let folder: string
let path: string
let desk: ReviewDesk
let ledger: Ledger
let watcher: FileWatcher
let ends: ReviewEnded[]
/** Who writes the file next, when it is not the desk. */
let isAgents: boolean

function startDesk(): ReviewDesk {
  const made = startPlainDesk(folder, watcher, {
    ledger,
    isAgents: () => isAgents,
  })
  made.onChange((event) => event.kind === 'ended' && ends.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-written-')))
  path = join(folder, 'a.txt')
  ledger = new Ledger()
  watcher = new FileWatcher({ interval: 100 })
  ends = []
  isAgents = true
  desk = startDesk()
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const until = <T>(find: () => T | null | undefined | false) => untilDesk(desk, find)

const origin = { dialect: 'watcher', connection: 'c1', agent: 'Claude', call: '1' } as const
const bytes = (text: string | Buffer | null) => (text === null ? null : Buffer.from(text as string))

/** An agent has written: the file holds `after`, and the desk hears what stood there before. */
async function written(before: string | Buffer | null | 'unknown', after: string | Buffer | null) {
  if (after === null) await unlink(path).catch(() => undefined)
  else await writeFile(path, after)
  const change: WrittenProposal = {
    origin,
    path,
    title: 'Changed',
    before: before === 'unknown' ? before : bytes(before),
    after: bytes(after),
  }
  await desk.openWritten(change)
  const summary = desk.summaries()[0] ?? never()
  return { id: summary.id, now: () => desk.summary(summary.id) ?? never() }
}

function never(): never {
  throw new Error('there is no review')
}

const disk = () => readFile(path).catch(() => null)
const end = (id: string) => until(() => ends.find((event) => event.id === id))
const result = (id: string) => draftText(desk, id)
/** The next content that the review has seen on disk. */
const seen = (id: string, text: string) => until(() => result(id) === text)

async function putBack(id: string): Promise<ReviewEnded> {
  expect(desk.reject(id, desk.summary(id)?.revision ?? 0).ok).toBe(true)
  return end(id)
}

it('is asked after the fact: keeping writes nothing', async () => {
  const review = await written('one\ntwo\n', 'one\nTWO\n')
  expect(review.now()).toMatchObject({ effect: 'written', phase: 'open', changes: 1, isNew: false })
  expect(desk.accept(review.id, review.now().revision).ok).toBe(true)
  expect(await end(review.id)).toMatchObject({ end: 'confirmed', effect: 'written', canUndo: true })
  expect(String(await disk())).toBe('one\nTWO\n')
  await desk.undo(review.id)
  expect(String(await disk())).toBe('one\ntwo\n')
})

it('puts back one change and keeps the other; undo brings back what the agent wrote', async () => {
  const review = await written('one\ntwo\nthree\n', 'ONE\ntwo\nTHREE\n')
  desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
  desk.accept(review.id, review.now().revision)
  expect(await end(review.id)).toMatchObject({ end: 'confirmed' })
  expect(String(await disk())).toBe('one\ntwo\nTHREE\n')
  expect(ledger.expects(path, hashContent('one\ntwo\nTHREE\n'))).toBe(true)
  expect((await desk.undo(review.id)).ok).toBe(true)
  expect(String(await disk())).toBe('ONE\ntwo\nTHREE\n')
})

const texts = fc
  .array(fc.constantFrom('a\n', 'b\r\n', 'c', '\n', '\r\n', 'd\r'), { maxLength: 6 })
  .map((lines) => lines.join(''))
const files = fc.oneof(
  fc.tuple(fc.constantFrom('', '\ufeff'), texts).map(([mark, text]) => Buffer.from(mark + text)),
  texts.map((text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  fc.uint8Array({ maxLength: 5 }).map((raw) => Buffer.from([0, ...raw])),
)

it('gives a deleted file back, and undo deletes it again', async () => {
  const review = await written('one\ntwo\n', null)
  expect(await putBack(review.id)).toMatchObject({ end: 'rejected', canUndo: true })
  expect(desk.decided()).toMatchObject([{ how: 'put-back', canUndo: true }])
  expect(String(await disk())).toBe('one\ntwo\n')
  expect((await desk.undo(review.id)).ok).toBe(true)
  expect(await disk()).toBeNull()
})

it('kept as a new file goes again by undo', async () => {
  const review = await written(null, 'one\n')
  expect(desk.accept(review.id, review.now().revision).ok).toBe(true)
  await end(review.id)
  expect((await desk.undo(review.id)).ok).toBe(true)
  expect(await disk()).toBeNull()
})

it('does not delete a file again that has been changed since it was given back', async () => {
  const review = await written('one\ntwo\n', null)
  await putBack(review.id)
  await writeFile(path, 'mine\n')
  expect((await desk.undo(review.id)).ok).toBe(false)
  expect(String(await disk())).toBe('mine\n')
})

it('puts back exactly the bytes from before, whatever the file was and is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(files), fc.option(files), async (before, after) => {
      fc.pre(before === null ? after !== null : after === null || !before.equals(after))
      const review = await written(before, after)
      expect(review.now()).toMatchObject({ isNew: before === null })
      expect(review.now().isGone ?? false).toBe(after === null)
      const { end: how, canUndo } = await putBack(review.id)
      expect(how).toBe('rejected')
      expect(await disk()).toEqual(before)
      if (!canUndo) return
      expect((await desk.undo(review.id)).ok).toBe(true)
      expect(await disk()).toEqual(after)
    }),
    { numRuns: 60 },
  )
}, 60_000)

it('keeps exactly what is on disk, whatever the file was and is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(files), fc.option(files), async (before, after) => {
      fc.pre(before === null ? after !== null : after === null || !before.equals(after))
      const review = await written(before, after)
      desk.accept(review.id, review.now().revision)
      expect(await end(review.id)).toMatchObject({ end: 'confirmed' })
      expect(await disk()).toEqual(after)
    }),
    { numRuns: 60 },
  )
}, 60_000)

/** Rejects each change by itself, and then takes the file as it stands. False if there is no change. */
function rejectSingly(id: string): boolean {
  const content = desk.content(id)?.content
  if (content?.kind !== 'text' || content.draft.hunks.length === 0) return false
  const steps = content.draft.hunks.map(({ number }) => ({ kind: 'reject' as const, hunk: number }))
  expect(desk.step(id, { client: 'p', version: 0, after: 0, steps }).status).toBe('accepted')
  expect(desk.accept(id, desk.summary(id)?.revision ?? 0).ok).toBe(true)
  return true
}

it('has exactly the bytes from before if every change is rejected singly, whatever the file was and is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(files), fc.option(files), async (before, after) => {
      fc.pre(before === null ? after !== null : after === null || !before.equals(after))
      const review = await written(before, after)
      if (!rejectSingly(review.id)) return void (await putBack(review.id))
      expect(await end(review.id)).toMatchObject({ end: 'rejected' })
      expect(await disk()).toEqual(before)
    }),
    { numRuns: 60 },
  )
}, 60_000)

it('is rejected if every change of a question is rejected singly, whatever line ends and mark it has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(files), files, async (before, after) => {
      if (before === null) await unlink(path).catch(() => undefined)
      else await writeFile(path, before)
      const asked = new AbortController()
      const proposal = { origin, path, title: '', proposed: after.toString('utf8'), effect: 'agent' } as const
      const answer = desk.open(proposal, asked.signal)
      const { id } = await until(() => desk.summaries().find(({ phase }) => phase === 'open'))
      if (rejectSingly(id)) expect(await answer).toMatchObject({ kind: 'rejected' })
      else asked.abort()
      await end(id)
      expect(await disk()).toEqual(before)
    }),
    { numRuns: 60 },
  )
}, 60_000)

it('takes what the agent writes later into the same review, and decisions stay', async () => {
  const review = await written('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')
  desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
  await writeFile(path, 'ONE\ntwo\nTHREE\n')
  await seen(review.id, 'one\ntwo\nTHREE\n')
  expect(review.now()).toMatchObject({ changes: 2, decided: 1, isStale: false })
  desk.accept(review.id, review.now().revision)
  await end(review.id)
  expect(String(await disk())).toBe('one\ntwo\nTHREE\n')
})

it('never puts the old text over what the person has written since', async () => {
  const review = await written('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')
  isAgents = false
  await writeFile(path, 'ONE\ntwo\nthree\nmine\n')
  await seen(review.id, 'ONE\ntwo\nthree\nmine\n')
  expect(review.now()).toMatchObject({ changes: 1, isStale: true })
  await putBack(review.id)
  expect(String(await disk())).toBe('one\ntwo\nthree\nmine\n')
})

it('is over when the file is as it was before', async () => {
  const review = await written('one\n', 'ONE\n')
  await writeFile(path, 'one\n')
  expect(await end(review.id)).toMatchObject({ end: 'withdrawn' })
})

it('closing its tab decides nothing', async () => {
  const review = await written('one\n', 'ONE\n')
  desk.closeTab(review.id)
  expect(review.now().phase).toBe('open')
  expect(String(await disk())).toBe('ONE\n')
})

it('does not put back what nobody knows, and says so', async () => {
  const review = await written('unknown', 'text\n')
  expect(review.now()).toMatchObject({ isBeforeUnknown: true, content: 'binary' })
  const refused = desk.reject(review.id, review.now().revision)
  expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining('isn’t known') } })
  expect(review.now()).toMatchObject({ phase: 'open', problem: expect.stringContaining('isn’t known') })
  expect(String(await disk())).toBe('text\n')
  desk.accept(review.id, review.now().revision)
  expect(await end(review.id)).toMatchObject({ end: 'confirmed' })
  expect(String(await disk())).toBe('text\n')
})

it('comes back after a crash, still to be decided, with its decisions; the file stays as it is', async () => {
  const review = await written('one\r\ntwo\r\nthree\r\n', 'ONE\r\ntwo\r\nTHREE\r\n')
  desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
  await until(() => review.now().decided === 1)
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
  const again = desk.summaries()[0] ?? never()
  expect(again).toMatchObject({ phase: 'open', effect: 'written', changes: 2, decided: 1, problem: null })
  expect(String(await disk())).toBe('ONE\r\ntwo\r\nTHREE\r\n')
  await writeFile(path, 'ONE\r\ntwo\r\nTHREE\r\nfour\r\n')
  await seen(again.id, 'one\r\ntwo\r\nTHREE\r\nfour\r\n')
  desk.accept(again.id, desk.summary(again.id)?.revision ?? 0)
  await end(again.id)
  expect(String(await disk())).toBe('one\r\ntwo\r\nTHREE\r\nfour\r\n')
})

it('comes back with bytes and with a file that changed meanwhile, which counts as the person’s', async () => {
  const first = await written(Buffer.from([0, 1, 2]), Buffer.from([0, 9]))
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
  await putBack(first.id)
  expect(await disk()).toEqual(Buffer.from([0, 1, 2]))

  const second = await written('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n')
  await desk.shutdown()
  await writeFile(path, 'ONE\ntwo\nthree\nmine\n')
  isAgents = false
  desk = startDesk()
  await desk.restore()
  expect(result(second.id)).toBe('ONE\ntwo\nthree\nmine\n')
  await putBack(second.id)
  expect(String(await disk())).toBe('one\ntwo\nthree\nmine\n')
})

it('lets an agent that asks about the same file come first', async () => {
  const review = await written('one\n', 'ONE\n')
  const abort = new AbortController()
  const asked = { ...origin, dialect: 'claude-ide', call: '2' } as const
  const proposal = { origin: asked, path, proposed: 'ONE\ntwo\n', title: '', effect: 'agent' } as const
  const opening = desk.open(proposal, abort.signal)
  const other = await until(() => desk.summaries().find(({ id }) => id !== review.id))
  expect(other.phase).toBe('open')
  expect(review.now().phase).toBe('open')
  desk.accept(other.id, desk.summary(other.id)?.revision ?? 0)
  expect(await opening).toEqual({ kind: 'accepted', text: 'ONE\ntwo\n' })
  isAgents = false
  await writeFile(path, 'ONE\ntwo\n')
  await seen(review.id, 'ONE\ntwo\n')
  await putBack(review.id)
  expect(String(await disk())).toBe('one\ntwo\n')
})
