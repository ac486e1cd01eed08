import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileAtomically } from './write-file'
import { failureOf } from './file-failure'
import { listDirectory } from './list-directory'
import { readFile } from './read-file'

const thrown = (code: string) => Object.assign(new Error(`${code}: at /secret/stack`), { code })

test.each([
  ['ENOENT', 'absent', 'Can’t write /a: it doesn’t exist. Check the path.'],
  ['ENOTDIR', 'absent', 'Can’t write /a: it doesn’t exist. Check the path.'],
  ['EACCES', 'no-access', 'Can’t write /a: permission denied. Change its permissions and try again.'],
  ['EPERM', 'no-access', 'Can’t write /a: permission denied. Change its permissions and try again.'],
  ['EROFS', 'read-only', 'Can’t write /a: the file system is read-only. Choose another place.'],
  ['ENOSPC', 'disk-full', 'Can’t write /a: the disk is full. Free some space and try again.'],
  ['EDQUOT', 'disk-full', 'Can’t write /a: the disk is full. Free some space and try again.'],
  ['EISDIR', 'not-a-file', 'Can’t write /a: it’s a folder. Choose a file.'],
  ['ELOOP', 'failed', 'Can’t write /a: its symbolic links form a loop. Fix the link.'],
  ['ENAMETOOLONG', 'failed', 'Can’t write /a: the name is too long. Choose a shorter one.'],
  ['EIO', 'failed', 'Can’t write /a (EIO). Try again.'],
] as const)('%s is a plain sentence', (code, known, message) => {
  expect(failureOf(thrown(code), 'write', '/a').failure).toEqual({ code: known, message })
})

test('what is no failure of the system is a bug, and thrown', () => {
  const bug = new TypeError('oops')
  expect(() => failureOf(bug, 'write', '/a')).toThrow(bug)
})

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'failures-')))
})
afterEach(() => rm(folder, { recursive: true }))

const sentenceOf = (result: { ok: boolean; failure?: { message: string } }) => result.failure?.message ?? ''

test('a name with a line break or marks of direction neither breaks a sentence nor turns it', async () => {
  const odd = join(folder, 'a\nb\u202etxt')
  await symlink(odd, odd)
  const sentences = [
    sentenceOf(await readFile(odd)),
    sentenceOf(await listDirectory(odd)),
    sentenceOf(await writeFileAtomically(join(odd, 'below'), new Uint8Array())),
  ]
  for (const sentence of sentences) {
    expect(sentence).toContain('a\\nb\\u202etxt')
    expect(sentence).toMatch(/^[^\n\u202e]+\.$/)
  }
  // The file itself is read and written as any other.
  const fine = join(folder, 'c\nd\u202e.txt')
  expect(await writeFileAtomically(fine, Buffer.from('text'))).toMatchObject({ ok: true })
  expect(await readFile(fine)).toMatchObject({ value: { kind: 'file', realPath: fine } })
})

test('a name that is too long, and a way through a file, are told as such', async () => {
  await writeFile(join(folder, 'file'), '')
  const long = join(folder, 'x'.repeat(300))
  expect(sentenceOf(await readFile(long))).toContain('the name is too long')
  expect(sentenceOf(await writeFileAtomically(long, new Uint8Array()))).toContain('the name is too long')
  expect(await listDirectory(join(folder, 'file', 'below'))).toMatchObject({ ok: false })
})
