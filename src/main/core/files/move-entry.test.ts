import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  copyEntry,
  copyInto,
  copyWhole,
  createEntry,
  moveEntry,
  removeCopied,
  removeEntry,
} from './move-entry'

let folder: string
const at = (...names: string[]) => join(folder, ...names)
const codeOf = (result: { ok: boolean; failure?: { code: string } }) =>
  result.ok ? 'ok' : result.failure?.code

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-move-')))
  writeFileSync(at('a.txt'), 'a')
  mkdirSync(at('lib', 'deep'), { recursive: true })
  writeFileSync(at('lib', 'deep', 'b.txt'), 'b')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('createEntry', () => {
  it('makes files and folders, and never over anything', async () => {
    expect(await createEntry(at('new.txt'), 'file')).toEqual({ ok: true, value: at('new.txt') })
    expect(await createEntry(at('more', 'deep'), 'folder', { parents: true })).toMatchObject({ ok: true })
    expect(statSync(at('more', 'deep')).isDirectory()).toBe(true)
    expect(codeOf(await createEntry(at('a.txt'), 'file'))).toBe('taken')
    expect(codeOf(await createEntry(at('lib'), 'folder'))).toBe('taken')
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a')
    symlinkSync('nowhere', at('dangling'))
    expect(codeOf(await createEntry(at('dangling'), 'file'))).toBe('taken')
    expect(codeOf(await createEntry(at('missing', 'x'), 'file'))).toBe('absent')
  })
})

describe('moveEntry', () => {
  it('moves files, folders and links as they are', async () => {
    symlinkSync('a.txt', at('link'))
    symlinkSync('loop', at('loop'))
    expect(codeOf(await moveEntry(at('a.txt'), at('lib', 'c.txt')))).toBe('ok')
    expect(codeOf(await moveEntry(at('link'), at('lib', 'link')))).toBe('ok')
    expect(codeOf(await moveEntry(at('loop'), at('loop2')))).toBe('ok')
    expect(codeOf(await moveEntry(at('lib'), at('library')))).toBe('ok')
    expect(readdirSync(folder).sort()).toEqual(['library', 'loop2'])
    expect(readlinkSync(at('library', 'link'))).toBe('a.txt')
    expect(readFileSync(at('library', 'c.txt'), 'utf8')).toBe('a')
    expect(statSync(at('library', 'c.txt')).nlink).toBe(1)
  })

  it('never takes the place of anything, not of an empty folder or a dangling link either', async () => {
    mkdirSync(at('empty'))
    symlinkSync('nowhere', at('dangling'))
    linkSync(at('a.txt'), at('same'))
    for (const name of ['empty', 'dangling', 'lib', 'same']) {
      expect(codeOf(await moveEntry(at('a.txt'), at(name))), name).toBe('taken')
      expect(codeOf(await moveEntry(at('lib', 'deep'), at(name))), name).toBe('taken')
    }
    expect(existsSync(at('a.txt'))).toBe(true)
    expect(existsSync(at('same'))).toBe(true)
    expect(lstatSync(at('dangling')).isSymbolicLink()).toBe(true)
  })

  it('refuses to put a folder into itself, and says what is gone', async () => {
    expect(codeOf(await moveEntry(at('lib'), at('lib', 'deep', 'lib')))).toBe('failed')
    expect(codeOf(await moveEntry(at('nothing'), at('x')))).toBe('absent')
    expect(codeOf(await moveEntry(at('a.txt'), at('no', 'such', 'folder')))).toBe('absent')
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('a')
  })

  it('reaches another file system by copying, with nothing left behind', async (context) => {
    context.skip(
      process.platform !== 'linux' || !existsSync('/dev/shm'),
      'needs a second file system: /dev/shm',
    )
    const other = mkdtempSync('/dev/shm/greenlight-move-')
    try {
      symlinkSync('deep/b.txt', at('lib', 'link'))
      chmodSync(at('lib', 'deep'), 0o500)
      expect(codeOf(await moveEntry(at('lib'), join(other, 'lib')))).toBe('ok')
      expect(readFileSync(join(other, 'lib', 'link'), 'utf8')).toBe('b')
      expect(statSync(join(other, 'lib', 'deep')).mode & 0o777).toBe(0o500)
      expect(existsSync(at('lib'))).toBe(false)
      expect(readdirSync(other)).toEqual(['lib'])
      writeFileSync(join(other, 'a.txt'), 'theirs')
      expect(codeOf(await moveEntry(at('a.txt'), join(other, 'a.txt')))).toBe('taken')
      expect(readFileSync(join(other, 'a.txt'), 'utf8')).toBe('theirs')
      expect(readFileSync(at('a.txt'), 'utf8')).toBe('a')
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })
})

describe('copies', () => {
  it('keep content, permissions, times and links', async () => {
    chmodSync(at('a.txt'), 0o750)
    utimesSync(at('a.txt'), 1_000_000_000, 1_000_000_000)
    symlinkSync('../a.txt', at('lib', 'link'))
    expect(codeOf(await copyEntry(at('a.txt'), at('c.txt')))).toBe('ok')
    expect(statSync(at('c.txt'))).toMatchObject({ mtimeMs: 1_000_000_000_000 })
    expect(statSync(at('c.txt')).mode & 0o777).toBe(0o750)
    expect(codeOf(await copyEntry(at('lib'), at('copy')))).toBe('ok')
    expect(readlinkSync(at('copy', 'link'))).toBe('../a.txt')
    expect(readFileSync(at('copy', 'deep', 'b.txt'), 'utf8')).toBe('b')
    expect(codeOf(await copyEntry(at('a.txt'), at('c.txt')))).toBe('taken')
    expect(codeOf(await copyEntry(at('lib'), at('lib', 'lib')))).toBe('failed')
  })

  it('find a name of their own beside others', async () => {
    const names = []
    for (let round = 0; round < 3; round++) {
      const copied = await copyInto(at('a.txt'), folder)
      names.push(copied.ok ? copied.value : copied.failure.message)
    }
    expect(names).toEqual([at('a copy.txt'), at('a copy 2.txt'), at('a copy 3.txt')])
    expect(await copyInto(at('a.txt'), at('lib'))).toEqual({ ok: true, value: at('lib', 'a.txt') })
    expect(codeOf(await copyInto(at('gone'), folder))).toBe('absent')
  })

  it('refuse what is no file, and leave nothing half done', async (context) => {
    context.skip(process.platform === 'win32', 'not on Windows')
    execFileSync('mkfifo', [at('lib', 'pipe')])
    expect(codeOf(await copyEntry(at('lib'), at('copy')))).toBe('not-a-file')
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'lib'])
  })
})

describe('removeCopied', () => {
  it('removes what looks as it did before it was copied', async () => {
    symlinkSync('a.txt', at('lib', 'link'))
    const copied = new Map<string, string>()
    expect(codeOf(await copyWhole(at('lib'), at('copy'), copied))).toBe('ok')
    expect(codeOf(await removeCopied(at('lib'), copied))).toBe('ok')
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'copy'])
  })

  it.each([
    ['written', () => writeFileSync(at('lib', 'deep', 'b.txt'), 'newer')],
    ['added', () => writeFileSync(at('lib', 'deep', 'c.txt'), 'new')],
    ['made', () => mkdirSync(at('lib', 'other'))],
    ['taken away', () => renameSync(at('lib', 'deep'), at('lib', 'away'))],
  ])('removes nothing where something was %s meanwhile', async (_what, change) => {
    writeFileSync(at('lib', 'other.txt'), 'o')
    const copied = new Map<string, string>()
    await copyWhole(at('lib'), at('copy'), copied)
    change()
    const before = readdirSync(at('lib'), { recursive: true, encoding: 'utf8' }).sort()
    expect(codeOf(await removeCopied(at('lib'), copied))).toBe('failed')
    expect(readdirSync(at('lib'), { recursive: true, encoding: 'utf8' }).sort()).toEqual(before)
  })
})

describe('removeEntry', () => {
  it('removes a link and not what it leads to', async () => {
    symlinkSync('lib', at('link'))
    expect(codeOf(await removeEntry(at('link')))).toBe('ok')
    expect(existsSync(at('lib', 'deep', 'b.txt'))).toBe(true)
    expect(codeOf(await removeEntry(at('lib')))).toBe('ok')
    expect(codeOf(await removeEntry(at('lib')))).toBe('absent')
  })
})
