import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { summariseSession } from './session-summary'
import { stampOf } from './file-stamp'
import { SessionIndex, type IndexableSession } from './session-index'
import type { SearchNews, SessionSearch } from './session-search'
import { mostHitsOfSession } from './text-search'

let root = ''
let folder = ''
const owned: { dispose(): void }[] = []
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-session-index-'))
  folder = join(root, 'index')
  await mkdir(join(root, 'sessions'))
})
afterEach(async () => {
  for (const one of owned.splice(0)) one.dispose()
  await rm(root, { recursive: true, force: true })
})

const pathOf = (id: string) => join(root, 'sessions', `${id}.jsonl`)
const user = (uuid: string, content: string, at = 1000) =>
  `${JSON.stringify({ type: 'user', uuid, parentUuid: null, timestamp: at, cwd: '/work', message: { role: 'user', content } })}\n`

async function noted(id: string, lastAt = 0): Promise<IndexableSession> {
  const path = pathOf(id)
  const stamp = await stampOf(path)
  if (!stamp) throw new Error('there is no such file')
  const read = await summariseSession(path)
  return { id, path, stamp, lastAt, summary: read.ok ? { stamp, summary: read.value } : null }
}

async function open(): Promise<SessionIndex> {
  const index = new SessionIndex(folder, 50)
  owned.push(index)
  await index.load()
  return index
}

/** All that a search tells, once it is over. */
function outcome(search: SessionSearch | null): Promise<SearchNews> {
  if (!search) throw new Error('nothing was asked')
  const found: SearchNews['found'] = []
  return new Promise((resolve) => {
    search.onNews((news) => {
      found.push(...news.found)
      if (news.phase !== 'running') resolve({ ...news, found })
    })
  })
}

const texts = ({ found }: SearchNews) => found.map(({ id, hits }) => [id, ...hits.map(({ text }) => text)])

test('hits come from the newest session first, with their place, time and marks', async () => {
  await writeFile(pathOf('old'), user('a', 'The lamp of the GREENHOUSE flickers', 5))
  await writeFile(pathOf('new'), user('b', 'no word of it') + user('c', 'a greenhouse,\nand its lamp', 7))
  const index = await open()
  const counted: string[] = []
  index.onFigures(({ id, figures }) => counted.push(`${id} ${figures.messages}`))
  index.note([await noted('old', 1), await noted('new', 2)])
  await index.settled()
  expect(counted).toEqual(['new 2', 'old 1'])

  const news = await outcome(index.search('lamp greenhouse', ['new', 'old']))
  expect(news).toMatchObject({ phase: 'done', searched: 2, of: 2 })
  expect(texts(news)).toEqual([
    ['new', 'a greenhouse, and its lamp'],
    ['old', 'The lamp of the GREENHOUSE flickers'],
  ])
  expect(news.found[0]?.hits[0]).toMatchObject({
    ...{ uuid: 'c', offset: user('b', 'no word of it').length, at: 7, speaker: 'you' },
    marks: [
      { from: 2, to: 12 },
      { from: 22, to: 26 },
    ],
  })
  // All words in one message; in quotes, in a row.
  expect(texts(await outcome(index.search('flickers word', ['new', 'old'])))).toEqual([])
  expect(texts(await outcome(index.search('"greenhouse, and"', ['new', 'old'])))).toHaveLength(1)
  expect(index.search('  "" ', ['new'])).toBeNull()
})

test('what stands before a text is not searched, and letters of any writing are', async () => {
  await writeFile(pathOf('one'), user('lamp-uuid', 'Größe der LÄMPCHEN (1000)\t$5 [x]', 123456))
  const index = await open()
  index.note([await noted('one')])
  await index.settled()
  const hits = async (typed: string) => (await outcome(index.search(typed, ['one']))).found.length
  expect(await hits('lamp-uuid')).toBe(0)
  expect(await hits('123456')).toBe(0)
  for (const typed of ['lämpchen', 'GRÖßE', '(1000)', '$5 [x]', '"lämpchen (1000) $5"']) {
    expect(await hits(typed), typed).toBe(1)
  }
})

test('a search waits for sessions that are not indexed yet, and can be ended', async () => {
  for (let at = 0; at < 12; at++) await writeFile(pathOf(`s${at}`), user(`u${at}`, 'a lamp'))
  const ids = Array.from({ length: 12 }, (_, at) => `s${at}`)
  const index = await open()
  index.note(await Promise.all(ids.map((id, at) => noted(id, at))))
  const ended = index.search('lamp', ids)
  ended?.dispose()
  const news = await outcome(index.search('lamp', [...ids, 'gone']))
  expect(news).toMatchObject({ phase: 'done', searched: 13, of: 13 })
  expect(news.found.map(({ id }) => id).sort()).toEqual([...ids].sort())
})

test('of many hits in a session the newest are told, and all in all no more than 500', async () => {
  const many = Array.from({ length: 80 }, (_, at) => user(`u${at}`, `lamp number ${at}`)).join('')
  const ids = Array.from({ length: 12 }, (_, at) => `s${at}`)
  for (const id of ids) await writeFile(pathOf(id), many)
  const index = await open()
  index.note(await Promise.all(ids.map((id, at) => noted(id, at))))
  await index.settled()
  const news = await outcome(index.search('lamp', ids))
  expect(news.phase).toBe('cut')
  expect(news.found.flatMap(({ hits }) => hits)).toHaveLength(500)
  expect(news.found[0]?.isCut).toBe(true)
  expect(news.found[0]?.hits).toHaveLength(mostHitsOfSession)
  expect(news.found[0]?.hits[0]?.uuid).toBe('u79')
})

test('a start with an index of an earlier time reads no session; what has grown is read on', async () => {
  await writeFile(pathOf('one'), user('a', 'first words'))
  await writeFile(pathOf('two'), user('b', 'other words'))
  const before = await open()
  before.note([await noted('one'), await noted('two')])
  await before.settled()
  before.dispose()

  await appendFile(pathOf('two'), user('c', 'words that came later'))
  const index = await open()
  const [one, two] = [await noted('one'), await noted('two')]
  expect(index.remembered()).toMatchObject([
    { id: 'one', stamp: one.stamp, summary: { firstPrompt: 'first words' }, figures: { messages: 1 } },
    { id: 'two', summary: { firstPrompt: 'other words' }, figures: { messages: 1 } },
  ])
  const counted: string[] = []
  index.onFigures(({ id, figures }) => counted.push(`${id} ${figures.messages}`))
  index.note([one, two])
  await index.settled()
  expect(counted).toEqual(['two 2'])
  expect(texts(await outcome(index.search('words', ['two', 'one'])))).toEqual([
    ['two', 'words that came later', 'other words'],
    ['one', 'first words'],
  ])
})

test('what is kept goes with its session, and all of it when it is erased', async () => {
  await writeFile(pathOf('one'), user('a', 'first words'))
  await writeFile(pathOf('two'), user('b', 'other words'))
  const index = await open()
  index.note([await noted('one'), await noted('two')])
  await index.settled()
  if (process.platform !== 'win32') {
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
  index.forget(['one'])
  // Asked in order: the thread has deleted when it has indexed what comes after.
  await appendFile(pathOf('two'), user('c', 'more'))
  index.note([await noted('two')])
  await index.settled()
  expect((await readdir(folder)).sort()).toEqual(['index.json', 'two.tally', 'two.text'])
  expect(await readFile(join(folder, 'index.json'), 'utf8')).not.toContain('first words')
  await index.erase()
  await expect(stat(folder)).rejects.toThrow()
})

test('an index that is not as it was written is made anew', async () => {
  await writeFile(pathOf('one'), user('a', 'first words'))
  const before = await open()
  before.note([await noted('one')])
  await before.settled()
  before.dispose()
  expect((await open()).remembered().map(({ id }) => id)).toEqual(['one'])
  const written = await readFile(join(folder, 'index.json'), 'utf8')
  const { sum } = JSON.parse(written) as { sum: string }
  const others = [
    '{"version":1,"sessions":{"one":{}}}',
    written.replace('"messages":1', '"messages":"1"'),
    written.slice(0, -9),
    written.replace(sum, ''),
    written.replace('"version":', '"version":1'),
    '',
    'null',
  ]
  for (const other of others) {
    expect(other).not.toBe(written)
    await writeFile(join(folder, 'index.json'), other)
    expect((await open()).remembered()).toEqual([])
  }
  await writeFile(join(folder, 'one.text'), 'what is this')
  const index = await open()
  index.note([await noted('one')])
  await index.settled()
  expect(texts(await outcome(index.search('words', ['one'])))).toEqual([['one', 'first words']])
})

test('the shape of what is kept: who changes it raises its version', async () => {
  await writeFile(pathOf('one'), user('a', 'first words'))
  const index = await open()
  index.note([await noted('one')])
  await index.settled()
  const { version, sessions } = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as {
    version: number
    sessions: { one: { summary: { summary: object }; indexed: { figures: object; own: object } } }
  }
  const { summary, indexed } = sessions.one
  const shapes = [sessions.one, summary, summary.summary, indexed, indexed.figures, indexed.own]
  const counted = 'costUSD forks isCostOfAll messages usage'
  expect([version, ...shapes.map((one) => Object.keys(one).sort().join(' '))]).toEqual([
    3,
    'indexed path summary',
    'stamp summary',
    'activity branch costUSD firstPrompt folder lastAt lastPrompt model startedAt title titleBy version',
    'agents figures mark own stamp tallyBytes textBytes to',
    counted,
    counted,
  ])
})
