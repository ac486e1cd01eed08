import fc from 'fast-check'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderTrust } from './folder-trust'

let directory: string
const file = () => join(directory, 'trusted-folders.json')

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-trust-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a folder is trusted when the person says so, with what lies in it, and until they take it back', async () => {
  const trust = new FolderTrust(directory)
  const heard: string[] = []
  trust.onChange(() => heard.push(trust.stateOf('/work/a')))
  expect(trust.stateOf('/work/a')).toBe('unasked')
  expect(await trust.answer('/work/a', true)).toMatchObject({ ok: true })
  expect(['/work/a', '/work/a/b/c', '/work', '/work/ab', '/'].map((path) => trust.mayRun(path))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  await trust.answer('/work/a', false)
  expect(trust.mayRun('/work/a/b')).toBe(false)
  expect(heard).toEqual(['trusted', 'declined'])
  expect(trust.trusted).toEqual([])
})

test('an answer is kept for the next start, for the owner alone', async () => {
  const trust = new FolderTrust(directory)
  await Promise.all([trust.answer('/yes', true), trust.answer('/no', false), trust.answer('/', true)])
  await trust.answer('/', false)
  const next = new FolderTrust(directory)
  expect(['/yes', '/no', '/other'].map((path) => next.stateOf(path))).toEqual([
    'trusted',
    'declined',
    'unasked',
  ])
  expect(next.problem).toBeNull()
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('the app’s own folders need no answer and are none', () => {
  const trust = new FolderTrust(directory, ['/data/sample'])
  expect(trust.mayRun('/data/sample')).toBe(true)
  expect(trust.mayRun('/data')).toBe(false)
  expect(trust.trusted).toEqual([])
})

test('of a damaged file nothing is trusted; it is set aside and told', () => {
  writeFileSync(file(), '{"version":1,"folders":[{"path":"/work","mayRun":"yes"}]}')
  const trust = new FolderTrust(directory)
  expect(trust.mayRun('/work')).toBe(false)
  expect(trust.problem).toMatch(/^The list of trusted folders couldn’t be read/)
  expect(readdirSync(directory)).toHaveLength(1)
})

test('what the disk refuses to keep holds at once all the same, and is told', async () => {
  const trust = new FolderTrust(directory)
  await trust.answer('/work', true)
  rmSync(file())
  mkdirSync(file())
  const done = await trust.answer('/work', false)
  expect(done.ok ? '' : done.failure.message).toMatch(/^This holds only until Greenlight ends\. /)
  expect(trust.mayRun('/work')).toBe(false)
})

test('only so many answers are kept; what is forgotten may not run', async () => {
  const folders = Array.from({ length: 1000 }, (_, at) => ({ path: `/work/${at}`, mayRun: true }))
  writeFileSync(file(), JSON.stringify({ version: 1, folders }))
  const trust = new FolderTrust(directory)
  await trust.answer('/work/1000', true)
  expect(trust.stateOf('/work/0')).toBe('unasked')
  expect(trust.mayRun('/work/1000')).toBe(true)
  expect((JSON.parse(readFileSync(file(), 'utf8')) as { folders: unknown[] }).folders).toHaveLength(1000)
})

test('whatever is answered in whatever order, a folder may run if it or one above it was trusted last', () => {
  const part = fc.constantFrom('a', 'ab', 'b')
  const folder = fc.array(part, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(folder, fc.boolean())), folder, (answers, asked) => {
      const trust = new FolderTrust('/dev/null/none')
      const last = new Map<string, boolean>()
      for (const [path, mayRun] of answers) {
        void trust.answer(path, mayRun)
        last.set(path, mayRun)
      }
      const parts = asked.split('/').filter(Boolean)
      const above = [...parts.keys(), parts.length].map((at) => `/${parts.slice(0, at).join('/')}`)
      expect(trust.mayRun(asked)).toBe(above.some((path) => last.get(path) === true))
    }),
  )
})
