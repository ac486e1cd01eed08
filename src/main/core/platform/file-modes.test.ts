import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isForeign, isReadOnly, isWritableFolder, permissionsOf } from './file-modes'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-modes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a replacement keeps permissions and the special bits, not the kind of the file', () => {
  expect(permissionsOf(0o100644)).toBe(0o644)
  expect(permissionsOf(0o104755)).toBe(0o4755)
  expect(permissionsOf(0o041777)).toBe(0o1777)
})

test('a file without any write permission is read-only, whoever asks', async () => {
  const path = join(folder, 'a.txt')
  await writeFile(path, 'text')
  expect(await isReadOnly(path, (await stat(path)).mode)).toBe(false)
  // Windows has the one attribute, and Node shows it in these bits.
  await chmod(path, 0o444)
  expect(await isReadOnly(path, (await stat(path)).mode)).toBe(true)
  await chmod(path, 0o644)
  expect(await isReadOnly(join(folder, 'gone.txt'), 0o100644)).toBe(true)
})

test('files are made in a folder that is there', async () => {
  expect(await isWritableFolder(folder)).toBe(true)
  expect(await isWritableFolder(join(folder, 'gone'))).toBe(false)
})

test('what another user owns is foreign; on Windows nothing is', async ({ skip }) => {
  const own = (await stat(folder)).uid
  expect(isForeign(own)).toBe(false)
  skip(process.getuid === undefined, 'Windows knows no such owners')
  expect(isForeign(own + 1)).toBe(true)
})
