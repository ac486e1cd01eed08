import { mkdir, mkdtemp, readdir, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Text } from '@codemirror/state'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseText } from '../../../shared/text/text-facts'
import { type Unsaved, backupName } from './backup-file'
import { Backups } from './backups'

let folder: string
const opened: Backups[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'))
})
afterEach(async () => {
  for (const backups of opened.splice(0)) {
    await backups.flush()
    backups.dispose()
  }
  await rm(folder, { recursive: true })
})

async function open(delay = 10): Promise<Backups> {
  const backups = await Backups.open(join(folder, 'unsaved'), { delay })
  opened.push(backups)
  return backups
}

function unsaved(path: string, base: string, text: string): Unsaved {
  return {
    path,
    base: Text.of(base.split('\n')),
    baseHash: `hash of ${base}`,
    facts: parseText('a\r\n').facts,
    text: Text.of(text.split('\n')),
  }
}

test('what was kept is there after a crash', async () => {
  const backups = await open()
  const kept = unsaved('/a', 'one\ntwo\n', 'one\nTWO\ud83d\nthree')
  backups.keep('/a', () => kept)
  await backups.flush()
  const next = await open()
  expect(next.paths).toEqual(['/a'])
  expect(await next.read('/a')).toEqual({ ...kept, format: {} })
  expect(await next.read('/b')).toBeUndefined()
})

test('it is written by itself, a moment after', async () => {
  const backups = await open()
  const written = new Promise<void>((resolve) => {
    backups.keep('/a', () => {
      resolve()
      return unsaved('/a', 'x', 'y')
    })
  })
  await written
  await backups.flush()
  expect(await (await open()).read('/a')).toMatchObject({ path: '/a' })
})

test('many changes are one write, of the newest text, also over another base', async () => {
  const backups = await open(10_000)
  let asked = 0
  for (const text of ['1', '2', '3']) {
    backups.keep('/a', () => {
      asked++
      return unsaved('/a', 'x', text)
    })
  }
  await backups.flush()
  expect(asked).toBe(1)
  backups.keep('/a', () => unsaved('/a', 'new base', 'new text'))
  await backups.flush()
  const found = await (await open()).read('/a')
  expect([found?.base.toString(), found?.text.toString()]).toEqual(['new base', 'new text'])
})

test('a backup that waits is found by who reads', async () => {
  const backups = await open(10_000)
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  expect((await backups.read('/a'))?.text.toString()).toBe('y')
})

test('dropped is gone, whether it waited or was written', async () => {
  const backups = await open()
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  backups.keep('/b', () => unsaved('/b', 'x', 'y'))
  backups.drop('/a')
  await backups.flush()
  expect(backups.paths).toEqual(['/b'])
  backups.drop('/b')
  await backups.flush()
  expect(await readdir(join(folder, 'unsaved'))).toEqual([])
  expect((await open()).paths).toEqual([])
})

test('nothing left to keep by the time of writing drops what was kept', async () => {
  const backups = await open()
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  await backups.flush()
  backups.keep('/a', () => undefined)
  await backups.flush()
  expect(await readdir(join(folder, 'unsaved'))).toEqual([])
})

test('a damaged backup is passed over, the others are found', async () => {
  const backups = await open()
  for (const path of ['/a', '/b']) backups.keep(path, () => unsaved(path, 'x', 'y'))
  await backups.flush()
  const [first = ''] = (await readdir(join(folder, 'unsaved'))).filter((name) => name.endsWith('.log'))
  await truncate(join(folder, 'unsaved', first), 20)
  expect((await open()).paths).toHaveLength(1)
})

test('unsaved text is for its owner alone', async () => {
  const backups = await open()
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  await backups.flush()
  for (const name of await readdir(join(folder, 'unsaved'))) {
    expect((await stat(join(folder, 'unsaved', name))).mode & 0o077).toBe(0)
  }
})

test('a backup that cannot be written is told', async () => {
  const backups = await open()
  const failures: string[] = []
  backups.onFailure(({ message }) => failures.push(message))
  await rm(join(folder, 'unsaved'), { recursive: true })
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  await backups.flush()
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('/a')
})

/** Puts a folder where a backup's file is, which can't be removed as a file. */
async function block(ending: string): Promise<string> {
  const file = join(folder, 'unsaved', `${backupName('/a')}.${ending}`)
  await rm(file)
  await mkdir(file)
  return file
}

test('a backup that cannot be removed is told, and what is typed later is backed up', async () => {
  const backups = await open()
  const failures: string[] = []
  backups.onFailure(({ message }) => failures.push(message))
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  await backups.flush()
  const log = await block('log')
  backups.drop('/a')
  await backups.flush()
  expect(failures).toEqual([expect.stringContaining('/a')])
  await rmdir(log)
  backups.keep('/a', () => unsaved('/a', 'x', 'z'))
  await backups.flush()
  expect((await (await open()).read('/a'))?.text.toString()).toBe('z')
})

test('a copy that cannot be removed stops neither later backups nor the next start', async () => {
  const backups = await open()
  backups.keep('/a', () => unsaved('/a', 'x', 'y'))
  await backups.flush()
  await block('1.copy')
  backups.drop('/a')
  await backups.flush()
  expect((await open()).paths).toEqual([])
  backups.keep('/a', () => unsaved('/a', 'x', 'z'))
  await backups.flush()
  expect((await (await open()).read('/a'))?.text.toString()).toBe('z')
})

test('a damaged backup that cannot be set aside stays where it is, and is told', async () => {
  const first = await open()
  first.keep('/a', () => unsaved('/a', 'x', 'y'))
  await first.flush()
  const backups = await open()
  const failures: string[] = []
  backups.onFailure(({ message }) => failures.push(message))
  await writeFile(join(folder, 'unreadable-unsaved'), '')
  const log = join(folder, 'unsaved', `${backupName('/a')}.log`)
  await truncate(log, 20)
  expect(await backups.read('/a')).toBeUndefined()
  expect(failures).toEqual([expect.stringContaining(join(folder, 'unsaved'))])
  backups.keep('/a', () => unsaved('/a', 'x', 'z'))
  await backups.flush()
  backups.drop('/a')
  await backups.flush()
  expect((await stat(log)).size).toBe(20)
})
