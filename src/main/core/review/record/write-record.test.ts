import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { draftText, startPlainDesk, untilDesk } from '../../../../../test/plain-desk'
import { printRecord } from '../../../app/wiring/print-record'
import { hashContent } from '../../files/content-hash'
import { FileWatcher } from '../../files/watcher'
import { findRipgrep } from '../../platform/ripgrep'
import type { ReviewDesk } from '../desk'
import type { Receipt } from './receipts'

let folder: string
let path: string
let watcher: FileWatcher
let desk: ReviewDesk

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-writes-')))
  path = join(folder, 'a.txt')
  watcher = new FileWatcher({ interval: 50 })
  desk = start()
})
afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const start = () =>
  startPlainDesk(folder, watcher, { ripgrep: () => Promise.resolve(findRipgrep(process.env)) })
const before = 'one\ntwo\nthree\nfour\n'
const proposed = 'ONE\ntwo\nthree\nFOUR\n'
const origin = { dialect: 'claude-ide', connection: 'c', agent: 'Claude', session: 's1', call: '7' } as const
const all = async (text = '') => (await desk.writes.page({ text, limit: 100 })).entries
const ended = (id: string) =>
  new Promise<void>((resolve) => {
    const heard = desk.onChange((event) => {
      if (event.kind !== 'ended' || event.id !== id) return
      heard.dispose()
      resolve()
    })
  })

/** An agent's question about a change of the file. */
async function ask(text = proposed, effect: 'agent' | 'host' = 'agent') {
  const { signal } = new AbortController()
  const answer = desk.open({ origin, path, proposed: text, title: 'a change', effect }, signal)
  const { id } = await untilDesk(desk, () => desk.summaries().find((one) => one.phase === 'open'))
  const revision = () => desk.summary(id)?.revision ?? 0
  return { id, answer, revision, over: ended(id) }
}

/** The same, accepted; the agent writes what it is told. */
async function acceptAndWrite(text = proposed): Promise<string> {
  const { id, answer, revision, over } = await ask(text)
  desk.accept(id, revision())
  const verdict = await answer
  if (verdict.kind !== 'accepted') throw new Error(verdict.kind)
  await writeFile(path, verdict.text)
  await over
  return id
}

const receipt = (more: Partial<Receipt> = {}): Receipt => ({
  origin: { ...origin, turn: 'p1' },
  realPath: path,
  title: '',
  before: Buffer.from(before),
  after: Buffer.from(proposed),
  began: Date.now(),
  at: Date.now(),
  by: { kind: 'rule', pattern: 'docs/**' },
  ...more,
})

describe('an accepted change', () => {
  test('is on record with its session, its texts and what reached the disk', async () => {
    await writeFile(path, before)
    const id = await acceptAndWrite()
    expect(await all()).toEqual([
      {
        id,
        path,
        name: 'a.txt',
        agent: 'Claude',
        at: expect.any(Number),
        how: 'accepted',
        session: 's1',
        addedLines: 2,
        removedLines: 2,
        written: 'as-proposed',
        hasTexts: true,
        canUndo: true,
        canReopen: false,
      },
    ])
    await desk.shutdown()
    expect(await desk.writes.texts(id)).toEqual({ path, before, proposed, written: proposed })
  })

  test('in part: what was proposed, what was kept, and the hash of exactly what is on disk', async () => {
    await writeFile(path, before.replaceAll('\n', '\r\n'))
    const { id, answer, revision, over } = await ask(proposed.replaceAll('\n', '\r\n'))
    desk.step(id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    desk.accept(id, revision())
    const verdict = await answer
    if (verdict.kind !== 'accepted') throw new Error(verdict.kind)
    await writeFile(path, verdict.text)
    await over
    await desk.shutdown()
    expect(await desk.writes.texts(id)).toEqual({
      path,
      before,
      proposed,
      written: 'one\ntwo\nthree\nFOUR\n',
    })
    expect(await all()).toMatchObject([{ written: 'otherwise', addedLines: 1, removedLines: 1 }])
    const [line] = await linesOf()
    expect(line).toMatchObject({
      how: 'accepted',
      by: { kind: 'person' },
      session: 's1',
      call: '7',
      written: { sha256: hashContent(await readFile(path)), bytes: (await readFile(path)).length },
      before: { sha256: hashContent(before.replaceAll('\n', '\r\n')) },
      proposed: { sha256: hashContent(proposed.replaceAll('\n', '\r\n')) },
    })
  })

  test('that made a new file is put back by removing it, also after a restart, unless it has changed', async () => {
    await acceptAndWrite()
    await desk.shutdown()
    desk = start()
    await desk.restore()
    const [entry] = await all()
    expect(entry).toMatchObject({ how: 'accepted', canUndo: true })
    await writeFile(path, 'mine\n')
    expect((await desk.undo(entry?.id ?? '')).ok).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('mine\n')
    await writeFile(path, proposed)
    expect((await desk.undo(entry?.id ?? '')).ok).toBe(true)
    await expect(readFile(path)).rejects.toThrow('ENOENT')
    expect(await all()).toMatchObject([{ canUndo: false, takenBack: expect.any(Number) as number }])
  })

  test('that the person put back stays on record, and can’t be put back again', async () => {
    await writeFile(path, before)
    const id = await acceptAndWrite()
    expect((await desk.undo(id)).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(before)
    expect(desk.decided()).toEqual([])
    const entry = { id, how: 'accepted', canUndo: false, takenBack: expect.any(Number) }
    expect(await all()).toMatchObject([entry])
    expect((await desk.undo(id)).ok).toBe(false)
    await desk.shutdown()
    desk = start()
    await desk.restore()
    expect(await all()).toMatchObject([entry])
    expect(await desk.writes.texts(id)).toEqual({ path, before, proposed, written: proposed })
  })

  test('that the agent wrote otherwise is on record with what is there', async () => {
    await writeFile(path, before)
    const { id, answer, revision, over } = await ask()
    desk.accept(id, revision())
    await answer
    await writeFile(path, 'something else\n')
    await over
    expect(await all()).toMatchObject([{ id, how: 'accepted', written: 'otherwise', canUndo: false }])
    await desk.shutdown()
    expect(await linesOf()).toMatchObject([{ written: { sha256: hashContent('something else\n') } }])
  })

  test('that is corrected while it is being kept is kept as corrected', async () => {
    await writeFile(path, before)
    const { id, answer, revision, over } = await ask()
    desk.accept(id, revision())
    await answer
    const began = Date.now()
    await writeFile(path, 'theirs\n')
    const told = over.then(() =>
      desk.tellsOf(receipt({ began, before: Buffer.from(proposed), after: Buffer.from('theirs\n') })),
    )
    expect(await told).toBe(false)
    await desk.shutdown()
    expect(await linesOf()).toMatchObject([{ id, written: { sha256: hashContent(proposed) } }])
  })

  test.each([
    ['a file', before],
    ['no file', null],
  ])(
    'that came after a write of somebody else over %s isn’t put back: theirs would be lost',
    async (_, was) => {
      if (was !== null) await writeFile(path, was)
      const { id, answer, revision, over } = await ask()
      desk.accept(id, revision())
      await answer
      await writeFile(path, 'theirs\n')
      const theirs = { before: was === null ? null : Buffer.from(was), after: Buffer.from('theirs\n') }
      expect(await desk.tellsOf(receipt(theirs))).toBe(false)
      await writeFile(path, proposed)
      await over
      expect(await all()).toMatchObject([{ id, how: 'accepted', written: 'as-proposed', canUndo: false }])
      expect((await desk.undo(id)).ok).toBe(false)
      expect(await readFile(path, 'utf8')).toBe(proposed)
    },
  )
})

describe('a rejected change', () => {
  test('wrote nothing; it holds the proposal as the agent made it, and reopens with the person’s edits', async () => {
    await writeFile(path, before)
    const { id, revision, over } = await ask()
    desk.step(id, {
      client: 'p',
      version: 0,
      after: 0,
      steps: [{ kind: 'edit', changes: [[0, '', 'mine'], proposed.length] }],
    })
    desk.reject(id, revision())
    await over
    await desk.shutdown()
    expect(await all()).toMatchObject([{ how: 'rejected', written: 'nothing', canReopen: true }])
    const texts = await desk.writes.texts(id)
    expect(texts).toMatchObject({ before, proposed, written: before })
    desk = start()
    await desk.restore()
    const reopened = await desk.reopen(id)
    expect(reopened.ok && draftText(desk, reopened.value.review)).toContain('mine')
    expect(await all()).toMatchObject([{ id, takenBack: expect.any(Number), canReopen: false }])
  })
})

test('a written change that is put back: before, found and restored are told apart', async () => {
  await writeFile(path, proposed)
  await desk.openWritten({
    origin: { ...origin, dialect: 'watcher' },
    path,
    title: '',
    before: Buffer.from(before),
    after: Buffer.from(proposed),
  })
  const { id } = await untilDesk(desk, () => desk.summaries()[0])
  const over = ended(id)
  desk.reject(id, desk.summary(id)?.revision ?? 0)
  await over
  await desk.shutdown()
  expect(await all()).toMatchObject([{ how: 'put-back', written: 'nothing', canUndo: true }])
  expect(await desk.writes.texts(id)).toEqual({ path, before, proposed, written: before })
})

describe('a receipt', () => {
  test('is decided, by its rule, and can be put back', async () => {
    await writeFile(path, proposed)
    await desk.receive(receipt())
    expect(desk.decided()).toMatchObject([{ how: 'let-through', rule: 'docs/**', canUndo: true }])
    const [entry] = await all()
    expect(entry).toMatchObject({
      how: 'let-through',
      rule: 'docs/**',
      written: 'as-proposed',
      addedLines: 2,
    })
    expect((await desk.undo(entry?.id ?? '')).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test('of a new file is put back by removing it, also after a restart', async () => {
    await writeFile(path, proposed)
    await desk.receive(receipt({ before: null }))
    await desk.shutdown()
    desk = start()
    await desk.restore()
    const [entry] = await all()
    expect((await desk.undo(entry?.id ?? '')).ok).toBe(true)
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  test('that comes while earlier ones are read stands before them', async () => {
    await desk.receive(receipt())
    await desk.shutdown()
    desk = start()
    await desk.restore()
    await desk.receive(receipt({ realPath: join(folder, 'b.md') }))
    expect((await all()).map(({ name }) => name)).toEqual(['b.md', 'a.txt'])
    expect(desk.decided().map(({ name }) => name)).toEqual(['b.md', 'a.txt'])
  })

  test('of a file that has changed since is not put back', async () => {
    await writeFile(path, 'mine\n')
    await desk.receive(receipt())
    const [entry] = await all()
    expect((await desk.undo(entry?.id ?? '')).ok).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('mine\n')
    expect(await all()).toMatchObject([{ canUndo: true }])
  })

  test('is counted by its rule, of the paths and since the time that are asked about', async () => {
    const now = Date.now()
    await desk.receive(receipt({ at: now - 1000 }))
    await desk.receive(receipt({ at: now }))
    await desk.receive(receipt({ by: { kind: 'rule', pattern: '__proto__' } }))
    await desk.receive(receipt({ by: { kind: 'mode', mode: 'auto' } }))
    const counts = (since: number, all = true) => [...desk.letThrough(since, () => all)]
    expect(counts(0)).toEqual([
      ['__proto__', 1],
      ['docs/**', 2],
    ])
    expect(counts(now - 500)).toContainEqual(['docs/**', 1])
    expect(counts(0, false)).toEqual([])
  })

  test('of bytes that are no text is on record without texts, and can be put back', async () => {
    const bytes = Buffer.from([0, 1, 2])
    await desk.receive(receipt({ after: bytes, by: { kind: 'mode', mode: 'acceptEdits' } }))
    const [entry] = await all()
    expect(entry).toMatchObject({ how: 'unasked', mode: 'acceptEdits', hasTexts: false, canUndo: true })
    expect(await desk.writes.texts(entry?.id ?? '')).toBeNull()
    expect(desk.decided()).toEqual([])
    await writeFile(path, bytes)
    expect(await desk.undo(entry?.id ?? '')).toMatchObject({ ok: true })
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  test('of a file too large to be kept says how many bytes it had, and that it can’t be put back', async () => {
    const [was, is] = ['9', '8'].map((hash) => ({ hash, size: 9_000_000 + Number(hash) }))
    const by = { kind: 'mode', mode: 'auto' } as const
    await desk.receive(receipt({ before: was ?? null, after: is ?? null, by }))
    const [entry] = await all()
    expect(entry).toMatchObject({
      ...{ how: 'unasked', mode: 'auto', session: origin.session, written: 'as-proposed' },
      ...{ hasTexts: false, canUndo: false, bytesBefore: 9_000_009, bytesAfter: 9_000_008 },
    })
    expect(await desk.undo(entry?.id ?? '')).toMatchObject({ ok: false, failure: { code: 'gone' } })
    expect(await linesOf()).toMatchObject([
      {
        ...{ by, turn: 'p1', before: { sha256: '9', bytes: 9_000_009 } },
        written: { sha256: '8', bytes: 9_000_008 },
      },
    ])
  })
})

describe('searching', () => {
  beforeEach(async () => {
    await desk.receive(receipt({ at: 1000 + Date.now() }))
    await desk.receive(
      receipt({
        realPath: join(folder, 'b.md'),
        after: Buffer.from('a Needle (here)\n'),
        at: 2000 + Date.now(),
      }),
    )
  })

  test.each([
    ['nothing', '', ['b.md', 'a.txt']],
    ['a path', 'b.md', ['b.md']],
    ['an agent and a text', 'claude four', ['b.md', 'a.txt']],
    ['a rule', 'docs/**', ['b.md', 'a.txt']],
    ['a text, in any case', 'NEEDLE', ['b.md']],
    ['what an expression would read otherwise', '(here)', ['b.md']],
    ['an option', '--files', []],
    ['words of which one is nowhere', 'needle elsewhere', []],
  ])('%s', async (_name, text, names) => {
    expect((await all(text)).map(({ name }) => name)).toEqual(names)
  })

  test('page after page, each entry once', async () => {
    const first = await desk.writes.page({ text: '', limit: 1 })
    const [entry] = first.entries
    expect([entry?.name, first.more]).toEqual(['b.md', true])
    const after = entry && { at: entry.at, id: entry.id }
    const second = await desk.writes.page({ text: '', limit: 1, after })
    expect([second.entries[0]?.name, second.more]).toEqual(['a.txt', false])
  })

  test('without ripgrep paths are searched, and it says so', async () => {
    desk.dispose()
    desk = startPlainDesk(folder, watcher)
    await desk.restore()
    const { entries, problem } = await desk.writes.page({ text: 'b.md', limit: 10 })
    expect(entries).toHaveLength(1)
    expect(problem).toContain('ripgrep')
  })
})

async function linesOf(): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const line of printRecord(join(folder, 'data'), null, { kind: 'json', texts: false }))
    lines.push(JSON.parse(line))
  return lines
}

describe('printed', () => {
  const print = async (...rest: [string | null, Parameters<typeof printRecord>[2]]) => {
    const lines: string[] = []
    for await (const line of printRecord(join(folder, 'data'), ...rest)) lines.push(line)
    return lines
  }

  test('of a file and of a folder, while the app has the directory', async () => {
    await desk.receive(receipt())
    await desk.receive(receipt({ realPath: join(folder, 'sub', 'b.txt'), at: Date.now() + 1000 }))
    await desk.receive(receipt({ realPath: join(folder, 'subway.txt') }))
    const table = { kind: 'table' } as const
    expect(await print(path, table)).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\d \d\d:\d\d {2}Claude {2}Written by rule docs\/\*\* {2}\+2 −2 {2}\/.*a\.txt$/,
      ),
    ])
    expect(await print(join(folder, 'sub'), table)).toEqual([expect.stringContaining('b.txt')])
    expect(await print(folder, table)).toHaveLength(3)
    expect(await print(join(folder, 'none'), table)).toEqual([
      `No writes are on record for ${join(folder, 'none')}.`,
    ])
  })

  test('a name that a terminal would obey is shown without that', async () => {
    await desk.receive(receipt({ realPath: join(folder, 'a\u001b[2Jb') }))
    expect((await print(null, { kind: 'table' })).join()).not.toContain('\u001b')
  })

  test('as JSON lines, with texts only if asked', async () => {
    await desk.receive(receipt())
    const [plain] = await print(path, { kind: 'json', texts: false })
    expect(plain).not.toContain('three')
    const [whole] = await print(path, { kind: 'json', texts: true })
    expect(JSON.parse(whole ?? '')).toMatchObject({
      format: 1,
      path,
      agent: 'Claude',
      dialect: 'claude-ide',
      session: 's1',
      turn: 'p1',
      how: 'let-through',
      by: { kind: 'rule', pattern: 'docs/**' },
      before: { sha256: hashContent(before), text: before },
      proposed: { sha256: hashContent(proposed), text: proposed },
      written: { sha256: hashContent(proposed), bytes: proposed.length, text: proposed },
    })
  })
})
