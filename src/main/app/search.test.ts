import { readFile, mkdir, mkdtemp, realpath, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logTo, openWindowOn, pageOf, startPlainApp } from '../../../test/plain-app'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Calls, Topics } from '../../shared/contract/contract'
import type { SearchQuery, SearchState } from '../../shared/contract/search'
import { fail } from '../../shared/result'
import type { RpcClient } from '../../shared/rpc/rpc'
import type { App } from './app'
import type { WindowHost } from './window-host'

const reports: unknown[] = []
const query: SearchQuery = {
  text: 'needle',
  isRegex: false,
  isCaseSensitive: false,
  isWholeWord: false,
  include: '',
  exclude: '',
  withIgnored: false,
}

let home: string
let project: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>

async function startApp(): Promise<void> {
  app = await startPlainApp(home, { log: logTo(reports) })
  window = await openWindowOn(app, project)
  page = pageOf(window)
}

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-search-app-')))
  project = join(home, 'project')
  await mkdir(join(project, 'sub'), { recursive: true })
  await writeFile(join(project, 'a.txt'), 'a needle\r\nand a Needle\r\n')
  await writeFile(join(project, 'sub', 'b.txt'), 'needle')
  reports.length = 0
  await startApp()
})

afterEach(async () => {
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

async function search(change: Partial<SearchQuery> = {}): Promise<SearchState> {
  const { run } = await page.call('search.start', { ...query, ...change })
  const { search: searching } = window.searching
  return new Promise((resolve) => {
    const look = () => {
      if (searching.state.run !== run || searching.state.phase === 'running') return
      listening.dispose()
      resolve(searching.state)
    }
    const listening = searching.onDelta(look)
    look()
  })
}

function replace(state: SearchState, replacement: string, leftOut: number[] = []) {
  const files = state.files.map(({ path }) => path)
  return page.call('search.replace', { run: state.run, replacement, files, leftOut })
}

async function accept(name: string): Promise<string> {
  const path = join(project, name)
  const summary = window.parts.desk.summaries().find((one) => one.path === path)
  if (!summary) throw new Error(`no review of ${name}`)
  const over = new Promise<void>((resolve) => {
    window.parts.desk.onChange((event) => event.kind === 'ended' && event.id === summary.id && resolve())
  })
  expect(window.parts.desk.accept(summary.id, summary.revision)).toMatchObject({ ok: true })
  await over
  return readFile(path, 'utf8')
}

it('proposes one change for each file, writes what is accepted, and only that', async () => {
  const state = await search()
  expect(state).toMatchObject({ phase: 'done', hits: 3 })
  const replaced = await replace(state, 'thread')
  expect(replaced).toEqual({ ok: true, value: { proposed: 2, told: [] } })
  expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('a needle\r\nand a Needle\r\n')
  const [summary] = window.parts.desk.summaries()
  expect(summary).toMatchObject({ agent: 'Search and replace', effect: 'host', phase: 'open' })
  expect(window.tabs.active).toMatchObject({ kind: 'other', name: 'reviews' })
  expect(await accept('a.txt')).toBe('a thread\r\nand a thread\r\n')
  const other = window.parts.desk.summaries().find(({ name }) => name === 'b.txt')
  window.parts.desk.reject(other?.id ?? '', other?.revision ?? 0)
  expect(await readFile(join(project, 'sub', 'b.txt'), 'utf8')).toBe('needle')
})

it('leaves out what the person took out, and a second replacement takes the place of the first', async () => {
  const state = await search()
  const hit = state.files.find(({ name }) => name === 'a.txt')?.hits[0]?.id ?? 0
  await replace(state, 'x', [hit])
  await replace(state, 'y', [hit])
  expect(window.parts.desk.summaries()).toHaveLength(2)
  expect(await accept('a.txt')).toBe('a needle\r\nand a y\r\n')
})

it('tells what is not proposed: unsaved, changed since, gone', async () => {
  const path = join(project, 'a.txt')
  const state = await search()
  await writeFile(path, 'another text')
  await unlink(join(project, 'sub', 'b.txt'))
  expect(await replace(state, 'x')).toEqual({
    ok: true,
    value: {
      proposed: 0,
      told: [
        'a.txt has changed since the search and is skipped. Search again.',
        'b.txt can’t be read as text and is skipped.',
      ].toSorted(),
    },
  })
  await search()
  expect(await replace(state, 'x')).toMatchObject({ ok: false, failure: { code: 'stale' } })
})

it('shows what it has proposed where the expression then runs away, and tells the rest', async () => {
  const state = await search()
  const { replacer } = window.searching
  const replaceIn = replacer.replace.bind(replacer)
  const tooSlow = fail('too-slow', 'This expression takes too long.')
  vi.spyOn(replacer, 'replace').mockImplementationOnce(replaceIn).mockResolvedValue(tooSlow)
  expect(await replace(state, 'thread')).toEqual({
    ok: true,
    value: { proposed: 1, told: ['This expression takes too long. 1 of 2 files is ready to review.'] },
  })
  expect(window.tabs.active).toMatchObject({ kind: 'review', path: join(project, 'a.txt') })
  expect(await replace(state, 'thread')).toEqual(tooSlow)
})

it('searches unsaved text, and does not replace in it', async () => {
  const path = join(project, 'a.txt')
  window.tabs.openFile(path)
  await window.holds.open.get(path)
  const pushed = await page.call('documents.push', {
    path,
    version: 0,
    updates: [{ clientID: 'page', changes: [[0, 'needle '], 22] }],
  })
  expect(pushed).toEqual({ status: 'accepted' })
  const state = await search()
  const file = state.files.find(({ name }) => name === 'a.txt')
  expect(file).toMatchObject({ isUnsaved: true, hits: [{ from: 0 }, { from: 9 }, { line: 1 }] })
  expect(await replace({ ...state, files: file ? [file] : [] }, 'x')).toMatchObject({
    value: { proposed: 0, told: [expect.stringContaining('a.txt has unsaved text')] },
  })
})

it('keeps a proposal over a restart, as a change that can be kept', async () => {
  await replace(await search({ text: 'NEEDLE', isCaseSensitive: false, include: 'sub' }), 'x')
  await app.shutdown()
  await startApp()
  const [summary] = window.parts.desk.summaries()
  expect(summary).toMatchObject({ name: 'b.txt', phase: 'orphaned' })
  expect(summary?.problem).toContain('Greenlight restarted before you decided.')
  const over = new Promise<void>((resolve) => {
    window.parts.desk.onChange((event) => event.kind === 'ended' && resolve())
  })
  window.parts.desk.keep(summary?.id ?? '', summary?.revision ?? 0)
  await over
  expect(await readFile(join(project, 'sub', 'b.txt'), 'utf8')).toBe('x')
})

it('finds files opened lately before the others', async () => {
  window.tabs.openFile(join(project, 'sub', 'b.txt'))
  window.tabs.openFile(join(project, 'a.txt'))
  const found = await page.call('search.files', { typed: 'txt', withIgnored: false, refresh: true })
  expect(found).toMatchObject({
    ok: true,
    value: {
      files: [
        { text: 'a.txt', isRecent: true },
        { text: 'sub/b.txt', isRecent: true },
      ],
      count: 2,
    },
  })
})
