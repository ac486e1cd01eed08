import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, open, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { imageTypeOf } from './image-kind'
import { LineCount } from './line-count'
import { readPiece } from './file-pieces'
import { hashFile, readFile } from './read-file'
import { openToReadSync, readBytesSync, readIfShort, readText, withFile } from './regular-file'

let folder: string
const at = (name: string) => join(folder, name)
const nothing = () => Promise.resolve()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regular-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('reads a regular file, also through a link, and no more than was asked for', async () => {
  await writeFile(at('a.txt'), 'twelve bytes')
  await symlink(at('a.txt'), at('link'))
  expect(await readText(at('link'))).toBe('twelve bytes')
  expect(readBytesSync(at('link')).toString()).toBe('twelve bytes')
  expect((await readIfShort(at('a.txt'), 12))?.length).toBe(12)
  expect(await readIfShort(at('a.txt'), 11)).toBeUndefined()
  await expect(withFile(at('link'), nothing, { follow: false })).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(readText(at('none'))).rejects.toMatchObject({ code: 'ENOENT' })
})

describe.skipIf(process.platform === 'win32')('of what is no regular file', () => {
  beforeEach(() => execFileSync('mkfifo', [at('pipe.png')]))
  // Lets go whoever waits for a writer.
  afterEach(() => closeSync(openSync(at('pipe.png'), constants.O_RDWR | constants.O_NONBLOCK)))

  const readers: Record<string, (path: string) => Promise<unknown>> = {
    'a piece': (path) => readPiece(path, 0, false),
    'a count of lines': async (path) => {
      const count = new LineCount(path)
      await count.lineAt(0)
      count.dispose()
    },
    'the kind of a picture': imageTypeOf,
    'a whole file': (path) => readFile(path),
    'a hash': hashFile,
    'a text': (path) => readText(path).catch(() => undefined),
  }
  for (const [what, read] of Object.entries(readers)) {
    test(`${what} waits for no writer, and holds no thread that other files need`, async () => {
      await Promise.all(Array.from({ length: 8 }, () => read(at('pipe.png'))))
      expect((await stat(folder)).isDirectory()).toBe(true)
    })
  }

  test('nothing is opened', async () => {
    // With a writer an ordinary open would come back.
    const writer = openSync(at('pipe.png'), constants.O_RDWR | constants.O_NONBLOCK)
    try {
      expect(() => openToReadSync(at('pipe.png'))).toThrow(expect.objectContaining({ code: 'ENOTREG' }))
      await expect(withFile(at('pipe.png'), nothing)).rejects.toMatchObject({ code: 'ENOTREG' })
      await expect(withFile('/dev/tty', nothing)).rejects.toMatchObject({ code: 'ENOTREG' })
      await expect(withFile(folder, nothing)).rejects.toMatchObject({ code: 'ENOTREG' })
    } finally {
      closeSync(writer)
    }
  })
})

const kernelLog = '/proc/kmsg'
const isOpen = await open(kernelLog, constants.O_RDONLY | constants.O_NONBLOCK).then(
  (file) => file.close().then(() => true),
  () => false,
)

test.skipIf(!isOpen)(
  'a file of the system that waits for news is read up to there, and then refused',
  async () => {
    for (let count = 0; count < 5; count++) {
      const read = await readFile(kernelLog)
      expect(read).toMatchObject({ ok: false, failure: { code: 'not-a-file' } })
    }
    expect((await stat(folder)).isDirectory()).toBe(true)
  },
)
