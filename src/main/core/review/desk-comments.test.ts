import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import type { ReviewComment } from '../../../shared/review/comments'
import type { Proposal } from '../../../shared/review/proposal'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import type { SaidWords } from './desk-events'

let folder: string
let path: string
let watcher: FileWatcher
let desk: ReviewDesk
let typed: string[]
/** What is told beside answers and prompts; null where nobody can. */
let told: SaidWords[] | null

const start = () =>
  startPlainDesk(folder, watcher, {
    typeNote: (_origin, note) => typed.push(note) > 0,
    tell: (said) => told !== null && told.push(said) > 0,
    isOneTree: () => Promise.resolve(true),
  })

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-comments-')))
  path = join(folder, 'a.txt')
  await writeFile(path, 'one\ntwo\nthree\n')
  watcher = new FileWatcher({ interval: 50 })
  typed = []
  told = null
  desk = start()
})
afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const origin = { dialect: 'claude-ide', connection: 'c', agent: 'Claude', call: '1' }
const comment: ReviewComment = { id: 'k', lines: { from: 2, to: 2 }, quote: 'TWO', text: 'why capitals?' }
const words = () => `The user’s comments on ${path}:\nLine 2, “TWO”: why capitals?`

async function ask(more: Partial<Proposal> = {}) {
  const { signal } = new AbortController()
  const known = new Set(desk.summaries().map(({ id }) => id))
  const answer = desk.open(
    { origin, path, proposed: 'one\nTWO\nthree\n', title: '', effect: 'agent', ...more },
    signal,
  )
  const { id } = await untilDesk(desk, () =>
    desk.summaries().find((one) => !known.has(one.id) && one.phase === 'open'),
  )
  return { id, answer, revision: () => desk.summary(id)?.revision ?? 0 }
}

describe('comments', () => {
  test('go with a rejection, after its note', async () => {
    const { id, answer, revision } = await ask()
    const before = revision()
    expect(desk.comment(id, [comment]).ok).toBe(true)
    // A comment decides nothing, and takes back no decision that is being made.
    expect(revision()).toBe(before)
    expect(desk.reject(id, before, 'Not so.').ok).toBe(true)
    expect(await answer).toEqual({ kind: 'rejected', note: `Not so.\n\n${words()}` })
    expect(typed).toEqual([`Not so.\n\n${words()}`])
  })

  test('go with an acceptance, and are typed where the agent can’t be told otherwise', async () => {
    const { id, answer, revision } = await ask()
    desk.comment(id, [comment])
    desk.accept(id, revision())
    expect(await answer).toEqual({ kind: 'accepted', text: 'one\nTWO\nthree\n', words: words() })
    expect(typed).toEqual([words()])
  })

  test('are not typed where the adapter tells the model', async () => {
    const { id, answer, revision } = await ask({ carriesWords: true })
    desk.comment(id, [comment])
    desk.accept(id, revision())
    expect(await answer).toMatchObject({ words: words() })
    expect(typed).toEqual([])
  })

  test('are not typed where the model can be told beside the answer, which then need not end its turn', async () => {
    told = []
    const rejected = await ask()
    desk.comment(rejected.id, [comment])
    desk.reject(rejected.id, rejected.revision())
    expect(await rejected.answer).toEqual({ kind: 'rejected', note: words(), told: true })
    const accepted = await ask({ origin: { ...origin, call: '2' } })
    desk.accept(accepted.id, accepted.revision(), false)
    expect(await accepted.answer).toEqual({ kind: 'accepted', text: 'one\nTWO\nthree\n' })
    expect(told).toEqual([{ review: rejected.id, origin, path, decision: 'rejected', words: words() }])
    expect(typed).toEqual([])
  })

  test('that say nothing are not told at all', async () => {
    const { id, answer, revision } = await ask()
    desk.comment(id, [{ ...comment, text: ' ' }])
    desk.accept(id, revision())
    expect(await answer).toEqual({ kind: 'accepted', text: 'one\nTWO\nthree\n' })
    expect(typed).toEqual([])
  })

  test('say where their lines are at the decision', async () => {
    const { id, answer, revision } = await ask()
    desk.comment(id, [comment])
    desk.step(id, {
      client: 'p',
      version: 0,
      after: 0,
      steps: [{ kind: 'edit', changes: [[0, 'zero', ''], 'one\nTWO\nthree\n'.length] }],
    })
    desk.reject(id, revision())
    expect(await answer).toMatchObject({ note: words().replace('Line 2', 'Line 3') })
  })

  test('make a tab that is closed say them too', async () => {
    const { id, answer } = await ask()
    desk.comment(id, [comment])
    expect(desk.closeTab(id)).toBe('rejected')
    expect(await answer).toEqual({ kind: 'rejected', note: words() })
  })

  test('are there after a crash', async () => {
    const { id } = await ask()
    desk.comment(id, [comment])
    await desk.shutdown()
    desk = start()
    await desk.restore()
    expect(desk.content(id)?.comments).toEqual([comment])
    expect(desk.summary(id)).toMatchObject({ phase: 'orphaned' })
  })

  test('that were never told stand at the proposal that replaces this one', async () => {
    const { id, answer } = await ask()
    desk.comment(id, [comment])
    const next = await ask({ origin: { ...origin, call: '2' }, proposed: 'zero\none\nTWO\n' })
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(desk.content(next.id)?.comments).toEqual([comment])
    desk.reject(next.id, next.revision())
    expect(await next.answer).toMatchObject({ note: words().replace('Line 2', 'Line 3') })
  })

  test('that were never told stand at the change that their agent joins instead', async () => {
    const { signal } = new AbortController()
    const { id, answer } = await ask()
    desk.comment(id, [comment])
    const newer = { path, proposed: 'one\nTWO\nTHREE\n', title: '', effect: 'agent' } as const
    void desk.open({ ...newer, origin: { ...origin, connection: 'c2' } }, signal)
    const queued = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'queued'))
    const own: ReviewComment = { ...comment, id: 'own', text: 'fine' }
    desk.comment(queued.id, [own])
    void desk.open({ ...newer, origin: { ...origin, call: '2' } }, signal)
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'replaced' })
    expect(desk.content(queued.id)?.comments).toEqual([own, comment])
  })

  test('that were never told stand at the review of what was written meanwhile, and are told there', async () => {
    const abort = new AbortController()
    const proposed = 'one\nTWO\nthree\n'
    const answer = desk.open({ origin, path, proposed, title: '', effect: 'agent' }, abort.signal)
    const { id } = await untilDesk(desk, () => desk.summaries().find(({ phase }) => phase === 'open'))
    desk.comment(id, [comment])
    await writeFile(path, proposed)
    abort.abort('answered-there')
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'answered-there' })
    const again = await untilDesk(desk, () => desk.summaries().find(({ effect }) => effect === 'written'))
    expect(desk.content(again.id)).toMatchObject({ comments: [comment], earlier: null })
    desk.accept(again.id, desk.summary(again.id)?.revision ?? 0)
    await untilDesk(desk, () => desk.summaries().length === 0)
    expect(typed).toEqual([words()])
  })

  test('that were told with an acceptance don’t stand at the review of what was written against it', async () => {
    const proposed = 'ONE\ntwo\nTHREE\n'
    const said = { ...comment, quote: 'two' }
    const { id, answer, revision } = await ask({ proposed, effect: 'agent-then-host' })
    desk.comment(id, [said])
    desk.step(id, { client: 'p', version: 0, after: 0, steps: [{ kind: 'reject', hunk: 1 }] })
    desk.accept(id, revision())
    expect(await answer).toMatchObject({ kind: 'accepted', text: 'one\ntwo\nTHREE\n' })
    expect(typed).toHaveLength(1)
    await writeFile(path, 'else\n')
    const again = await untilDesk(desk, () => desk.summaries().find(({ effect }) => effect === 'written'))
    expect(desk.content(again.id)).toMatchObject({ comments: [], earlier: { comments: [said] } })
  })

  test('stay with what was decided, and are shown at the next proposal of the same agent', async () => {
    const { id, answer, revision } = await ask()
    desk.comment(id, [comment])
    desk.reject(id, revision())
    await answer
    const next = await ask({ origin: { ...origin, call: '2' } })
    expect(desk.content(next.id)).toMatchObject({
      comments: [],
      earlier: { how: 'rejected', comments: [comment] },
    })
    const other = await ask({ origin: { ...origin, agent: 'Gemini', connection: 'g' }, path: path + '2' })
    expect(desk.content(other.id)?.earlier).toBeNull()
  })

  test('on a review that has ended are refused, with what to do', () => {
    expect(desk.comment('none', [comment])).toMatchObject({ ok: false })
  })

  test('that no one has made leave no trace in the journal', async () => {
    const { id } = await ask()
    await desk.shutdown()
    expect(await readFile(join(folder, 'data', 'reviews', id, 'log.ndjson'), 'utf8')).not.toContain(
      '"comments"',
    )
  })
})
