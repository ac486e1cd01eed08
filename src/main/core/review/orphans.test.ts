import { existsSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { draftText, startPlainDesk } from '../../../../test/plain-desk'
import type { WithdrawnReason } from '../../../shared/review/proposal'
import { FileWatcher } from '../files/watcher'
import type { ReviewDesk } from './desk'
import { mostUntouched } from './orphans'

/** Agents that come and go: what they leave behind stays bounded, and nothing of the person's goes. */
const gone: WithdrawnReason = 'connection-lost'

let folder: string
let watcher: FileWatcher
let desk: ReviewDesk
let connections: number

const startDesk = () => startPlainDesk(folder, watcher)

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-orphans-')))
  watcher = new FileWatcher({ interval: 1000 })
  connections = 0
  desk = startDesk()
})
afterEach(async () => {
  desk.dispose()
  watcher.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** An agent asks about a file and is gone; `work` is what the person does before. */
async function comeAndGo(name: string, work: (id: string) => void = () => undefined): Promise<string> {
  const abort = new AbortController()
  const connection = `c${connections++}`
  void desk.open(
    {
      origin: { dialect: 'claude-ide', connection, agent: 'Claude', call: '1' },
      path: join(folder, name),
      proposed: `${name} of ${connection}\n`,
      title: '',
      effect: 'agent',
    },
    abort.signal,
  )
  const find = () => desk.summaries().find((summary) => summary.connection === connection)
  await vi.waitFor(() => expect(find()).toBeDefined())
  const id = find()?.id ?? ''
  work(id)
  abort.abort(gone)
  return id
}

const type = (id: string) =>
  void desk.step(id, {
    client: 'p',
    version: 0,
    after: 0,
    steps: [{ kind: 'edit', changes: [[0, 'mine '], draftText(desk, id)?.length ?? 0] }],
  })

it('keeps every draft that was worked on, and the newest of the others', async () => {
  const worked: string[] = []
  const others: string[] = []
  for (let number = 0; number < mostUntouched + 8; number++) {
    others.push(await comeAndGo(`other-${number}`))
    if (number % 4 === 0) worked.push(await comeAndGo(`worked-${number}`, type))
  }
  const kept = [...worked, ...others.slice(-mostUntouched)]
  const ids = () => new Set(desk.summaries().map(({ id }) => id))
  expect(ids()).toEqual(new Set(kept))
  expect(desk.summaries().filter(({ isTouched }) => isTouched)).toHaveLength(worked.length)
  // Nothing of those that went is left on the disk, and they are no decisions of the person's.
  await vi.waitFor(async () =>
    expect(new Set(await readdir(join(folder, 'data', 'reviews')))).toEqual(new Set(kept)),
  )
  expect(desk.decided()).toEqual([])
  await desk.shutdown()
  desk = startDesk()
  await desk.restore()
  expect(ids()).toEqual(new Set(kept))
})

it('keeps one untouched draft of a file, the newest', async () => {
  await comeAndGo('a.txt')
  const typed = await comeAndGo('a.txt', type)
  await comeAndGo('a.txt')
  const newest = await comeAndGo('a.txt')
  expect(desk.summaries().map(({ id }) => id)).toEqual([typed, newest])
  expect(existsSync(join(folder, 'data', 'reviews', typed))).toBe(true)
})
