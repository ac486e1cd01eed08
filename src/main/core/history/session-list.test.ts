import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionRecords, writeSession } from '../../../../test/session-files'
import { FileWatcher } from '../files/watcher'
import { startOfProcess } from '../platform/process-tree'
import { RunningSessions } from './running-sessions'
import { SessionList, type SessionListChange, type SessionListOptions } from './session-list'
import { SessionNames } from './session-names'
import { summariseSession } from './session-summary'

let root = ''
let config = ''
const owned: { dispose(): void }[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-sessions-'))
  config = join(root, 'config')
  await mkdir(join(config, 'projects', '-home-person-project'), { recursive: true })
  await mkdir(join(config, 'sessions'))
})
afterEach(async () => {
  for (const one of owned.splice(0).reverse()) one.dispose()
  await rm(root, { recursive: true, force: true })
})

const pathOf = (id: string, project = '-home-person-project') =>
  join(config, 'projects', project, `${id}.jsonl`)
const json = (records: Iterable<unknown>) =>
  [...records].map((record) => `${JSON.stringify(record)}\n`).join('')
const user = (content: string, more = {}) => ({
  type: 'user',
  uuid: content,
  parentUuid: null,
  cwd: '/work/app',
  gitBranch: 'main',
  timestamp: '2026-01-02T00:00:00.000Z',
  message: { role: 'user', content },
  ...more,
})

async function startList(options: Partial<SessionListOptions> = {}) {
  const watcher = new FileWatcher({ interval: 20 })
  const running = new RunningSessions(config, watcher)
  const names = new SessionNames(join(root, 'data'))
  const list = new SessionList({
    configFolder: config,
    watcher,
    names,
    running,
    moveToTrash: async (path) => {
      await rm(path, { recursive: true })
      return null
    },
    ...options,
  })
  owned.push(watcher, running, list)
  const told: SessionListChange[] = []
  list.onChange((change) => told.push(change))
  await running.start()
  await list.start()
  const until = (wanted: () => boolean) => expect.poll(wanted, { timeout: 10_000, interval: 10 }).toBe(true)
  return { list, names, running, told, until }
}

test('a summary is read from both ends, however long the file is', async () => {
  const path = pathOf('a')
  const size = await writeSession(path, {
    messages: 3000,
    folder: '/work/app',
    branch: 'topic',
    startedAt: 5,
  })
  expect(size).toBeGreaterThan(4_000_000)
  const read = await summariseSession(path)
  if (!read.ok) throw new Error(read.failure.message)
  const first = [...sessionRecords({ messages: 1 })].find((record) => record['type'] === 'user')
  expect(read.value).toMatchObject({
    title: 'Session 1',
    titleBy: 'person',
    folder: '/work/app',
    branch: 'topic',
    activity: 'idle',
    costUSD: expect.any(Number) as number,
    firstPrompt: (first?.['message'] as { content: string } | undefined)?.content,
  })
  expect(read.value.lastAt).toBeGreaterThan(read.value.startedAt ?? 0)
})

test('a summary passes over commands, hidden lines and long ones', async () => {
  await writeFile(
    pathOf('a'),
    json([
      user('<local-command-caveat>x', { isMeta: true }),
      user('<command-name>/model</command-name>'),
      user('x'.repeat(100), { isSidechain: true }),
      { type: 'attachment', attachment: 'y'.repeat(300_000) },
      user(`say\n  ${'word '.repeat(200)}`),
      { type: 'assistant', uuid: 'b', message: { content: [{ type: 'tool_use', id: 't' }] } },
    ]),
  )
  const read = await summariseSession(pathOf('a'))
  expect(read).toMatchObject({ value: { activity: 'working', title: null } })
  if (read.ok) expect(read.value.firstPrompt).toMatch(/^say word word .*…$/)
})

test('sessions are found, followed, and gone; empty ones and those of sub-agents are not listed', async () => {
  await writeFile(pathOf('one'), json([user('first words')]))
  await writeFile(pathOf('agent-x'), json([user('a sub-agent')]))
  await writeFile(pathOf('empty'), json([{ type: 'mode' }]))
  const { list, until } = await startList({ now: () => 0 })
  expect(list.entries).toMatchObject([
    {
      id: 'one',
      title: 'first words',
      titleBy: 'prompt',
      folder: '/work/app',
      branch: 'main',
      hidden: false,
      running: null,
    },
  ])
  await appendFile(pathOf('one'), json([{ type: 'custom-title', customTitle: 'named there' }]))
  await until(() => list.get('one')?.title === 'named there')
  await mkdir(join(config, 'projects', 'other'))
  await writeFile(pathOf('two', 'other'), json([user('second')]))
  await until(() => list.get('two')?.title === 'second')
  expect(await list.find('two')).toEqual({ id: 'two', path: pathOf('two', 'other') })
  expect(await list.find('../two')).toBeNull()
  await appendFile(pathOf('empty'), json([user('said after all')]))
  await until(() => list.get('empty') !== null)
  await rm(pathOf('one'))
  await until(() => list.get('one') === null)
  await rm(join(config, 'projects', 'other'), { recursive: true })
  await until(() => list.get('two') === null)
})

test('the first session of all is found without waiting for a regular look', async () => {
  await rm(config, { recursive: true })
  const watcher = new FileWatcher({ interval: 3_600_000 })
  owned.push(watcher)
  const { list, until } = await startList({ watcher })
  expect(list.entries).toEqual([])
  await mkdir(join(config, 'projects', '-home-person-project'), { recursive: true })
  await writeFile(pathOf('a'), json([user('Oil the hinges.')]))
  await until(() => list.get('a')?.title === 'Oil the hinges.')
})

test('the person names and hides sessions, in the app’s own data only', async () => {
  await writeFile(pathOf('one'), json([user('first words')]))
  const { list, told, until } = await startList()
  expect(await list.rename('one', '  my name ')).toMatchObject({ ok: true })
  expect(await list.hide('one', true)).toMatchObject({ ok: true })
  expect(list.get('one')).toMatchObject({ title: 'my name', titleBy: 'app', hidden: true })
  await until(() => told.some(({ changed }) => changed.some(({ hidden }) => hidden)))
  expect(await readFile(pathOf('one'), 'utf8')).toBe(json([user('first words')]))
  expect(new SessionNames(join(root, 'data')).of('one')).toEqual({ title: 'my name', hidden: true })
  await list.rename('one', '')
  expect(list.get('one')).toMatchObject({ title: 'first words', hidden: true })
  expect(await list.rename('one', 'x'.repeat(201))).toMatchObject({
    ok: false,
    failure: { code: 'too-long' },
  })
  expect(await list.rename('nobody', 'x')).toMatchObject({ ok: false, failure: { code: 'unknown-session' } })
})

test('names that cannot be read are set aside', async () => {
  await mkdir(join(root, 'data'))
  for (const text of ['{"version":', '{"version":1,"sessions":{"a":{"title":7}}}']) {
    await writeFile(join(root, 'data', 'sessions.json'), text)
    const names = new SessionNames(join(root, 'data'))
    expect(names.problem).toContain('moved to')
    expect(names.of('a')).toEqual({})
  }
  const left = await readdir(join(root, 'data'))
  expect(left).toHaveLength(2)
  expect(left.every((name) => name.startsWith('sessions.json.broken-'))).toBe(true)
})

test('what runs is told by its command line, as long as that lives, and is not deleted', async () => {
  await writeFile(pathOf('one'), json([user('first words')]))
  await mkdir(join(config, 'projects', '-home-person-project', 'one', 'subagents'), { recursive: true })
  const note = join(config, 'sessions', `${process.pid}.json`)
  const procStart = (await startOfProcess(process.pid)) ?? ''
  const write = (more: object) =>
    writeFile(note, JSON.stringify({ pid: process.pid, sessionId: 'one', procStart, ...more }))
  await write({ status: 'waiting', startedAt: 3 })
  const { list, until } = await startList({ now: () => Number.MAX_SAFE_INTEGER })
  expect(list.get('one')).toMatchObject({ activity: 'waiting', running: { pid: process.pid, startedAt: 3 } })
  await write({ status: 'busy' })
  await until(() => list.get('one')?.activity === 'working')
  expect(await list.moveToTrash('one')).toMatchObject({ ok: false, failure: { code: 'running' } })
  if (process.platform === 'linux') {
    await write({ status: 'busy', procStart: '1' })
    await until(() => list.get('one')?.running === null)
  }
  await rm(note)
  await until(() => list.get('one')?.running === null)
  expect(list.get('one')?.activity).toBe('idle')
  expect(await list.moveToTrash('one')).toMatchObject({ ok: true })
  expect(list.entries).toEqual([])
  await expect(stat(join(config, 'projects', '-home-person-project', 'one'))).rejects.toThrow()
})

test('a refusal of the trash changes nothing', async () => {
  await writeFile(pathOf('one'), json([user('first words')]))
  const { list } = await startList({ moveToTrash: () => Promise.resolve('the disk is full') })
  const done = await list.moveToTrash('one')
  expect(done).toMatchObject({
    ok: false,
    failure: { message: 'The session wasn’t deleted: the disk is full.' },
  })
  expect(list.get('one')).not.toBeNull()
})

test('figures that were counted stand in the entry, and are told', async () => {
  await writeFile(pathOf('one'), json([user('first words')]))
  const { list, told, until } = await startList()
  const figures = { messages: 3, costUSD: 0.5, isCostOfAll: false, forks: 1, usage: null }
  list.setFigures('one', figures)
  expect(list.get('one')?.figures).toEqual(figures)
  await until(() => told.some(({ changed }) => changed.some((entry) => entry.figures?.messages === 3)))
})
