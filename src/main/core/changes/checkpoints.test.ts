import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Checkpoints } from './checkpoints'

let folder: string
let data: string
let now: number
let reported: unknown[]
let checkpoints: Checkpoints

const many = { sessions: 100, age: 1000, files: 100, contents: { files: 100, bytes: 10_000 } }
const start = (limits = many) => {
  checkpoints = new Checkpoints(data, (error) => reported.push(error), { limits, now: () => now })
}
const at = (name: string) => join(folder, name)
const write = (name: string, text: string) => writeFile(at(name), text)

/** What is known of a session before a prompt, as texts by name. */
async function before(session: string, prompt: string): Promise<Record<string, string | null> | null> {
  const found = await checkpoints.before(session, prompt)
  if (!found) return null
  return Object.fromEntries(
    [...found].map(([path, bytes]) => [
      path.slice(folder.length + 1),
      bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : bytes,
    ]),
  )
}

/** An agent changes a file in a session's present turn. */
async function change(session: string, name: string, text: string | null): Promise<void> {
  await checkpoints.keepPresent(session, at(name))
  if (text === null) await rm(at(name))
  else await write(name, text)
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-checkpoints-')))
  data = join(folder, 'data')
  now = 1
  reported = []
  start()
})

afterEach(async () => {
  await checkpoints.flush()
  await rm(folder, { recursive: true, force: true })
})

it('knows what each file held before the first change since a prompt, also after a restart', async () => {
  await write('a', 'a0')
  await write('c', 'c0')
  await checkpoints.begin('s', 'one')
  await change('s', 'a', 'a1')
  await change('s', 'a', 'a2')
  await checkpoints.begin('s', 'two')
  await change('s', 'b', 'b1')
  await change('s', 'a', 'a3')
  await change('s', 'c', null)
  await checkpoints.begin('s', 'three')
  await change('s', 'b', 'b2')
  for (const restart of [false, true]) {
    if (restart) start()
    expect(await before('s', 'one')).toEqual({ a: 'a0', b: null, c: 'c0' })
    expect(await before('s', 'two')).toEqual({ a: 'a2', b: null, c: 'c0' })
    expect(await before('s', 'three')).toEqual({ b: 'b1' })
    expect(await before('s', 'four')).toBe(null)
    expect(await before('other', 'one')).toBe(null)
  }
  await checkpoints.begin('s', 'four')
  expect(await before('s', 'four')).toEqual({})
  expect(reported).toEqual([])
})

it('takes what is found out later, but never over what was known first', async () => {
  await write('a', 'mine')
  await checkpoints.keepFormer('s', at('a'), null)
  await checkpoints.begin('s', 'one')
  await checkpoints.keepFormer('s', at('a'), Buffer.from('a0'))
  await checkpoints.keepFormer('s', at('a'), Buffer.from('a1'))
  await checkpoints.keepFormer('s', at('b'), null)
  await checkpoints.keepFormer('s', at('c'), 'unknown')
  await checkpoints.begin('s', 'one')
  expect(await before('s', 'one')).toEqual({ a: 'a0', b: null, c: 'unknown' })
})

it('follows links, and knows nothing of folders and of what is too large', async () => {
  await write('a', 'a0')
  await symlink(at('a'), at('link'))
  await writeFile(at('large'), Buffer.alloc(9 * 1024 * 1024))
  await checkpoints.begin('s', 'one')
  for (const name of ['link', 'a', '.', 'large']) await checkpoints.keepPresent('s', at(name))
  expect(await before('s', 'one')).toEqual({ a: 'a0', '': 'unknown', large: 'unknown' })
})

it('goes on in a fork, and leaves the first one as it is', async () => {
  await write('a', 'a0')
  await checkpoints.begin('s', 'one')
  await change('s', 'a', 'a1')
  await checkpoints.copy('s', 'fork')
  await checkpoints.begin('fork', 'two')
  await change('fork', 'a', 'a2')
  for (const restart of [false, true]) {
    if (restart) start()
    expect(await before('fork', 'one')).toEqual({ a: 'a0' })
    expect(await before('fork', 'two')).toEqual({ a: 'a1' })
    expect(await before('s', 'two')).toBe(null)
  }
})

it('is private, bounded, and forgets the oldest session first', async () => {
  start({ ...many, sessions: 3, contents: { files: 100, bytes: 25 } })
  for (const session of ['a', 'b', 'c', 'd']) {
    now++
    await write(session, session.repeat(10))
    await checkpoints.begin(session, 'one')
    await change(session, session, 'x')
  }
  // No more than three sessions, and only two of their contents have room.
  expect(await before('a', 'one')).toBe(null)
  expect(await before('b', 'one')).toBe(null)
  expect(await before('c', 'one')).toEqual({ c: 'c'.repeat(10) })
  expect(await before('d', 'one')).toEqual({ d: 'd'.repeat(10) })
  const kept = join(data, 'checkpoints')
  const files = await readdir(kept, { recursive: true })
  expect(files).toHaveLength(5)
  for (const name of files) {
    const found = await stat(join(kept, name))
    expect(found.mode & 0o777).toBe(found.isDirectory() ? 0o700 : 0o600)
  }
  now += 1001
  start()
  expect(await before('d', 'one')).toBe(null)
  expect(await readdir(kept, { recursive: true })).toEqual(['contents'])
})

it('counts what earlier runs left, and one session alone is not forgotten for more', async () => {
  const limits = { ...many, files: 3, contents: { files: 100, bytes: 25 } }
  start(limits)
  await checkpoints.begin('s', 'one')
  for (const name of ['a', 'b', 'c', 'd']) await write(name, name.repeat(10))
  await change('s', 'a', 'x')
  await change('s', 'b', 'x')
  start(limits)
  await change('s', 'c', 'x')
  await change('s', 'd', 'x')
  expect(await before('s', 'one')).toEqual({ a: 'a'.repeat(10), b: 'b'.repeat(10), c: 'unknown' })
})

it('reads on behind damage, and says when the disk refuses', async () => {
  await write('a', 'a0')
  await checkpoints.begin('s', 'one')
  const [file = ''] = (await readdir(join(data, 'checkpoints'))).filter((name) => name.endsWith('.jsonl'))
  await appendFile(join(data, 'checkpoints', file), '\n{"path": "/x", "bef')
  start()
  await change('s', 'a', 'a1')
  start()
  expect(await before('s', 'one')).toEqual({ a: 'a0' })
  expect(await readFile(join(data, 'checkpoints', file), 'utf8')).toContain('"bef\n')
  await checkpoints.flush()
  await rm(data, { recursive: true })
  await writeFile(data, '')
  await checkpoints.begin('other', 'one')
  expect(reported).not.toEqual([])
})
