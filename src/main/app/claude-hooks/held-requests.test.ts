import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startPlainDesk, untilDesk } from '../../../../test/plain-desk'
import { FileWatcher } from '../../core/files/watcher'
import type { ReviewDesk } from '../../core/review/desk'
import { type CallOf, readHook } from '../../protocols/claude-hooks/hook-wire'
import { HeldRequests } from './held-requests'

let folder: string
let path: string
let watcher: FileWatcher
let desk: ReviewDesk
let held: HeldRequests
let typed: string[]

beforeEach(async () => {
  // However slow the machine is, the review and the request come in the same moment.
  vi.useFakeTimers({ toFake: ['Date'] })
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-held-')))
  path = join(folder, 'a.txt')
  await writeFile(path, 'one\n')
  watcher = new FileWatcher({ interval: 50 })
  typed = []
  desk = startPlainDesk(folder, watcher, {
    tell: (said) => held.reject(said),
    typeNote: (_origin, note) => typed.push(note) > 0,
  })
  held = new HeldRequests(desk)
})
afterEach(async () => {
  vi.useRealTimers()
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function hold(
  more: object = {},
  {
    link = 'linked',
    signal = new AbortController().signal,
  }: { link?: 'linked' | 'unlinked'; signal?: AbortSignal } = {},
): Promise<object | null> {
  const call = readHook({
    ...{ hook_event_name: 'PermissionRequest', session_id: 's', cwd: folder },
    ...{ tool_name: 'Write', tool_input: { file_path: path, content: 'ONE\n' } },
    ...more,
  })
  if (!call.ok) throw new Error(call.failure.message)
  const origin = { dialect: 'claude-hooks', connection: 'c', agent: 'Claude' }
  return held.hold(call.value as CallOf<'PermissionRequest'>, { origin, link }, signal)
}

/** Whether it has an answer by now. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  return (await Promise.race([answer, new Promise((resolve) => setImmediate(() => resolve(open)))])) !== open
}

async function propose(proposed = 'ONE\n') {
  const origin = { dialect: 'claude-ide', connection: 'c', agent: 'Claude', call: proposed }
  const known = new Set(desk.summaries().map(({ id }) => id))
  const verdict = desk.open(
    { origin, path, proposed, title: '', effect: 'agent' },
    new AbortController().signal,
  )
  const { id, revision } = await untilDesk(desk, () =>
    desk.summaries().find((one) => one.phase === 'open' && !known.has(one.id)),
  )
  return { verdict, id, revision }
}

test.each(['before', 'after'])(
  'a rejection with words is its answer, whether it comes %s the review',
  async (when) => {
    const early = when === 'before' ? hold() : null
    const { verdict, id, revision } = await propose()
    const answer = early ?? hold()
    expect(await isAnswered(answer)).toBe(false)
    desk.reject(id, revision, 'not so')
    expect(await answer).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: expect.stringContaining('They say: not so') as string },
      },
    })
    expect(await verdict).toEqual({ kind: 'rejected', note: 'not so', told: true })
    expect(typed).toEqual([])
  },
)

test('a rejection without words says nothing here', async () => {
  const { verdict, id, revision } = await propose()
  const answer = hold()
  desk.reject(id, revision)
  expect(await answer).toBeNull()
  expect(await verdict).toEqual({ kind: 'rejected' })
})

test('an acceptance leaves it to the other question', async () => {
  const { verdict, id, revision } = await propose()
  const answer = hold()
  desk.accept(id, revision)
  expect(await verdict).toMatchObject({ kind: 'accepted' })
  expect(await answer).toBeNull()
})

test('what a sub-agent asks is never kept: in the background it opens its review only after this answer', async () => {
  const { id, revision, verdict } = await propose()
  expect(await isAnswered(hold({ agent_id: 'a' }))).toBe(true)
  desk.reject(id, revision, 'not so')
  expect(await verdict).toEqual({ kind: 'rejected', note: 'not so' })
  expect(typed).toEqual(['not so'])
})

test('what opens no review is not kept either', async () => {
  await propose()
  expect(await isAnswered(hold({ tool_name: 'Bash', tool_input: { command: 'x' } }))).toBe(true)
  expect(await isAnswered(hold({}, { link: 'unlinked' }))).toBe(true)
})

test('a review from before is none of its own: it waits a while for that', async () => {
  await propose()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.setSystemTime(Date.now() + 1000)
  const answer = hold()
  await vi.advanceTimersByTimeAsync(1900)
  expect(await isAnswered(answer)).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(await answer).toBeNull()
})

test('a request that is taken back takes no words any more', async () => {
  const { id, revision, verdict } = await propose()
  const asking = new AbortController()
  const answer = hold({}, { signal: asking.signal })
  asking.abort()
  expect(await answer).toBeNull()
  desk.reject(id, revision, 'not so')
  expect(await verdict).toEqual({ kind: 'rejected', note: 'not so' })
  expect(typed).toEqual(['not so'])
})
