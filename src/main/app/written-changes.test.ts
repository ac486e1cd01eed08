import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, watch, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logTo, openWindowOn, pageOf, readyOf, startPlainApp } from '../../../test/plain-app'
import { untilApproval } from '../../../test/plain-approvals'
import { SdkUrlClient } from '../../../test/sdk-url-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Calls, Topics } from '../../shared/contract/contract'
import type { ReviewSummary } from '../../shared/contract/review'
import type { RpcClient } from '../../shared/rpc/rpc'
import { createMemorySettingsStore } from '../../../test/memory-settings'
import type { App } from './app'
import type { WindowHost } from './window-host'

const script = join(fileURLToPath(import.meta.url), '../../../../test/e2e/writing-agent.mjs')
const reports: unknown[] = []

/** Writes before it says anything; then says that it is ready, and for each line it is given writes again, silently. */
const silentAgent = `
until [ -e "$1/go" ]; do sleep 0.1; done
echo first > a.txt
until [ -e "$1/on" ]; do sleep 0.1; done
echo ready
while read name; do
  rm "$1/on"
  until [ -e "$1/on" ]; do sleep 0.1; done
  echo theirs > "$name"
done
`

let home: string
let project: string
let tasks: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>
let count: number

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-unasked-')))
  project = join(home, 'project')
  tasks = join(home, 'tasks')
  mkdirSync(tasks)
  count = 0
  reports.length = 0
  execFileSync('git', ['init', '-q', project])
  writeFileSync(join(project, 'a.txt'), 'mine, not committed\n')
  writeFileSync(join(project, 'b.txt'), 'old\n')
  const settingsStore = createMemorySettingsStore()
  const robot = { id: 'robot', title: 'Robot', command: process.execPath, args: [script, tasks] }
  const silent = { id: 'silent', title: 'Silent', command: '/bin/sh', args: ['-c', silentAgent, 'sh', tasks] }
  settingsStore.set({ terminalProfiles: [robot, silent] })
  app = await startPlainApp(home, { log: logTo(reports), settingsStore })
  window = await openWindowOn(app, project)
  page = pageOf(window)
})

afterEach(async () => {
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

/** Has the agent write files; resolves when it has. */
async function write(files: Record<string, string>): Promise<void> {
  const path = join(tasks, `${++count}.json`)
  const writes = Object.entries(files).map(([name, text]) => [join(project, name), text])
  writeFileSync(`${path}.new`, JSON.stringify({ writes }))
  renameSync(`${path}.new`, path)
  await expect.poll(() => existsSync(path), { timeout: 20_000 }).toBe(false)
}

/** The review of a file, when it comes. */
function reviewOf(name: string): Promise<ReviewSummary> {
  return new Promise((resolve) => {
    const look = (data: Topics['reviews']['snapshot'] | Topics['reviews']['delta']) => {
      const all = 'reviews' in data ? data.reviews : data.kind === 'put' ? [data.review] : []
      const found = all.find((review) => review.name === name)
      if (!found) return
      queueMicrotask(() => subscription.dispose())
      resolve(found)
    }
    const subscription = page.subscribe('reviews', {}, { snapshot: look, delta: look })
  })
}

const read = (name: string) => readFileSync(join(project, name), 'utf8')

it('what an agent in a terminal writes without asking is reviewed, and put back to the person’s own text', async () => {
  const { ok } = await page.call('terminals.create', { profile: 'robot', columns: 80, rows: 24 })
  expect(ok).toBe(true)
  await write({ 'a.txt': 'theirs\n' })
  const review = await reviewOf('a.txt')
  expect(review).toMatchObject({ agent: 'Robot', effect: 'written', duringTurn: true, phase: 'open' })
  expect(window.tabs.findReview(review.id)).toBeDefined()
  const revision = app.windows()[0]?.parts.desk.summary(review.id)?.revision ?? 0
  await page.call('review.reject', { id: review.id, revision })
  await expect.poll(() => read('a.txt')).toBe('mine, not committed\n')
}, 60_000)

it('many files at once are a group that the page keeps or reviews', async () => {
  await page.call('terminals.create', { profile: 'robot', columns: 80, rows: 24 })
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`src/f${index}.txt`, 'new\n']))
  const grouped = new Promise<Topics['changes']['snapshot']['groups'][number]>((resolve) => {
    const look = ({ groups }: Topics['changes']['snapshot']) => {
      const [group] = groups
      // The first look may come before the last file is written.
      if (group?.count === 70) resolve(group)
    }
    page.subscribe('changes', {}, { snapshot: look, delta: look })
  })
  await write(files)
  const group = await grouped
  // It waits for the person as a review does, and is told once, however much comes to it.
  const sentence = 'Many files changed at once during Robot’s turn.'
  await expect.poll(() => window.attention.count).toBe(1)
  expect(window.notices.list()).toMatchObject([{ text: sentence, action: { kind: 'show-reviews' } }])
  expect(group).toMatchObject({ agent: 'Robot', count: 70, isMore: false })
  expect(group.files[0]).toMatchObject({ folder: 'src', isNew: true })
  await page.call('changes.review', { id: group.id, path: join(project, 'src/f3.txt') })
  const review = await reviewOf('f3.txt')
  expect(review).toMatchObject({ isNew: true, effect: 'written' })
  const decided = new Promise<Topics['reviews']['snapshot']['decided']>((resolve) => {
    const look = (data: Topics['reviews']['snapshot'] | Topics['reviews']['delta']) => {
      if ('decided' in data && data.decided.length > 0) resolve(data.decided)
    }
    page.subscribe('reviews', {}, { snapshot: look, delta: look })
  })
  await page.call('review.accept', { id: review.id, revision: review.revision })
  expect(await decided).toMatchObject([{ name: 'f3.txt', folder: 'src' }])
  const kept = await page.call('changes.keepAll', { id: group.id, revision: group.revision })
  expect(kept.ok).toBe(true)
  expect(app.windows()[0]?.parts.changes.groups.list()).toEqual([])
  expect(window.notices.list().filter(({ text }) => text === sentence)).toEqual([])
  await expect.poll(() => window.attention.count).toBe(0)
  expect(read('src/f69.txt')).toBe('new\n')
}, 60_000)

it('what an agent writes before it has put out anything is its own, and what it writes silently later', async () => {
  const created = await page.call('terminals.create', { profile: 'silent', columns: 80, rows: 24 })
  if (!created.ok) throw new Error(created.failure.message)
  // Longer than any tail of a turn.
  await new Promise((resolve) => setTimeout(resolve, 3500))
  writeFileSync(join(tasks, 'go'), '')
  expect(await reviewOf('a.txt')).toMatchObject({ agent: 'Silent', effect: 'written' })

  writeFileSync(join(tasks, 'on'), '')
  await expect.poll(() => window.terminals.get(created.value.id)?.signsOfWork.silentSince).toBeUndefined()
  await expect.poll(() => window.changes.isInTurn, { timeout: 15_000 }).toBe(false)
  // It waits for its prompt: what is written now is the person's.
  writeFileSync(join(project, 'mine.txt'), 'mine\n')
  await new Promise((resolve) => setTimeout(resolve, 500))
  await window.changes.flush()
  expect(
    app
      .windows()[0]
      ?.parts.desk.summaries()
      .map(({ name }) => name),
  ).toEqual(['a.txt'])

  await page.call('terminals.write', { id: created.value.id, data: 'b.txt\r' })
  await expect.poll(() => existsSync(join(tasks, 'on'))).toBe(false)
  await expect.poll(() => window.changes.isInTurn, { timeout: 15_000 }).toBe(false)
  writeFileSync(join(tasks, 'on'), '')
  expect(await reviewOf('b.txt')).toMatchObject({ agent: 'Silent', effect: 'written' })
  const review = app
    .windows()[0]
    ?.parts.desk.summaries()
    .find(({ name }) => name === 'b.txt')
  await page.call('review.reject', { id: review?.id ?? '', revision: review?.revision ?? 0 })
  await expect.poll(() => read('b.txt')).toBe('old\n')
}, 60_000)

it('a driven agent’s turn is what it says itself: what is written while it waits for an answer or rests is the person’s', async () => {
  const { desk, approvals } = window.parts
  const client = new SdkUrlClient(readFileSync(readyOf(window).sdk?.tokenFile ?? '', 'utf8').trim(), project)
  await client.opened
  const inTurn = (expected: boolean) =>
    expect.poll(() => window.changes.isInTurn, { timeout: 15_000 }).toBe(expected)
  const mine = async (name: string) => {
    writeFileSync(join(project, name), 'mine\n')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await window.changes.flush()
  }
  client.init()
  await inTurn(true)
  const asked = client.ask('Bash', { command: 'ls' })
  const { id } = await untilApproval(approvals)
  await inTurn(false)
  await mine('mine.txt')
  expect(desk.summaries()).toEqual([])
  await approvals.answer(id, { option: 'allow', values: {}, reason: null })
  await asked
  // However long it is silent.
  await new Promise((resolve) => setTimeout(resolve, 3500))
  expect(window.changes.isInTurn).toBe(true)
  writeFileSync(join(project, 'b.txt'), 'theirs\n')
  expect(await reviewOf('b.txt')).toMatchObject({ agent: 'Claude', effect: 'written' })
  client.result('Done.')
  await inTurn(false)
  await mine('a.txt')
  expect(desk.summaries().map(({ name }) => name)).toEqual(['b.txt'])
  client.close()
}, 60_000)

it('what an agent wrote just before the end of the app is asked about after the next start', async () => {
  await page.call('terminals.create', { profile: 'robot', columns: 80, rows: 24 })
  const heard = new Promise<void>((resolve) => {
    const watcher = watch(project, (_event, name) => {
      if (name !== 'a.txt') return
      watcher.close()
      resolve()
    })
  })
  await write({ 'a.txt': 'theirs\n' })
  await heard
  // Longer than the tree waits until it tells, and shorter than it waits for more.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await app.shutdown()
  app = await startPlainApp(home, { log: logTo(reports) })
  window = await openWindowOn(app, project)
  page = pageOf(window)
  expect(await reviewOf('a.txt')).toMatchObject({ agent: 'Robot', effect: 'written' })
}, 60_000)
