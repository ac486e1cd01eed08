import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listDirectory } from './list-directory'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'list-')))
})
afterEach(() => rm(folder, { recursive: true }))

async function names(limit?: number): Promise<string[]> {
  const result = await listDirectory(folder, limit === undefined ? {} : { limit })
  if (!result.ok) throw new Error(result.failure.message)
  return result.value.entries.map((entry) => entry.name)
}

test('folders first, then names as people count them', async () => {
  for (const name of ['file10', 'file2', 'B', 'a', '.hidden', 'Zebra', 'éclair'])
    await writeFile(join(folder, name), '')
  for (const name of ['src', 'Docs']) await mkdir(join(folder, name))
  expect(await names()).toEqual(['Docs', 'src', '.hidden', 'a', 'B', 'éclair', 'file2', 'file10', 'Zebra'])
})

test('a link tells what it leads to', async () => {
  await mkdir(join(folder, 'real'))
  await symlink('real', join(folder, 'to-folder'))
  await symlink('nowhere', join(folder, 'to-nothing'))
  await symlink('circle', join(folder, 'circle'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const result = await listDirectory(folder)
  expect(
    result.ok && Object.fromEntries(result.value.entries.map((e) => [e.name, `${e.kind} ${e.symlink}`])),
  ).toEqual({
    real: 'folder false',
    'to-folder': 'folder true',
    'to-nothing': 'other true',
    circle: 'other true',
    pipe: 'other false',
  })
})

test('our own temporary files are left out', async () => {
  await writeFile(join(folder, '.greenlight-0123456789abcdef.tmp'), '')
  await writeFile(join(folder, '.greenlight-notes.tmp'), '')
  expect(await names()).toEqual(['.greenlight-notes.tmp'])
})

test('a huge folder is cut, folders kept, and says so', async () => {
  await mkdir(join(folder, 'zzz'))
  for (let i = 0; i < 50; i++) await writeFile(join(folder, `f${i}`), '')
  expect(await listDirectory(folder, { limit: 10 })).toMatchObject({ value: { truncated: true } })
  expect((await names(10)).slice(0, 3)).toEqual(['zzz', 'f0', 'f1'])
})

test('the first names of many are told before the others have their places', async () => {
  for (let i = 40; i > 0; i--) await writeFile(join(folder, `f${i}`), '')
  await writeFile(join(folder, 'left out'), '')
  await mkdir(join(folder, 'zzz'))
  const heads: unknown[] = []
  const keep = (entry: { name: string }) => entry.name !== 'left out'
  const listed = await listDirectory(folder, {
    keep,
    head: {
      size: 3,
      tell: ({ entries, total }) => heads.push([entries.map(({ name }) => name), total]),
    },
  })
  const whole = listed.ok ? listed.value.entries.map(({ name }) => name) : []
  expect(whole).toEqual(['zzz', ...Array.from({ length: 40 }, (_, index) => `f${index + 1}`)])
  expect(heads).toEqual([[whole.slice(0, 3), 41]])
  // Where the head would be all of it, it is not told apart.
  await listDirectory(folder, { keep, head: { size: 41, tell: () => heads.push('again') } })
  expect(heads).toHaveLength(1)
})

test('what is no folder, or is not there, is a failure with a sentence', async () => {
  await writeFile(join(folder, 'file'), '')
  expect(await listDirectory(join(folder, 'file'))).toMatchObject({ failure: { code: 'not-a-file' } })
  expect(await listDirectory(join(folder, 'none'))).toMatchObject({ failure: { code: 'absent' } })
})
