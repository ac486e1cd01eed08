import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashContent } from './content-hash'
import { hashFile, readFile, type PresentFile } from './read-file'
import { resolveRealPath } from './real-path'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'read-')))
})
afterEach(() => rm(folder, { recursive: true }))

async function present(path: string): Promise<PresentFile> {
  const result = await readFile(path)
  if (!result.ok || result.value.kind !== 'file') throw new Error('not there')
  return result.value
}

test('a text file is told with text, facts and hash', async () => {
  const path = join(folder, 'a.txt')
  await writeFile(path, 'a\r\nb\r\n')
  const file = await present(path)
  expect(file).toMatchObject({
    realPath: path,
    size: 6,
    readOnly: false,
    hash: hashContent('a\r\nb\r\n'),
  })
  expect(file.content).toMatchObject({
    kind: 'text',
    text: 'a\nb\n',
    facts: { eol: 'crlf' },
  })
})

test('an empty file is a text', async () => {
  await writeFile(join(folder, 'empty'), '')
  expect((await present(join(folder, 'empty'))).content).toMatchObject({ kind: 'text', text: '' })
})

test('bytes that are no text are binary', async () => {
  await writeFile(join(folder, 'a.bin'), Buffer.from([0x89, 0x50, 0, 0xff]))
  expect((await present(join(folder, 'a.bin'))).content).toEqual({ kind: 'binary', size: 4 })
})

test('a missing file is absent, with the path it would have', async () => {
  await symlink(folder, join(folder, 'link'))
  expect(await readFile(join(folder, 'link', 'no', 'file'))).toEqual({
    ok: true,
    value: { kind: 'absent', realPath: join(folder, 'no', 'file') },
  })
})

test('a link is followed, and the real path told', async () => {
  await writeFile(join(folder, 'real'), 'x')
  await symlink('real', join(folder, 'link'))
  expect((await present(join(folder, 'link'))).realPath).toBe(join(folder, 'real'))
})

test('a link that leads nowhere is absent where it leads', async () => {
  await symlink('nowhere', join(folder, 'link'))
  expect(await resolveRealPath(join(folder, 'link'))).toBe(join(folder, 'nowhere'))
  expect(await readFile(join(folder, 'link'))).toMatchObject({ value: { kind: 'absent' } })
})

test('links in a circle are a failure, not a hang', async () => {
  await symlink('two', join(folder, 'one'))
  await symlink('one', join(folder, 'two'))
  expect(await readFile(join(folder, 'one'))).toMatchObject({ ok: false, failure: { code: 'failed' } })
})

test('a folder, a pipe and a device are refused', async () => {
  await mkdir(join(folder, 'sub'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const path of [join(folder, 'sub'), join(folder, 'pipe'), '/dev/zero']) {
    expect(await readFile(path)).toMatchObject({ ok: false, failure: { code: 'not-a-file' } })
    expect(await hashFile(path)).toMatchObject({ ok: false, failure: { code: 'not-a-file' } })
  }
})

test('a file over the limit is refused, one at the limit is read', async () => {
  await writeFile(join(folder, 'a'), '12345')
  expect(await readFile(join(folder, 'a'), { maxBytes: 4 })).toMatchObject({ failure: { code: 'too-large' } })
  expect(await readFile(join(folder, 'a'), { maxBytes: 5 })).toMatchObject({ value: { size: 5 } })
})

test('a file without write permission is read-only, for root too', async () => {
  await writeFile(join(folder, 'a'), 'x', { mode: 0o444 })
  expect((await present(join(folder, 'a'))).readOnly).toBe(true)
})

test('the hash of a large file is that of its bytes; of none, null', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, 'abc')
  await writeFile(join(folder, 'big'), bytes)
  expect(await hashFile(join(folder, 'big'))).toEqual({ ok: true, value: hashContent(bytes) })
  expect(await hashFile(join(folder, 'none'))).toEqual({ ok: true, value: null })
})
