import { ChangeSet, Text } from '@codemirror/state'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { draftText, startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { Ledger } from '../files/ledger'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { DeskEvent } from './desk-events'

let folder: string
let desk: ReviewDesk
let ledger: Ledger
let watcher: FileWatcher
let events: DeskEvent[]
let notes: string[]

function startDesk(patience = 60_000): ReviewDesk {
  const made = startPlainDesk(folder, watcher, {
    ledger,
    typeNote: (_origin, note) => notes.push(note) > 0,
    patience,
  })
  made.onChange((event) => events.push(event))
  return made
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-desk-')))
  ledger = new Ledger()
  watcher = new FileWatcher({ interval: 100 })
  events = []
  notes = []
  desk = startDesk()
})

afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function proposalOf(path: string, proposed: string, extra: Partial<Proposal> = {}): Proposal {
  const origin = { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', call: '1' } as const
  return { origin, path, proposed, title: 'a change', effect: 'agent', ...extra }
}

const otherAgent = { dialect: 'gemini-companion', connection: 'c2', agent: 'Gemini', call: '1' } as const

const until = <T>(find: () => T | null | undefined | false) => untilDesk(desk, find)

async function ask(path: string, proposed: string, extra: Partial<Proposal> = {}) {
  const abort = new AbortController()
  const known = new Set(desk.summaries().map(({ id }) => id))
  const opening = desk.open(proposalOf(path, proposed, extra), abort.signal)
  const { id } = await until(() => desk.summaries().find((summary) => !known.has(summary.id)))
  return { id, abort, opening, now: () => desk.summary(id) ?? never() }
}

function never(): never {
  throw new Error('the review is gone')
}

const ended = (id: string) => until(() => events.find((event) => event.kind === 'ended' && event.id === id))

describe('the desk', () => {
  it('answers a partial acceptance with exactly the merged text and believes the disk alone', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\nfour\nfive\n')
    const review = await ask(path, 'ONE\ntwo\nTHREE\nfour\nFIVE\n')
    expect(review.now()).toMatchObject({ changes: 3, addedLines: 3, removedLines: 3, phase: 'open' })
    expect(
      desk.step(review.id, {
        client: 'p',
        version: 0,
        after: 0,
        steps: [
          { kind: 'accept', hunk: 1 },
          { kind: 'reject', hunk: 2 },
        ],
      }),
    ).toEqual({ status: 'accepted', revision: desk.summary(review.id)?.revision })
    const content = desk.content(review.id)?.content
    const draft = content?.kind === 'text' ? content.draft : never()
    const at = draft.b.toString().indexOf('FIVE')
    const typed = ChangeSet.of({ from: at, to: at + 4, insert: Text.of(['5']) }, draft.b.length)
    desk.step(review.id, {
      client: 'p',
      version: 2,
      after: 2,
      steps: [{ kind: 'edit', changes: typed.toJSON() as unknown[] }],
    })
    expect(review.now()).toMatchObject({ decided: 2, written: 2, changes: 3 })
    expect(desk.accept(review.id, review.now().revision).ok).toBe(true)
    const merged = 'ONE\ntwo\nthree\nfour\n5\n'
    expect(await review.opening).toEqual({ kind: 'accepted', text: merged })
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\nfour\nfive\n')
    expect(review.now().phase).toBe('awaiting')
    await writeFile(path, merged)
    expect(await ended(review.id)).toMatchObject({ end: 'confirmed', canUndo: true })
    expect((await desk.undo(review.id)).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\nfour\nfive\n')
    expect((await desk.undo(review.id)).ok).toBe(false)
  })

  it('takes a file that differs from what was accepted by its line ends alone for written', async () => {
    const path = join(folder, 'mixed.txt')
    await writeFile(path, 'one\r\ntwo\r\nthree\nfour\r\n')
    const review = await ask(path, 'ONE\ntwo\nthree\nfour\n')
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'accepted', text: 'ONE\r\ntwo\r\nthree\nfour\r\n' })
    await writeFile(path, 'ONE\r\ntwo\r\nthree\r\nfour\r\n')
    expect(await ended(review.id)).toMatchObject({ end: 'confirmed', canUndo: true })
    expect((await desk.undo(review.id)).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe('one\r\ntwo\r\nthree\nfour\r\n')
  })

  it('takes what an agent makes up as it writes for what was accepted; anything else is something else', async () => {
    for (const [found, end] of [
      ['one\nid 7\n', 'confirmed'],
      ['one\nid x\n', 'diverged'],
    ] as const) {
      const path = join(folder, 'made-up.txt')
      await writeFile(path, 'one\n')
      const holds = (disk: string, accepted: string) => disk.replace(/id \d/, 'id ?') === accepted
      const review = await ask(path, 'one\nid ?\n', { holds })
      desk.accept(review.id, review.now().revision)
      await review.opening
      await writeFile(path, found)
      expect(await ended(review.id)).toMatchObject({ end })
      if (end !== 'confirmed') continue
      expect((await desk.undo(review.id)).ok).toBe(true)
      expect(await readFile(path, 'utf8')).toBe('one\n')
    }
  })

  it('says rejected when nothing is kept', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const review = await ask(path, 'two\n')
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'rejected' })
    expect(await ended(review.id)).toMatchObject({ end: 'rejected' })
  })

  it('refuses a decision about an older state', async () => {
    const review = await ask(join(folder, 'new.txt'), 'x\n')
    const { revision } = review.now()
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'accept', hunk: 1 }] })
    const refused = desk.accept(review.id, revision)
    expect(refused.ok ? '' : refused.failure.code).toBe('stale')
    expect(
      desk.step(review.id, { client: 'q', version: 0, after: 0, steps: [{ kind: 'undecide', hunk: 1 }] }),
    ).toEqual({ status: 'behind' })
    const content = desk.content(review.id)?.content
    expect(content?.kind === 'text' && [...content.clients]).toEqual([['p', 1]])
  })

  it('keeps line ends, byte order mark and the missing last newline of a file', async () => {
    const path = join(folder, 'crlf.txt')
    await writeFile(path, '\ufeffone\r\ntwo\r\nthree')
    const review = await ask(path, 'one\nTWO\nthree')
    expect(review.now()).toMatchObject({ changes: 1, addedLines: 1, removedLines: 1 })
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'accepted', text: '\ufeffone\r\nTWO\r\nthree' })
  })

  it('shows a proposal that differs by line ends alone as no change of lines, and takes it to the letter', async () => {
    const path = join(folder, 'ends.txt')
    await writeFile(path, 'one\r\ntwo\r\n')
    const review = await ask(path, 'one\ntwo\n')
    expect(review.now().changes).toBe(0)
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'accepted', text: 'one\ntwo\n' })
  })

  it('says that an accepted change was not written, and writes it when asked to', async () => {
    desk.dispose()
    desk = startDesk(20)
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const review = await ask(path, 'two\n')
    desk.accept(review.id, review.now().revision)
    await until(() => review.now().phase === 'overdue')
    expect(review.now().problem).toContain('Claude hasn’t written it')
    desk.writeMyself(review.id, review.now().revision)
    await ended(review.id)
    expect(await readFile(path, 'utf8')).toBe('two\n')
  })

  it('leaves a draft behind when the agent vanishes, and writes it as the person’s own', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const review = await ask(path, 'two\n')
    review.abort.abort('connection-lost')
    expect(await review.opening).toEqual({ kind: 'withdrawn', reason: 'connection-lost' })
    expect(review.now()).toMatchObject({ phase: 'orphaned' })
    expect(desk.keep(review.id, review.now().revision).ok).toBe(true)
    expect(await ended(review.id)).toMatchObject({ end: 'kept' })
    expect(await readFile(path, 'utf8')).toBe('two\n')
  })

  it('closes when the terminal said yes, and asks again where the person had begun to decide', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\n')
    const plain = await ask(path, 'ONE\ntwo\nTHREE\n')
    plain.abort.abort('answered-there')
    await writeFile(path, 'ONE\ntwo\nTHREE\n')
    expect(await ended(plain.id)).toMatchObject({ end: 'answered-there' })

    await writeFile(path, 'one\ntwo\nthree\n')
    const begun = await ask(path, 'ONE\ntwo\nTHREE\n')
    desk.step(begun.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    begun.abort.abort('answered-there')
    await writeFile(path, 'ONE\ntwo\nTHREE\n')
    const written = await until(() => desk.summaries().find(({ effect }) => effect === 'written'))
    expect(written).toMatchObject({ decided: 1, written: 1, phase: 'open' })
    desk.accept(written.id, desk.summary(written.id)?.revision ?? 0)
    expect(await ended(written.id)).toMatchObject({ end: 'confirmed' })
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nTHREE\n')
  })

  it('carries decisions over when the file changes meanwhile', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\nfour\n')
    const review = await ask(path, 'ONE\ntwo\nthree\nfour\n')
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'accept', hunk: 1 }] })
    await writeFile(path, 'one\ntwo\nthree\nFOUR\n')
    await until(() => review.now().isStale)
    expect(draftText(desk, review.id)).toBe('ONE\ntwo\nthree\nFOUR\n')
    expect(review.now()).toMatchObject({ decided: 1, changes: 1 })
  })

  it('tells that the file was deleted meanwhile, and keeps the change beside what it was made from', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\nfour\nfive\nsix\n')
    const review = await ask(path, 'ONE\ntwo\nTHREE\nfour\nFIVE\nsix\n')
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'accept', hunk: 1 }] })
    await rm(path)
    await until(() => review.now().meanwhile === 'deleted')
    expect(review.now()).toMatchObject({
      isNew: false,
      isStale: false,
      changes: 3,
      decided: 1,
      removedLines: 3,
    })
    await writeFile(path, 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n')
    await until(() => review.now().meanwhile === undefined && review.now().isStale)
    expect(review.now()).toMatchObject({ changes: 3, decided: 1 })
    await rm(path)
    await until(() => review.now().meanwhile === 'deleted')
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({
      kind: 'accepted',
      text: 'ONE\ntwo\nTHREE\nfour\nFIVE\nsix\nseven\n',
    })
  })

  it('tells that something else has written the very proposal, which can then be accepted', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\n')
    const review = await ask(path, 'ONE\ntwo\n')
    await writeFile(path, 'ONE\ntwo\n')
    await until(() => review.now().meanwhile === 'written')
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'accepted', text: 'ONE\ntwo\n' })
    expect(await ended(review.id)).toMatchObject({ end: 'confirmed' })
  })

  it('asks one after the other for one path, and offers the edits of a replaced proposal', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\n')
    const first = await ask(path, 'ONE\ntwo\nthree\n')
    const other = await ask(path, 'one\ntwo\nTHREE\n', {
      origin: { dialect: 'claude-ide', connection: 'c2', agent: 'Claude', call: '1' },
    })
    expect(other.now().phase).toBe('queued')
    const typed = ChangeSet.of({ from: 0, to: 3, insert: Text.of(['1']) }, 14)
    desk.step(first.id, {
      client: 'p',
      version: 0,
      after: 0,
      steps: [{ kind: 'edit', changes: typed.toJSON() as unknown[] }],
    })
    const again = await ask(path, 'ONE\ntwo\nthree\nfour\n')
    expect(await first.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(desk.content(again.id)?.offered).toBe(true)
    await until(() => other.now().phase === 'open')
    desk.reject(other.id, other.now().revision)
    await until(() => again.now().phase === 'open')
    expect(desk.takeOffered(again.id, again.now().revision).ok).toBe(true)
    expect(draftText(desk, again.id)).toBe('1\ntwo\nthree\nfour\n')
  })

  it('carries what has waited onto the file’s newest text before it begins, and says so', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\nfour\n')
    const first = await ask(path, 'FIRST\n')
    const second = await ask(path, 'SECOND\n', { origin: otherAgent })
    desk.accept(first.id, first.now().revision)
    await first.opening
    const begun = until(() => second.now().phase === 'open' && second.now())
    await writeFile(path, 'FIRST\n')
    expect(await begun).toMatchObject({ removedLines: 1, addedLines: 1, isStale: true })
  })

  it('lets the next begin where nobody waits any more: not written for too long', async () => {
    desk.dispose()
    desk = startDesk(10)
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const first = await ask(path, 'FIRST\n')
    const second = await ask(path, 'SECOND\n', { origin: otherAgent })
    expect(second.now().phase).toBe('queued')
    desk.accept(first.id, first.now().revision)
    await until(() => second.now().phase === 'open')
    expect(first.now().phase).toBe('overdue')
  })

  it('lets the next begin where nobody waits any more: its agent is gone', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const first = await ask(path, 'FIRST\n')
    const second = await ask(path, 'SECOND\n', { origin: otherAgent })
    first.abort.abort('connection-lost')
    await until(() => second.now().phase === 'open')
    expect(first.now().phase).toBe('orphaned')
  })

  it('offers also what was typed while the agent asked anew, once and again', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\n')
    const first = await ask(path, 'ONE\ntwo\n')
    const again = await ask(path, 'ONE\ntwo\nthree\n')
    const third = await ask(path, 'ONE\ntwo\nfour\n')
    expect(desk.content(third.id)?.offered).toBe(false)
    const told: string[] = []
    desk.onDelta(({ id, delta }) => void (delta.kind === 'offered' && told.push(id)))
    const typed = ChangeSet.of({ from: 3, insert: '!' }, 8).toJSON() as unknown[]
    const push = { client: 'p', version: 0, after: 0, steps: [{ kind: 'edit' as const, changes: typed }] }
    expect(desk.step(first.id, push)).toEqual({ status: 'accepted' })
    expect(desk.step(first.id, { ...push, isLast: true })).toEqual({ status: 'accepted' })
    expect(told).toEqual([third.id])
    expect(await again.opening).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    // What was not taken over is offered to the next one too.
    const fourth = await ask(path, 'ONE\ntwo\nfive\n')
    expect(desk.takeOffered(fourth.id, fourth.now().revision).ok).toBe(true)
    expect(draftText(desk, fourth.id)).toBe('ONE!\ntwo\nfive\n')
    // Nothing is offered twice.
    const more = ChangeSet.of({ from: 9, insert: '?' }, 9).toJSON() as unknown[]
    const late = { ...push, version: 1, after: 1, steps: [{ kind: 'edit' as const, changes: more }] }
    expect(desk.step(first.id, late)).toEqual({ status: 'closed' })
  })

  it('takes a rejected change up again with the person’s edits, on the text as it is, and keeps it as theirs', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\nfour\n')
    const review = await ask(path, 'ONE\ntwo\nthree\nfour\n')
    const typed = ChangeSet.of({ from: 3, insert: Text.of(['!']) }, 19)
    const edit = { kind: 'edit' as const, changes: typed.toJSON() as unknown[] }
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [edit, { kind: 'reject', hunk: 1 }] })
    desk.reject(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'rejected' })
    expect(await ended(review.id)).toMatchObject({ canReopen: true })
    await writeFile(path, 'one\ntwo\nthree\nFOUR\n')
    await desk.shutdown()
    desk = startDesk()
    await desk.restore()
    await desk.writes.list()
    expect(desk.decided()).toMatchObject([{ how: 'rejected', canReopen: true, canUndo: false }])
    // The agent asks something else about the file meanwhile, which stays.
    const other = await ask(path, 'one\n')
    const again = await desk.reopen(review.id)
    const { id } = desk.summaries().find((one) => one.phase === 'orphaned') ?? never()
    expect(again).toEqual({ ok: true, value: { review: id } })
    expect(other.now().phase).toBe('open')
    expect(desk.summary(id)).toMatchObject({ isStale: true, changes: 1, isTouched: true })
    expect(desk.summary(id)?.problem).toContain('You rejected this change')
    expect(draftText(desk, id)).toBe('ONE!\ntwo\nthree\nFOUR\n')
    expect(desk.decided()).toEqual([])
    expect((await desk.reopen(review.id)).ok).toBe(false)
    desk.keep(id, desk.summary(id)?.revision ?? 0)
    expect(await ended(id)).toMatchObject({ end: 'kept', canUndo: true })
    expect(await readFile(path, 'utf8')).toBe('ONE!\ntwo\nthree\nFOUR\n')
  })

  it('reopens a rejected change once, however often it is asked to at once', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const review = await ask(path, 'ONE\n')
    desk.reject(review.id, review.now().revision)
    await ended(review.id)
    const both = await Promise.all([desk.reopen(review.id), desk.reopen(review.id)])
    const { id } = desk.summaries()[0] ?? never()
    expect(desk.summaries()).toHaveLength(1)
    // Which of the two comes first is open: both read the record.
    expect(both.sort((one, other) => Number(other.ok) - Number(one.ok))).toMatchObject([
      { ok: true, value: { review: id } },
      { ok: false, failure: { code: 'gone' } },
    ])
  })

  it('passes a note to the agent’s prompt', async () => {
    const review = await ask(join(folder, 'new.txt'), 'x\n')
    desk.reject(review.id, review.now().revision, ' use tabs ')
    expect(await review.opening).toEqual({ kind: 'rejected', note: 'use tabs' })
    expect(notes).toEqual(['use tabs'])
  })

  it('passes no note where the answer holds it', async () => {
    const review = await ask(join(folder, 'new.txt'), 'x\n', { carriesWords: true })
    desk.reject(review.id, review.now().revision, 'use tabs')
    expect(await review.opening).toEqual({ kind: 'rejected', note: 'use tabs' })
    await ended(review.id)
    expect(notes).toEqual([])
    expect(events.filter(({ kind }) => kind === 'told')).toEqual([])
  })

  it('refuses what cannot be reviewed with a sentence', async () => {
    const { signal } = new AbortController()
    const refusals: Opening[] = [
      await desk.open(proposalOf('a.txt', 'x'), signal),
      await desk.open(proposalOf(folder, 'x'), signal),
      await desk.open(proposalOf('/dev/null', 'x'), signal),
    ]
    expect(refusals.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused'])
    expect(desk.summaries()).toEqual([])
  })

  it('shows a binary file as such, whole', async () => {
    const path = join(folder, 'image.bin')
    await writeFile(path, Buffer.from([0, 1, 2, 255]))
    const review = await ask(path, 'text\n')
    expect(review.now()).toMatchObject({ content: 'binary', changes: 1 })
    desk.accept(review.id, review.now().revision)
    expect(await review.opening).toEqual({ kind: 'accepted', text: 'text\n' })
  })

  it('knows a file by any of its names', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    await symlink(path, join(folder, 'link.txt'))
    const first = await ask(path, 'two\n')
    const second = await ask(join(folder, 'link.txt'), 'three\n', {
      origin: { dialect: 'claude-ide', connection: 'c2', agent: 'Claude', call: '1' },
    })
    expect([first.now().phase, second.now().phase]).toEqual(['open', 'queued'])
  })
})

describe('after a crash', () => {
  /** A crash: nothing of the old desk runs on, and nothing was said in parting. */
  async function crash(): Promise<void> {
    desk.dispose()
    events = []
    desk = startDesk()
    await desk.restore()
  }

  it('finds the draft with its decisions and edits, and the file untouched', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\n')
    const review = await ask(path, 'ONE\ntwo\nTHREE\n')
    desk.step(review.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    const typed = ChangeSet.of({ from: 0, insert: Text.of(['my ']) }, 14)
    desk.step(review.id, {
      client: 'p',
      version: 1,
      after: 1,
      steps: [{ kind: 'edit', changes: typed.toJSON() as unknown[] }],
    })
    desk.step(review.id, { client: 'p', version: 2, after: 2, steps: [{ kind: 'accept', hunk: 2 }] })
    await journaled(review.id, 3)
    await crash()
    expect(review.now()).toMatchObject({ phase: 'orphaned', decided: 2, agent: 'Claude' })
    expect(draftText(desk, review.id)).toBe('my one\ntwo\nTHREE\n')
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n')
    expect(desk.patch(review.id)?.text).toContain('+my one\n')
    desk.keep(review.id, review.now().revision)
    await ended(review.id)
    expect(await readFile(path, 'utf8')).toBe('my one\ntwo\nTHREE\n')
  })

  it('still offers what was typed into a proposal that was replaced, until it is taken over', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const first = await ask(path, 'ONE\n')
    const typed = ChangeSet.of({ from: 3, insert: ' mine' }, 4).toJSON() as unknown[]
    desk.step(first.id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'edit', changes: typed }] })
    // Else there would be no earlier record yet whose end could be waited for.
    await journaled(first.id, 1)
    const again = await ask(path, 'ONE\ntwo\n')
    const record = join(folder, 'data', 'reviews')
    await expect.poll(() => existsSync(join(record, first.id))).toBe(false)
    // The earlier record goes when this one holds what was typed.
    expect(readFileSync(join(record, again.id, 'log.ndjson'), 'utf8')).toContain(' mine')
    // Also where the agent's text is on disk by then: what is offered is in no other place.
    await writeFile(path, 'ONE\ntwo\n')
    await crash()
    expect(again.now().phase).toBe('orphaned')
    expect(desk.content(again.id)?.offered).toBe(true)
    expect(desk.takeOffered(again.id, again.now().revision).ok).toBe(true)
    expect(draftText(desk, again.id)).toBe('ONE mine\ntwo\n')
    // The offer, the new base in two lines, the edit, the end of the offer.
    await journaled(again.id, 5)
    await crash()
    expect(desk.content(again.id)?.offered).toBe(false)
    expect(draftText(desk, again.id)).toBe('ONE mine\ntwo\n')
  })

  it('is silent about what was accepted and written', async () => {
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const review = await ask(path, 'two\n')
    desk.accept(review.id, review.now().revision)
    await review.opening
    desk.dispose()
    await writeFile(path, 'two\n')
    await crash()
    expect(desk.summaries()).toEqual([])
    expect(desk.decided()).toMatchObject([{ id: review.id, how: 'accepted', canUndo: true }])
  })

  /** Resolves when the log has so many lines after its head. */
  async function journaled(id: string, lines: number): Promise<void> {
    const path = join(folder, 'data', 'reviews', id, 'log.ndjson')
    await expect.poll(() => readFile(path, 'utf8').then((text) => text.split('\n').length - 2)).toBe(lines)
  }
})
