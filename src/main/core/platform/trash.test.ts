import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TrashPlace, macTrashCommand, moveToTrash, trashInfo, windowsTrashCommand } from './trash'

let home: string
let place: TrashPlace

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-trash-')))
  place = {
    platform: 'linux',
    env: {},
    home,
    uid: process.getuid?.(),
    now: () => new Date(2026, 10, 5, 7, 8, 9),
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the trash of freedesktop.org', () => {
  beforeEach((context) => context.skip(process.platform === 'win32', 'not on Windows'))

  const trash = (...names: string[]) => join(home, '.local', 'share', 'Trash', ...names)

  it('takes files, folders and links, with a description of each', async () => {
    writeFileSync(join(home, 'a b%.txt'), 'a')
    mkdirSync(join(home, 'lib'))
    writeFileSync(join(home, 'lib', 'x'), 'x')
    symlinkSync('lib', join(home, 'link'))
    for (const name of ['a b%.txt', 'lib', 'link']) {
      expect(await moveToTrash(join(home, name), place), name).toBeNull()
    }
    expect(readdirSync(trash('files')).sort()).toEqual(['a b%.txt', 'lib', 'link'])
    expect(readFileSync(trash('files', 'lib', 'x'), 'utf8')).toBe('x')
    expect(readFileSync(trash('info', 'a b%.txt.trashinfo'), 'utf8')).toBe(
      `[Trash Info]\nPath=${home}/a%20b%25.txt\nDeletionDate=2026-11-05T07:08:09\n`,
    )
    expect(statSync(trash()).mode & 0o777).toBe(0o700)
    expect(readdirSync(home)).toEqual(['.local'])
  })

  it('keeps what is in it already', async () => {
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(join(home, 'a.txt'), text)
      if (text === 'three') rmSync(trash('info', 'a.txt.2.trashinfo'))
      expect(await moveToTrash(join(home, 'a.txt'), place)).toBeNull()
    }
    const texts = readdirSync(trash('files')).map((name) => readFileSync(trash('files', name), 'utf8'))
    expect(texts.sort()).toEqual(['one', 'three', 'two'])
  })

  it('follows XDG_DATA_HOME, and says what is gone', async () => {
    const data = join(home, 'data')
    writeFileSync(join(home, 'a.txt'), '')
    expect(await moveToTrash(join(home, 'a.txt'), { ...place, env: { XDG_DATA_HOME: data } })).toBeNull()
    expect(existsSync(join(data, 'Trash', 'files', 'a.txt'))).toBe(true)
    expect(await moveToTrash(join(home, 'a.txt'), place)).toBe('it is gone')
  })

  it('is on the same file system as what it takes', async (context) => {
    context.skip(!existsSync('/dev/shm'), 'needs a second file system: /dev/shm')
    const other = mkdtempSync('/dev/shm/greenlight-trash-')
    const own = `/dev/shm/.Trash-${process.getuid?.()}`
    const wasThere = existsSync(own)
    try {
      const name = `greenlight-${process.pid}.txt`
      writeFileSync(join(other, name), 'x')
      expect(await moveToTrash(join(other, name), place)).toBeNull()
      const info = join(own, 'info', `${name}.trashinfo`)
      expect(readFileSync(info, 'utf8')).toContain(`Path=${other.slice('/dev/shm/'.length)}/${name}\n`)
      expect(readFileSync(join(own, 'files', name), 'utf8')).toBe('x')
      rmSync(info)
      rmSync(join(own, 'files', name))
    } finally {
      rmSync(other, { recursive: true, force: true })
      if (!wasThere) rmSync(own, { recursive: true, force: true })
    }
  })

  it('leaves in place what it may not take', async (context) => {
    context.skip(process.getuid?.() === 0, 'root may take everything')
    mkdirSync(join(home, 'locked'))
    writeFileSync(join(home, 'locked', 'a.txt'), 'a')
    chmodSync(join(home, 'locked'), 0o500)
    expect(await moveToTrash(join(home, 'locked', 'a.txt'), place)).toBe(
      'there is no permission to move it there',
    )
    expect(readdirSync(trash('info'))).toEqual([])
    chmodSync(join(home, 'locked'), 0o700)
  })

  it('leaves in place what cannot be moved, and no description', async () => {
    writeFileSync(join(home, 'a.txt'), 'a')
    // A file where the folder of the trash would be.
    mkdirSync(join(home, '.local', 'share'), { recursive: true })
    writeFileSync(join(home, '.local', 'share', 'Trash'), '')
    const top = { ...place, uid: 4_000_000 }
    expect(await moveToTrash(join(home, 'a.txt'), top)).not.toBeNull()
    expect(readFileSync(join(home, 'a.txt'), 'utf8')).toBe('a')
    rmSync('/.Trash-4000000', { recursive: true, force: true })
    rmSync(join(tmpdir(), '.Trash-4000000'), { recursive: true, force: true })
  })
})

describe('the other systems', () => {
  it('never make a path a part of a script', () => {
    const path = `/x/"; do shell script "rm" & ' $(rm) .txt`
    const mac = macTrashCommand(path)
    expect(mac.args.at(-1)).toBe(path)
    expect(mac.args.slice(0, -1).join('')).not.toContain('rm')
    const windows = windowsTrashCommand(path, false)
    expect(windows.args.join('')).not.toContain('rm)')
    expect(windows.env).toEqual({ GREENLIGHT_TRASH_PATH: path })
  })

  it('tell folders from files on Windows, and ask the recycle bin only', () => {
    expect(windowsTrashCommand('C:\\a', true).args.at(-1)).toContain('DeleteDirectory(')
    expect(windowsTrashCommand('C:\\a', false).args.at(-1)).toContain('DeleteFile(')
    for (const isFolder of [true, false]) {
      expect(windowsTrashCommand('C:\\a', isFolder).args.at(-1)).toContain("'SendToRecycleBin'")
    }
  })

  it('say that the trash refused where their program fails', async (context) => {
    context.skip(process.platform === 'darwin', 'would ask the real Finder')
    writeFileSync(join(home, 'a.txt'), 'a')
    for (const platform of ['darwin', 'win32'] as const) {
      expect(await moveToTrash(join(home, 'a.txt'), { ...place, platform })).toBe(
        'the system’s trash refused it',
      )
    }
    expect(existsSync(join(home, 'a.txt'))).toBe(true)
  })

  it('writes dates in local time and paths without signs that break the line', () => {
    expect(trashInfo('/a\nb/ü', new Date(2026, 0, 2, 3, 4, 5))).toBe(
      '[Trash Info]\nPath=/a%0Ab/%C3%BC\nDeletionDate=2026-01-02T03:04:05\n',
    )
  })
})

it('a link is never given to the Finder, which would take its target', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  writeFileSync(join(home, 'a.txt'), 'a')
  symlinkSync('a.txt', join(home, 'link'))
  const why = await moveToTrash(join(home, 'link'), { ...place, platform: 'darwin' })
  expect(why).toContain('what the link leads to')
  expect(readdirSync(home)).toEqual(['a.txt', 'link'])
})
