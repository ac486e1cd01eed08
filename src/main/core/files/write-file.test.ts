import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fail } from '../../../shared/result'
import { isTemporaryName, retryDelay } from '../platform/atomic-replace'
import { writeFileAtomically } from './write-file'

let folder: string
let path: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'write-')))
  path = join(folder, 'file.txt')
})
afterEach(() => rm(folder, { recursive: true }))

const root = process.getuid?.() === 0
const text = (content: string) => new Uint8Array(Buffer.from(content))
const contentOf = (file: string) => readFile(file, 'utf8')

test('a new file gets the content and nothing else appears', async () => {
  expect(await writeFileAtomically(path, text('new'))).toEqual({
    ok: true,
    value: { realPath: path, how: 'replaced' },
  })
  expect(await contentOf(path)).toBe('new')
  expect(await readdir(folder)).toEqual(['file.txt'])
})

test('an existing file is replaced and keeps its permissions', async () => {
  await writeFile(path, 'old')
  await chmod(path, 0o754)
  const before = await stat(path)
  await writeFileAtomically(path, text('new'), { mode: 0o600 })
  const after = await stat(path)
  expect(await contentOf(path)).toBe('new')
  expect(after.mode).toBe(before.mode)
  expect(after.ino).not.toBe(before.ino)
})

test('a new file gets the mode asked for, whatever the umask', async () => {
  await writeFileAtomically(path, text('x'), { mode: 0o666 })
  expect((await stat(path)).mode & 0o777).toBe(0o666)
})

test('a link stays a link; the file it leads to is written', async () => {
  await writeFile(path, 'old')
  await symlink('file.txt', join(folder, 'link'))
  await writeFileAtomically(join(folder, 'link'), text('new'))
  expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true)
  expect(await contentOf(path)).toBe('new')
})

test('a link that leads nowhere makes the file it leads to', async () => {
  await symlink('made', join(folder, 'link'))
  await writeFileAtomically(join(folder, 'link'), text('new'))
  expect(await contentOf(join(folder, 'made'))).toBe('new')
})

test('hard links stay one file', async () => {
  await writeFile(path, 'a longer old content')
  await link(path, join(folder, 'twin'))
  const result = await writeFileAtomically(path, text('new'), { backupFolder: join(folder, 'backups') })
  expect(result).toMatchObject({ value: { how: 'in-place' } })
  expect(await contentOf(join(folder, 'twin'))).toBe('new')
  expect(await readdir(join(folder, 'backups'))).toEqual([])
})

test('what is written in place is kept meanwhile where only its owner can read it', async (context) => {
  context.skip(process.platform === 'win32', 'Windows has no such modes')
  await writeFile(path, 'old', { mode: 0o644 })
  await link(path, join(folder, 'twin'))
  const backupFolder = join(folder, 'backups')
  const usual = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    for (const options of [{ backupFolder }, {}]) {
      const seen: unknown[] = []
      const guard = async () => {
        const [own = ''] = (await readdir(folder)).filter((name) => name.startsWith('greenlight-'))
        const kept = 'backupFolder' in options ? backupFolder : join(folder, own)
        const [name = ''] = await readdir(kept)
        const modes = [(await stat(kept)).mode & 0o777, (await stat(join(kept, name))).mode & 0o777]
        seen.push(modes, await contentOf(join(kept, name)))
        return { ok: true as const, value: undefined }
      }
      expect(await writeFileAtomically(path, text('new'), { ...options, guard })).toMatchObject({ ok: true })
      expect(seen).toEqual([[0o700, 0o600], 'old'])
      expect((await stat(path)).mode & 0o777).toBe(0o644)
      await writeFile(path, 'old')
    }
    expect(await readdir(backupFolder)).toEqual([])
    expect((await readdir(folder)).sort()).toEqual(['backups', 'file.txt', 'twin'])
  } finally {
    if (usual === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = usual
  }
})

test('what cannot be written and not be put back is named with its former content', async () => {
  await writeFile(path, 'old')
  await link(path, join(folder, 'twin'))
  const backupFolder = join(folder, 'backups')
  const guard = async () => {
    await rename(path, join(folder, 'away'))
    await mkdir(path)
    return { ok: true as const, value: undefined }
  }
  const result = await writeFileAtomically(path, text('new'), { backupFolder, guard })
  const [name = ''] = await readdir(backupFolder)
  expect(result).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining(join(backupFolder, name)) as string },
  })
  expect(await contentOf(join(backupFolder, name))).toBe('old')
})

test('the group of a file stays, with its permissions', async (context) => {
  context.skip(!root, 'needs root to give a file to any group')
  await writeFile(path, 'old')
  await chown(path, 0, 12345)
  await chmod(path, 0o2664)
  expect(await writeFileAtomically(path, text('new'), { keepsAttributes: true })).toMatchObject({ ok: true })
  const { gid, mode } = await stat(path)
  expect([gid, mode & 0o7777]).toEqual([12345, 0o2664])
  expect(await contentOf(path)).toBe('new')
})

test('extended attributes and the ACL of a file stay', async (context) => {
  // A note, and an ACL that lets account 1000 write.
  const script = `
import os, struct, sys
entry = lambda tag, permissions, id=0xffffffff: struct.pack('<HHI', tag, permissions, id)
acl = struct.pack('<I', 2) + entry(1, 6) + entry(2, 6, 1000) + entry(4, 4) + entry(16, 6) + entry(32, 4)
if sys.argv[2] == 'set':
    os.setxattr(sys.argv[1], 'user.note', b'kept')
    os.setxattr(sys.argv[1], 'system.posix_acl_access', acl)
print(os.getxattr(sys.argv[1], 'user.note'), os.getxattr(sys.argv[1], 'system.posix_acl_access') == acl)`
  const python = (action: string) => execFileSync('python3', ['-c', script, path, action], { stdio: 'pipe' })
  await writeFile(path, 'old')
  let set = ''
  try {
    set = python('set').toString()
  } catch {
    context.skip('needs Python, and a file system with attributes')
  }
  const before = (await stat(path)).mtimeMs
  expect(await writeFileAtomically(path, text('new'), { keepsAttributes: true })).toMatchObject({ ok: true })
  expect(python('get').toString()).toBe(set)
  expect(await contentOf(path)).toBe('new')
  expect((await stat(path)).mtimeMs).toBeGreaterThan(before)
})

test('a file of another owner keeps its owner', async (context) => {
  context.skip(!root, 'needs root to give a file away')
  await writeFile(path, 'old')
  await chown(path, 12345, 12345)
  expect(await writeFileAtomically(path, text('new'))).toMatchObject({ value: { how: 'in-place' } })
  expect(await stat(path)).toMatchObject({ uid: 12345, gid: 12345 })
  expect(await contentOf(path)).toBe('new')
})

test('a read-only file is refused and stays', async () => {
  await writeFile(path, 'old', { mode: 0o444 })
  expect(await writeFileAtomically(path, text('new'))).toMatchObject({ failure: { code: 'read-only' } })
  expect(await contentOf(path)).toBe('old')
})

test('a folder in the way is refused', async () => {
  await mkdir(path)
  expect(await writeFileAtomically(path, text('new'))).toMatchObject({ failure: { code: 'not-a-file' } })
})

test('missing folders are made only when asked', async () => {
  const deep = join(folder, 'a', 'b', 'c.txt')
  expect(await writeFileAtomically(deep, text('x'))).toMatchObject({ failure: { code: 'absent' } })
  expect(await writeFileAtomically(deep, text('x'), { createParents: true })).toMatchObject({ ok: true })
  expect(await contentOf(deep)).toBe('x')
})

test('a guard that refuses leaves the old content and no temporary file, in both ways of writing', async () => {
  await writeFile(path, 'old')
  await writeFile(join(folder, 'linked'), 'old')
  await link(join(folder, 'linked'), join(folder, 'twin'))
  const backupFolder = join(folder, 'backups')
  for (const file of [path, join(folder, 'linked')]) {
    const result = await writeFileAtomically(file, text('new'), {
      backupFolder,
      guard: () => Promise.resolve(fail('failed', 'No.')),
    })
    expect(result).toEqual(fail('failed', 'No.'))
    expect(await contentOf(file)).toBe('old')
  }
  expect(await readdir(backupFolder)).toEqual([])
  expect((await readdir(folder)).filter(isTemporaryName)).toEqual([])
})

test('an exclusive write does not take the place of a file that appears at the last moment', async () => {
  const guard = async () => {
    await writeFile(path, 'theirs')
    return { ok: true as const, value: undefined }
  }
  expect(await writeFileAtomically(path, text('ours'), { exclusive: true, guard })).toMatchObject({
    ok: false,
  })
  expect(await contentOf(path)).toBe('theirs')
  expect(await readdir(folder)).toEqual(['file.txt'])
})

test('a failed write leaves no temporary file', async () => {
  await writeFile(path, 'old')
  const result = await writeFileAtomically(path, text('new'), {
    guard: async () => {
      await rm(path)
      await mkdir(join(path, 'in the way'), { recursive: true })
      return { ok: true, value: undefined }
    },
  })
  expect(result.ok).toBe(false)
  expect(await readdir(folder)).toEqual(['file.txt'])
})

test('a reader sees either the old or the new content, never a part', async () => {
  const contents = ['a', 'b'].map((letter) => letter.repeat(300_000))
  await writeFile(path, contents[0] ?? '')
  let writing = true
  const writes = (async () => {
    for (let i = 0; i < 20; i++) await writeFileAtomically(path, text(contents[i % 2] ?? ''))
    writing = false
  })()
  while (writing) expect(contents).toContain(await contentOf(path))
  await writes
})

test('a refused rename is tried again on Windows only, and not for ever', () => {
  expect(retryDelay(0, 'EPERM', 'linux')).toBeUndefined()
  expect(retryDelay(0, 'ENOSPC', 'win32')).toBeUndefined()
  const delays: number[] = []
  for (let delay = retryDelay(0, 'EBUSY', 'win32'); delay !== undefined;) {
    delays.push(delay)
    delay = retryDelay(delays.length, 'EBUSY', 'win32')
  }
  expect(delays[0]).toBeLessThanOrEqual(20)
  const total = delays.reduce((sum, delay) => sum + delay, 0)
  expect(total).toBeGreaterThan(1000)
  expect(total).toBeLessThan(3000)
})
