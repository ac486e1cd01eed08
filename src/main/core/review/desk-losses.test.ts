import { ChangeSet, Text } from '@codemirror/state'
import { existsSync, readFileSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftText, startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { Proposal } from '../../../shared/review/proposal'
import { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import { Ledger } from '../files/ledger'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { DeskEvent } from './desk-events'
import { ReviewJournal } from './journal'
import { stepMachine } from './machine'
import { ReviewLog } from './review-log'

vi.mock(import('./machine'), async (load) => {
  const machine = await load()
  return { ...machine, stepMachine: vi.fn<typeof machine.stepMachine>(machine.stepMachine) }
})

/** Nothing is lost and nothing written over unseen, whatever comes between: the disk, a crash, a full disk, a restart. */
let folder: string
let desk: ReviewDesk
let ledger: Ledger
let watcher: FileWatcher
let events: DeskEvent[]
let faults: number
/** What the next swap of a file waits for; null once it does. */
let beforeSwap: Promise<void> | null

class SlowSwapper extends FileSwapper {
  override async swap(...args: Parameters<FileSwapper['swap']>) {
    const wait = beforeSwap
    beforeSwap = null
    await wait
    return super.swap(...args)
  }
}

function startDesk(): ReviewDesk {
  const own = folder
  // The journal of an earlier test may still end, in a folder that has gone.
  const error = () => {
    if (own === folder) faults++
  }
  const log = { info() {}, warn() {}, error }
  const made = startPlainDesk(folder, watcher, {
    journal: new ReviewJournal(join(folder, 'data'), log),
    ledger,
    swapper: new SlowSwapper(),
    isAgents: () => true,
    patience: 60_000,
  })
  made.onChange((event) => events.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-losses-')))
  watcher = new FileWatcher({ interval: 50 })
  ledger = new Ledger()
  events = []
  faults = 0
  beforeSwap = null
  desk = startDesk()
})
afterEach(async () => {
  vi.restoreAllMocks()
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

const until = <T>(find: () => T | null | undefined | false) => untilDesk(desk, find)

const ended = (id: string) => until(() => events.find((event) => event.kind === 'ended' && event.id === id))
const origin = { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', call: '1' } as const

/** A file with a text, and a proposal for it. */
async function ask(before: string | Buffer | null, proposed: string, extra: Partial<Proposal> = {}) {
  const path = join(folder, 'a.txt')
  if (before !== null) await writeFile(path, before)
  const abort = new AbortController()
  const known = new Set(desk.summaries().map(({ id }) => id))
  const opening = desk.open({ origin, path, proposed, title: '', effect: 'agent', ...extra }, abort.signal)
  const { id } = await until(() => desk.summaries().find((summary) => !known.has(summary.id)))
  return { ...reviewOf(id, path), abort, opening }
}

/** A file that an agent has written without asking. */
async function written(before: string | null, after: string) {
  const path = join(folder, 'a.txt')
  await writeFile(path, after)
  await desk.openWritten({
    origin: { ...origin, dialect: 'watcher' },
    path,
    title: '',
    before: before === null ? null : Buffer.from(before),
    after: Buffer.from(after),
  })
  return reviewOf(desk.summaries()[0]?.id ?? '', path)
}

function reviewOf(id: string, path: string) {
  const now = () => {
    const summary = desk.summary(id)
    if (!summary) throw new Error('the review is gone')
    return summary
  }
  return {
    id,
    path,
    now,
    read: () => readFile(path, 'utf8'),
    accept: () => desk.accept(id, now().revision),
    reject: () => desk.reject(id, now().revision),
    /** Takes steps on the draft as a page does. */
    step: (version: number, ...steps: object[]) =>
      desk.step(id, { client: 'p', version, after: version, steps: steps as never }),
    text: () => draftText(desk, id),
    log: join(folder, 'data', 'reviews', id, 'log.ndjson'),
  }
}

const type = (from: number, insert: string, length: number) => ({
  kind: 'edit',
  changes: ChangeSet.of({ from, insert: Text.of(insert.split('\n')) }, length).toJSON() as unknown,
})

/** Writes a file from elsewhere; resolves when its reviews have been told. */
async function writeElsewhere(path: string, text: string): Promise<void> {
  const told = vi.mocked(stepMachine)
  told.mockClear()
  await writeFile(path, text)
  const seen = expect.objectContaining({ kind: 'disk', fingerprint: hashContent(text) }) as unknown
  await vi.waitFor(() => expect(told.mock.calls.map(([, event]) => event)).toContainEqual(seen), {
    timeout: 20_000,
  })
}

async function restart(): Promise<void> {
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
}

/** Holds back that decisions are safe in the journal. */
function holdDecisions() {
  const { opened, open } = gate()
  const decided = ReviewLog.prototype.decided
  vi.spyOn(ReviewLog.prototype, 'decided').mockImplementation(async function (this: ReviewLog, ...args) {
    const isRecorded = await decided.apply(this, args)
    await opened
    return isRecorded
  })
  return open
}

describe('what comes to the disk while the host decides or writes', () => {
  it('is not written over, and stands in the draft afterwards: while the decision is recorded', async () => {
    const review = await ask('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n', { effect: 'host' })
    const goOn = holdDecisions()
    review.accept()
    await writeElsewhere(review.path, 'one\ntwo\nthree\nmine\n')
    goOn()
    await expect.poll(review.text).toBe('ONE\ntwo\nthree\nmine\n')
    expect(await review.read()).toBe('one\ntwo\nthree\nmine\n')
    review.accept()
    await ended(review.id)
    expect(await review.read()).toBe('ONE\ntwo\nthree\nmine\n')
  })

  it('is not written over, and stands in the draft afterwards: while it is written', async () => {
    const review = await ask('one\ntwo\nthree\n', 'ONE\ntwo\nthree\n', { effect: 'host' })
    const { opened, open } = gate()
    beforeSwap = opened
    review.accept()
    await vi.waitFor(() => expect(beforeSwap).toBeNull())
    await writeElsewhere(review.path, 'one\ntwo\nthree\nmine\n')
    open()
    await expect.poll(review.text).toBe('ONE\ntwo\nthree\nmine\n')
    expect(review.now()).toMatchObject({ phase: 'open' })
    review.accept()
    await ended(review.id)
    expect(await review.read()).toBe('ONE\ntwo\nthree\nmine\n')
  })

  it('is over when the app ends during the write: the end waits for it, and notes it', async () => {
    const review = await ask('one\n', 'ONE\n', { effect: 'host' })
    const { opened, open } = gate()
    beforeSwap = opened
    review.accept()
    await vi.waitFor(() => expect(beforeSwap).toBeNull())
    const over = desk.shutdown()
    open()
    await over
    expect(await review.read()).toBe('ONE\n')
    expect(existsSync(review.log)).toBe(false)
    expect(desk.decided()).toMatchObject([{ id: review.id, how: 'accepted' }])
    expect(faults).toBe(0)
  })

  it('stays where a written change is kept as it was', async () => {
    const review = await written('one\n', 'ONE\n')
    const goOn = holdDecisions()
    review.accept()
    await writeElsewhere(review.path, 'ONE\nmore work\n')
    goOn()
    await ended(review.id)
    expect(await review.read()).toBe('ONE\nmore work\n')
  })

  it('is not written through where the path has become a link', async () => {
    const review = await written('one\n', 'ONE\n')
    const other = join(folder, 'other.txt')
    await writeFile(other, 'ONE\n')
    await unlink(review.path)
    await symlink(other, review.path)
    review.reject()
    // While it is being written it is not in the list.
    await until(() => desk.summary(review.id)?.problem)
    expect(await readFile(other, 'utf8')).toBe('ONE\n')
  })

  it('is not written through a link by an undo either', async () => {
    const review = await written('one\n', 'ONE\n')
    review.reject()
    await ended(review.id)
    const other = join(folder, 'other.txt')
    await writeFile(other, 'one\n')
    await unlink(review.path)
    await symlink(other, review.path)
    expect(await desk.undo(review.id)).toMatchObject({ ok: false, failure: { code: 'changed' } })
    expect(await readFile(other, 'utf8')).toBe('one\n')
    await unlink(review.path)
    await writeFile(review.path, 'one\n')
    expect(await desk.undo(review.id)).toMatchObject({ ok: true })
    expect(await review.read()).toBe('ONE\n')
  })
})

describe('what the person typed', () => {
  it('into a rejected change stays when the file changes elsewhere', async () => {
    const review = await ask('one\ntwo\nthree\nfour\n', 'ONE\ntwo\nthree\nfour\n')
    review.step(0, { kind: 'reject', hunk: 1 })
    review.step(1, type(0, 'my ', 19))
    expect(review.text()).toBe('my one\ntwo\nthree\nfour\n')
    await writeFile(review.path, 'one\ntwo\nthree\nFOUR\n')
    await until(() => review.now().isStale)
    expect(review.text()).toBe('my one\ntwo\nthree\nFOUR\n')
  })

  it('is offered to the next proposal, and stays when that is cancelled', async () => {
    const first = await ask('one\ntwo\n', 'ONE\ntwo\n')
    first.step(0, type(3, ' my long work', 8))
    const again = await ask(null, 'ONE\ntwo\nthree\n')
    expect(desk.content(again.id)?.offered).toBe(true)
    again.abort.abort('cancelled')
    await again.opening
    expect(again.now().phase).toBe('orphaned')
    expect(desk.content(again.id)?.offered).toBe(true)
  })

  it('after a decision that was never said outlives a restart', async () => {
    const review = await ask('one\ntwo\n', 'ONE\ntwo\n')
    const goOn = holdDecisions()
    review.reject()
    review.abort.abort('connection-lost')
    expect(await review.opening).toEqual({ kind: 'withdrawn', reason: 'connection-lost' })
    goOn()
    expect(review.now().phase).toBe('orphaned')
    expect(review.step(0, type(3, ' my long work', 8)).status).toBe('accepted')
    await restart()
    expect(review.text()).toBe('ONE my long work\ntwo\n')
  })

  it('into what was accepted before a restart stays when the agent writes', async () => {
    const review = await ask('one\ntwo\n', 'ONE\ntwo\n')
    review.accept()
    await review.opening
    await restart()
    expect(review.now().phase).toBe('orphaned')
    expect(review.step(0, type(3, ' my long work', 8)).status).toBe('accepted')
    await writeFile(review.path, 'ONE\ntwo\n')
    const { id } = await until(() => desk.summaries().find(({ effect }) => effect === 'written'))
    expect(draftText(desk, id)).toBe('ONE my long work\ntwo\n')
  })

  it('into what was accepted before a restart is announced when it is kept', async () => {
    const review = await ask('one\ntwo\n', 'ONE\ntwo\n')
    review.accept()
    await review.opening
    await restart()
    review.step(0, type(3, '!', 8))
    desk.keep(review.id, review.now().revision)
    await ended(review.id)
    expect(await review.read()).toBe('ONE!\ntwo\n')
    expect(ledger.expects(review.path, hashContent('ONE!\ntwo\n'))).toBe(true)
  })
})

describe('the log of a draft', () => {
  it('goes on after a last line that a crash has cut', async () => {
    const review = await ask('one\ntwo\n', 'ONE\nTWO\n')
    review.step(0, type(3, '!', 8))
    await vi.waitFor(() => expect(readFileSync(review.log, 'utf8')).toMatch(/edit.*\n$/))
    desk.dispose()
    await appendFile(review.log, '{"kind":"step","step":{"kind":"ed')
    desk = startDesk()
    await desk.restore()
    expect(review.text()).toBe('ONE!\nTWO\n')
    desk.step(review.id, { client: 'q', version: 1, after: 0, steps: [type(0, 'my ', 9) as never] })
    await restart()
    expect(review.text()).toBe('my ONE!\nTWO\n')
  })

  it('takes what is typed at once, whatever the clock says', async () => {
    const review = await ask('one\ntwo\n', 'ONE\nTWO\n')
    await vi.waitFor(() => expect(existsSync(review.log)).toBe(true))
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    review.step(0, type(3, '!', 8))
    const end = performance.now() + 5000
    while (!readFileSync(review.log, 'utf8').includes('"edit"') && performance.now() < end)
      await new Promise((resolve) => setImmediate(resolve))
    vi.useRealTimers()
    expect(readFileSync(review.log, 'utf8')).toContain('"edit"')
  })

  it('takes up what a full disk refused, once there is room', async () => {
    const review = await ask('one\ntwo\n', 'ONE\nTWO\n')
    await vi.waitFor(() => expect(existsSync(join(review.log, '..', 'head.json'))).toBe(true))
    // In its place stands something that cannot be written to.
    await rename(review.log, `${review.log}.real`)
    await mkdir(review.log)
    review.step(0, type(3, '!', 8))
    await vi.waitFor(() => expect(faults).toBeGreaterThan(0))
    await rmdir(review.log)
    await rename(`${review.log}.real`, review.log)
    review.step(1, type(0, 'my ', 9))
    await restart()
    expect(review.text()).toBe('my ONE!\nTWO\n')
  })
})

describe('a proposal of line ends alone', () => {
  it.each(['host', 'agent'] as const)(
    'is over when the file gets another text: by the %s',
    async (effect) => {
      const review = await ask('one\r\ntwo\r\n', 'one\ntwo\n', { effect })
      await writeFile(review.path, 'one\r\ntwo\r\nmine\r\n')
      await until(() => review.now().isStale)
      review.accept()
      const verdict = await review.opening
      expect(verdict.kind === 'accepted' ? verdict.text : await review.read()).toContain('mine')
      expect(await review.read()).toContain('mine')
    },
  )

  it('is one after a restart, too', async () => {
    const review = await ask('one\r\ntwo\r\n', 'one\ntwo\n')
    await restart()
    desk.keep(review.id, review.now().revision)
    await ended(review.id)
    expect(await review.read()).toBe('one\ntwo\n')
  })

  it('leaves a file in its encoding', async () => {
    const before = Buffer.from('\ufeffgrün\r\ntwo\r\n', 'utf16le')
    const review = await ask(before, 'grün\ntwo\n', { effect: 'host' })
    review.accept()
    await ended(review.id)
    expect(await readFile(review.path)).toEqual(Buffer.from('\ufeffgrün\ntwo\n', 'utf16le'))
  })
})

describe('a new file of which nothing is kept', () => {
  it('is a rejection', async () => {
    const review = await ask(null, 'one\ntwo\n')
    review.step(0, { kind: 'reject', hunk: 1 })
    review.accept()
    expect(await review.opening).toMatchObject({ kind: 'rejected' })
  })

  it('goes, where it was written already', async () => {
    const review = await written(null, 'ONE\n')
    review.step(0, { kind: 'reject', hunk: 1 })
    review.accept()
    await ended(review.id)
    expect(existsSync(review.path)).toBe(false)
  })
})
