import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silent, startPlainDesk } from '../../../../test/plain-desk'
import type { Opening } from '../../../shared/review/proposal'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { DeskEvent } from './desk-events'
import { ReviewJournal } from './journal'
import type { Receipt } from './record/receipts'

/** A data directory that cannot be written to: what the person reads, and what agents are told. */
let folder: string
let desk: ReviewDesk
let watcher: FileWatcher
let events: DeskEvent[]
let answers: Opening[]

function startDesk(): ReviewDesk {
  const made = startPlainDesk(folder, watcher, {
    journal: new ReviewJournal(join(folder, 'data'), silent, { retryTime: 20 }),
    patience: 60_000,
  })
  made.onChange((event) => events.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-unrecorded-')))
  watcher = new FileWatcher({ interval: 50 })
  events = []
  answers = []
  desk = startDesk()
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Where the journal's folder should be stands a file: nothing can be written, whoever asks. */
const block = () => writeFile(join(folder, 'data'), '')
async function unblock() {
  await rm(join(folder, 'data'))
}

async function ask(proposed = 'ONE\ntwo\n') {
  const path = join(folder, 'a.txt')
  await writeFile(path, 'one\ntwo\n')
  const origin = { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', call: '1' } as const
  void desk
    .open({ origin, path, proposed, title: '', effect: 'agent' }, new AbortController().signal)
    .then((answer) => answers.push(answer))
  await vi.waitFor(() => expect(desk.summaries()).toHaveLength(1))
  const id = desk.summaries()[0]?.id ?? ''
  const now = () => desk.summary(id)
  return { id, path, now, revision: () => now()?.revision ?? -1 }
}

const told = () => events.flatMap((event) => (event.kind === 'recording' ? [event.problem] : []))

describe('a proposal that cannot be recorded', () => {
  it('is shown with the reason, and no decision is told until the person insists', async () => {
    await block()
    const review = await ask()
    await vi.waitFor(() => expect(review.now()?.unrecorded).toContain('decisions can’t be recorded'))
    expect(told()).toEqual([review.now()?.unrecorded])
    for (const decide of [desk.accept.bind(desk), desk.reject.bind(desk)]) {
      expect(decide(review.id, review.revision()).ok).toBe(true)
      expect(await desk.counts(review.id)).toMatchObject({ ok: false, failure: { code: 'unrecorded' } })
      expect(review.now()).toMatchObject({ phase: 'open' })
    }
    expect(answers).toEqual([])
    desk.accept(review.id, review.revision(), true)
    expect(await desk.counts(review.id)).toEqual({ ok: true, value: {} })
    expect(answers).toEqual([{ kind: 'accepted', text: 'ONE\ntwo\n' }])
  })

  it('is recorded whole as soon as there is room, with what was done meanwhile', async () => {
    await block()
    const review = await ask('ONE\nTWO\n')
    await vi.waitFor(() => expect(review.now()?.unrecorded).toBeDefined())
    desk.reject(review.id, review.revision())
    await desk.counts(review.id)
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    await unblock()
    await vi.waitFor(() => expect(review.now()?.unrecorded).toBeUndefined())
    expect(told().at(-1)).toBeNull()
    const log = readFileSync(join(folder, 'data', 'reviews', review.id, 'log.ndjson'), 'utf8')
    expect(log).toContain('"kind":"reject","hunk":1')
    // What was not told must not be found after a crash either.
    expect(log).not.toContain('"decided"')
    desk.accept(review.id, review.revision())
    expect(await desk.counts(review.id)).toEqual({ ok: true, value: {} })
    await vi.waitFor(() => expect(answers).toHaveLength(1))
  })

  it('that is over leaves nothing behind, and its old text is there for an undo', async () => {
    await block()
    const review = await ask()
    await vi.waitFor(() => expect(review.now()?.unrecorded).toBeDefined())
    desk.accept(review.id, review.revision(), true)
    await desk.counts(review.id)
    await writeFile(review.path, 'ONE\ntwo\n')
    await vi.waitFor(() => expect(desk.summaries()).toEqual([]))
    await unblock()
    expect(await desk.undo(review.id)).toEqual({ ok: true, value: {} })
    expect(readFileSync(review.path, 'utf8')).toBe('one\ntwo\n')
  })
})

describe('a log that cannot be written any more', () => {
  it('takes the decision back that was made on it, and leaves the agent waiting', async () => {
    const review = await ask()
    const record = join(folder, 'data', 'reviews', review.id)
    await vi.waitFor(() => expect(existsSync(record)).toBe(true))
    await rename(record, `${record}.away`)
    await writeFile(record, '')
    desk.accept(review.id, review.revision())
    expect(await desk.counts(review.id)).toMatchObject({ ok: false })
    expect(answers).toEqual([])
    await rm(record)
    await rename(`${record}.away`, record)
    await vi.waitFor(() => expect(review.now()?.unrecorded).toBeUndefined())
    expect(readFileSync(join(record, 'log.ndjson'), 'utf8')).not.toContain('"decided"')
    desk.reject(review.id, review.revision())
    expect(await desk.counts(review.id)).toEqual({ ok: true, value: {} })
    expect(answers).toEqual([{ kind: 'rejected' }])
  })
})

describe('a write that nobody was asked about, which cannot be recorded', () => {
  const path = () => join(folder, 'a.txt')
  const receipt = (before: string, after: string): Receipt => ({
    origin: { dialect: 'claude-tools', connection: 'c1', agent: 'Claude', call: '1' },
    realPath: path(),
    title: '',
    before: Buffer.from(before),
    after: Buffer.from(after),
    began: Date.now(),
    at: Date.now(),
    by: { kind: 'rule', pattern: '**' },
  })

  /** The entries that the next run finds, once what waited could be written. */
  async function recordOnceWritable() {
    await unblock()
    await vi.waitFor(() => expect(told().at(-1)).toBeNull())
    await desk.shutdown()
    desk = startDesk()
    await desk.restore()
    return (await desk.writes.page({ text: '', limit: 10 })).entries
  }

  it('is told, and kept as soon as there is room', async () => {
    await block()
    await writeFile(path(), 'ONE\n')
    await desk.receive(receipt('one\n', 'ONE\n'))
    expect(told()).toEqual([expect.stringContaining('Greenlight keeps trying.')])
    const entries = await recordOnceWritable()
    expect(entries).toMatchObject([{ path: path(), how: 'let-through', rule: '**', canUndo: true }])
    expect(await desk.undo(entries[0]?.id ?? '')).toEqual({ ok: true, value: {} })
    expect(readFileSync(path(), 'utf8')).toBe('one\n')
  })

  it('can be put back while it waits, which is on record then', async () => {
    await block()
    await writeFile(path(), 'ONE\n')
    await desk.receive(receipt('one\n', 'ONE\n'))
    const [{ id } = { id: '' }] = desk.decided()
    expect(await desk.undo(id)).toEqual({ ok: true, value: {} })
    expect(readFileSync(path(), 'utf8')).toBe('one\n')
    const entries = await recordOnceWritable()
    expect(entries).toMatchObject([{ id, canUndo: false, takenBack: expect.any(Number) as number }])
  })

  it('is put back while it is being written, and that is on record too', async () => {
    await block()
    const long = 'one\n'.repeat(1_000_000)
    await writeFile(path(), 'ONE\n')
    await desk.receive(receipt(long, 'ONE\n'))
    const [{ id } = { id: '' }] = desk.decided()
    await unblock()
    await vi.waitFor(() => expect(existsSync(join(folder, 'data', 'decided-reviews', id))).toBe(true), {
      interval: 0,
    })
    expect(await desk.undo(id)).toEqual({ ok: true, value: {} })
    await vi.waitFor(() => expect(told().at(-1)).toBeNull())
    const kept = readFileSync(join(folder, 'data', 'decided-reviews', id, 'kept.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ id, takenBack: expect.any(Number) as number })
  })

  it('is not offered to be put back once too many wait', async () => {
    await block()
    for (let count = 0; count <= 200; count++) await desk.receive(receipt(`${count}\n`, `${count + 1}\n`))
    const { entries } = await desk.writes.page({ text: '', limit: 300 })
    expect(entries.map(({ canUndo }) => canUndo)).toEqual([...Array<boolean>(200).fill(true), false])
    await unblock()
    await vi.waitFor(() => expect(told().at(-1)).toBeNull())
    expect(await readdir(join(folder, 'data', 'decided-reviews'))).toHaveLength(200)
  })
})
