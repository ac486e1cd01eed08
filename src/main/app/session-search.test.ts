import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWindowOn, pageOf, startPlainApp } from '../../../test/plain-app'
import type { SessionSearchState, SessionSummary } from '../../shared/contract/sessions'
import type { App } from './app'

let home = ''
let app: App
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-session-search-')))
  const folder = join(home, '.claude', 'projects', '-project')
  await mkdir(folder, { recursive: true })
  await mkdir(join(home, 'project'))
  for (const id of ['one', 'two']) {
    const message = { role: 'user', content: `the lamp of session ${id}` }
    const line = { type: 'user', uuid: id, parentUuid: null, cwd: join(home, 'project'), message }
    await writeFile(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`)
  }
  await mkdir(join(home, 'data', 'session-index'), { recursive: true })
  await writeFile(join(home, 'data', 'session-index', 'one.text'), 'the lamp of session one')
  app = await startPlainApp(home)
})
afterEach(async () => {
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

type Page = ReturnType<typeof pageOf>

/** All that a search tells until it is over. */
function search(page: Page, text: string): Promise<SessionSearchState> {
  const found: SessionSearchState['found'] = []
  return new Promise((resolve) => {
    const following = page.subscribe(
      'sessionSearch',
      { text },
      {
        snapshot: () => undefined,
        delta(delta) {
          found.push(...delta.found)
          if (delta.phase === 'running') return
          following.dispose()
          resolve({ ...delta, found })
        },
      },
    )
  })
}

/** Settles when all sessions listed are as wanted. */
function listed(page: Page, isWanted: (session: SessionSummary) => boolean): Promise<void> {
  const sessions = new Map<string, SessionSummary>()
  return new Promise((resolve) => {
    const following = page.subscribe(
      'sessions',
      {},
      {
        snapshot: () => undefined,
        delta({ put = [] }) {
          for (const session of put) sessions.set(session.id, session)
          if (sessions.size < 2 || ![...sessions.values()].every(isWanted)) return
          following.dispose()
          resolve()
        },
      },
    )
  })
}

test('a search finds what was said in sessions that are not hidden, and what is seen is counted', async () => {
  const page = pageOf(await openWindowOn(app, join(home, 'project')))
  const found = await search(page, 'LAMP two')
  expect(found).toMatchObject({ phase: 'done', searched: 2, of: 2 })
  expect(found.found.map(({ id, hits }) => [id, hits[0]?.uuid, hits[0]?.text])).toEqual([
    ['two', 'two', 'the lamp of session two'],
  ])
  await listed(page, ({ messages }) => messages === null)
  await page.call('sessions.count', { ids: ['one', 'two', 'no such session'] })
  await listed(page, ({ messages }) => messages === 1)
  const line = { type: 'user', uuid: 'three', parentUuid: 'two', message: { role: 'user', content: 'dark' } }
  await appendFile(join(home, '.claude', 'projects', '-project', 'two.jsonl'), `${JSON.stringify(line)}\n`)
  expect((await search(page, 'dark')).found.map(({ id }) => id)).toEqual(['two'])
  await page.call('sessions.hide', { id: 'two', hidden: true })
  expect((await search(page, 'lamp')).found.map(({ id }) => id)).toEqual(['one'])
})

test('the copy that earlier versions kept of what was said is removed at the start', async () => {
  await expect.poll(() => existsSync(join(home, 'data', 'session-index')), { timeout: 10_000 }).toBe(false)
  expect(existsSync(join(home, 'data'))).toBe(true)
})
