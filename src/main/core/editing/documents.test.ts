import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChangeSet } from '@codemirror/state'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import { Ledger } from '../files/ledger'
import { FileWatcher } from '../files/watcher'
import { backupName } from './backup-file'
import { Backups } from './backups'
import type { DocumentEvent } from './document-state'
import { Documents, type OpenDocument } from './documents'

let folder: string
let path: string
let house: House

/** Documents with real parts on a folder of their own; `crash` starts again with the same data. */
class House {
  readonly watcher = new FileWatcher({ interval: 50 })
  readonly ledger = new Ledger()
  readonly events: DocumentEvent[] = []
  flush: ((path: string) => Promise<unknown>) | undefined
  #waiting: { matches: (event: DocumentEvent) => boolean; settle: () => void }[] = []

  private constructor(
    readonly backups: Backups,
    readonly documents: Documents,
    parts: { watcher: FileWatcher; ledger: Ledger },
  ) {
    this.watcher = parts.watcher
    this.ledger = parts.ledger
    documents.on((event) => {
      this.events.push(event)
      for (const waiter of this.#waiting) if (waiter.matches(event)) waiter.settle()
    })
  }

  static async build(): Promise<House> {
    const backups: Backups = await Backups.open(join(folder, '.data'), { delay: 5 })
    const parts = {
      watcher: new FileWatcher({ interval: 50 }),
      ledger: new Ledger(),
      swapper: new FileSwapper(),
      backups,
    }
    const flush = (name: string) => built.flush?.(name) ?? Promise.resolve()
    const built: House = new House(backups, new Documents({ ...parts, largeBytes: 1000, flush }), parts)
    return built
  }

  next(matches: (event: DocumentEvent) => boolean): Promise<void> {
    return new Promise((settle) => this.#waiting.push({ matches, settle }))
  }

  nextDisk(disk: string): Promise<void> {
    return this.next((event) => event.kind === 'meta' && event.meta.disk === disk)
  }

  async close(): Promise<void> {
    this.documents.dispose()
    this.watcher.dispose()
    await this.backups.flush()
    this.backups.dispose()
  }

  async crash(): Promise<void> {
    await this.close()
    house = await House.build()
  }
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'documents-')))
  path = join(folder, 'file.txt')
  house = await House.build()
})
afterEach(async () => {
  await house.close()
  await rm(folder, { recursive: true })
})

function textOf(open: OpenDocument) {
  const state = open.state()
  if (state.kind !== 'text') throw new Error(`it is ${state.kind}`)
  return { ...state, content: state.text.toString() }
}

/** Types like a page: replaces the first occurrence of a word. */
function type(open: OpenDocument, word: string, replacement: string): void {
  const { content, version } = textOf(open)
  const from = content.indexOf(word)
  const changes = ChangeSet.of({ from, to: from + word.length, insert: replacement }, content.length)
  expect(house.documents.push(path, version, [{ clientID: 'page', changes: changes.toJSON() }])).toBe(
    'accepted',
  )
}

async function openWith(content: string | Uint8Array): Promise<OpenDocument> {
  await writeFile(path, content)
  return house.documents.open(path)
}

test('a file opens with text, facts and version', async () => {
  const { content, meta } = textOf(await openWith('\ufeffone\r\ntwo\r\n'))
  expect(content).toBe('one\ntwo\n')
  expect(meta).toEqual({
    path,
    encoding: 'utf-8',
    bom: true,
    eol: 'crlf',
    dirty: false,
    readOnly: false,
    disk: 'same',
    guessed: false,
    indent: null,
  })
})

test('one file is one document, by whatever path', async () => {
  const open = await openWith('one')
  await symlink(path, join(folder, 'link'))
  const other = await house.documents.open(join(folder, 'link'))
  type(open, 'one', 'two')
  expect(textOf(other).content).toBe('two')
  expect(house.documents.get(join(folder, 'link'))).toMatchObject({ kind: 'text' })
  expect(house.documents.paths).toEqual([path])
  open.dispose()
  open.dispose()
  expect(house.documents.get(path)).toBeDefined()
  other.dispose()
  expect(house.documents.get(path)).toBeUndefined()
})

test('two openings at once read the file once and see the same', async () => {
  await writeFile(path, 'one')
  const [first, second] = await Promise.all([house.documents.open(path), house.documents.open(path)])
  expect(textOf(first).version).toBe(textOf(second).version)
  expect(house.events.filter((event) => event.kind === 'opened')).toHaveLength(1)
})

test('a binary file, a large one, a folder and none are open without text', async () => {
  expect((await openWith(Buffer.from([0, 1, 2]))).state()).toEqual({ kind: 'binary', path, size: 3 })
  const large = join(folder, 'large')
  await writeFile(large, 'x'.repeat(1001))
  expect((await house.documents.open(large)).state()).toMatchObject({
    kind: 'large',
    size: 1001,
  })
  expect((await house.documents.open(folder)).state()).toMatchObject({ failure: { code: 'not-a-file' } })
  expect((await house.documents.open(join(folder, 'no'))).state()).toMatchObject({
    failure: { code: 'absent' },
  })
})

test('a file that becomes readable is told anew', async () => {
  const open = await openWith(Buffer.from([0, 1, 2]))
  const told = house.next((event) => event.kind === 'state' && event.state.kind === 'text')
  await writeFile(path, 'text now')
  await told
  expect(textOf(open).content).toBe('text now')
  const back = house.next((event) => event.kind === 'state' && event.state.kind === 'binary')
  await writeFile(path, Buffer.from([0]))
  await back
  expect(open.state().kind).toBe('binary')
})

test('typing raises the version, is told, and makes the document dirty', async () => {
  const open = await openWith('one')
  const { version } = textOf(open)
  type(open, 'one', 'two')
  expect(textOf(open)).toMatchObject({ version: version + 1, content: 'two', meta: { dirty: true } })
  expect(house.events).toContainEqual({ kind: 'updates', path, version, updates: [expect.anything()] })
  type(open, 'two', 'one')
  expect(textOf(open).meta.dirty).toBe(false)
})

test('a push on an old version is behind, on a closed file gone', async () => {
  const open = await openWith('one')
  const { version } = textOf(open)
  type(open, 'one', 'two')
  const late = [{ clientID: 'other', changes: ChangeSet.of({ from: 0, insert: 'x' }, 3).toJSON() as unknown }]
  expect(house.documents.push(path, version, late)).toBe('behind')
  open.dispose()
  expect(house.documents.push(path, version, late)).toBe('gone')
})

test('a document opened again never shares a version with its former life', async () => {
  const open = await openWith('one')
  type(open, 'one', 'two')
  const { version } = textOf(open)
  await house.documents.revert(path)
  open.dispose()
  const again = await house.documents.open(path)
  expect(textOf(again).version).toBeGreaterThan(version + 1)
})

test('what a page has pushed is counted, also while the file is closed and after it was none', async () => {
  const open = await openWith('one')
  expect([...textOf(open).clients]).toEqual([])
  type(open, 'one', 'two')
  type(open, 'two', 'three')
  await house.documents.revert(path)
  expect([...textOf(open).clients]).toEqual([['page', 2]])
  open.dispose()
  const again = await house.documents.open(path)
  type(again, 'one', 'four')
  expect([...textOf(again).clients]).toEqual([['page', 3]])
  // Refused updates are not counted.
  expect(house.documents.push(path, 0, [{ clientID: 'page', changes: [4] }])).toBe('behind')
  await house.documents.revert(path)
  const isBinary = house.next((event) => event.kind === 'state')
  await writeFile(path, new Uint8Array([0, 1, 2]))
  await isBinary
  const isText = house.next((event) => event.kind === 'state')
  await writeFile(path, 'five')
  await isText
  expect([...textOf(again).clients]).toEqual([['page', 3]])
})

test('saving writes the bytes as the file had them, and enters the write in the ledger', async () => {
  const open = await openWith('\ufeffone\r\ntwo\r\n')
  type(open, 'two', '2\nthree')
  const bytes = '\ufeffone\r\n2\r\nthree\r\n'
  const saved = await house.documents.save(path)
  expect(saved).toEqual({ ok: true, value: { hash: hashContent(bytes) } })
  expect(await readFile(path, 'utf8')).toBe(bytes)
  expect(textOf(open).meta).toMatchObject({ dirty: false, disk: 'same' })
  expect(house.ledger.expects(path, hashContent(bytes))).toBe(true)
})

test('mixed line ends survive a save', async () => {
  const open = await openWith('one\r\ntwo\nthree\r\n')
  type(open, 'two', '2')
  await house.documents.save(path)
  expect(await readFile(path, 'utf8')).toBe('one\r\n2\nthree\r\n')
})

test('what is typed while a save runs stays unsaved', async () => {
  const open = await openWith('one')
  type(open, 'one', 'two')
  const expectWrite = house.ledger.expect.bind(house.ledger)
  house.ledger.expect = (write) => {
    expectWrite(write)
    type(open, 'two', 'three')
  }
  await house.documents.save(path)
  expect(await readFile(path, 'utf8')).toBe('two')
  expect(textOf(open)).toMatchObject({ content: 'three', meta: { dirty: true, disk: 'same' } })
})

test('a clean document follows the disk by the smallest change', async () => {
  const open = await openWith('one\ntwo\nthree\n')
  const { version } = textOf(open)
  const told = house.next((event) => event.kind === 'updates')
  await writeFile(path, 'one\n2\nthree\n')
  await told
  expect(textOf(open)).toMatchObject({ content: 'one\n2\nthree\n', meta: { dirty: false } })
  const changes = house.documents.changesSince(path, version)
  expect(changes?.mapPos('one\ntwo\nth'.length)).toBe('one\n2\nth'.length)
})

test('new line ends on disk are no change of the text', async () => {
  const open = await openWith('one\ntwo\n')
  const told = house.next((event) => event.kind === 'meta' && event.meta.eol === 'crlf')
  const { version } = textOf(open)
  await writeFile(path, 'one\r\ntwo\r\n')
  await told
  expect(textOf(open)).toMatchObject({ version, content: 'one\ntwo\n', meta: { dirty: false } })
})

async function conflict(mine: string, theirs: string): Promise<OpenDocument> {
  const open = await openWith('one\ntwo\nthree\nfour\nfive\n')
  type(open, mine.toLowerCase(), mine)
  const told = house.nextDisk('conflict')
  await writeFile(path, `one\ntwo\nthree\nfour\nfive\n`.replace(theirs.toLowerCase(), theirs))
  await told
  return open
}

test('a dirty document comes into conflict with a changed disk, and keeps its text', async () => {
  const open = await conflict('ONE', 'FIVE')
  expect(textOf(open)).toMatchObject({
    content: 'ONE\ntwo\nthree\nfour\nfive\n',
    meta: { disk: 'conflict', dirty: true },
  })
  expect(await house.documents.save(path)).toMatchObject({ ok: false, failure: { code: 'changed' } })
  expect(await readFile(path, 'utf8')).toContain('FIVE')
})

test('a conflict ends with mine', async () => {
  const open = await conflict('ONE', 'FIVE')
  await house.documents.resolve(path, 'keep-mine')
  expect(textOf(open).meta).toMatchObject({ disk: 'same', dirty: true })
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
  expect(await readFile(path, 'utf8')).toBe('ONE\ntwo\nthree\nfour\nfive\n')
})

test('a conflict ends with theirs', async () => {
  const open = await conflict('ONE', 'FIVE')
  await house.documents.resolve(path, 'take-disk')
  expect(textOf(open)).toMatchObject({
    content: 'one\ntwo\nthree\nfour\nFIVE\n',
    meta: { disk: 'same', dirty: false },
  })
})

test('a conflict ends with both, where they can be put together', async () => {
  const open = await conflict('ONE', 'FIVE')
  expect(await house.documents.resolve(path, 'merge')).toEqual({ ok: true, value: { conflicts: 0 } })
  expect(textOf(open)).toMatchObject({
    content: 'ONE\ntwo\nthree\nfour\nFIVE\n',
    meta: { disk: 'same', dirty: true },
  })
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
})

test('where both changed the same line, the merge holds both', async () => {
  const open = await openWith('one\ntwo\n')
  type(open, 'two', 'mine')
  const told = house.nextDisk('conflict')
  await writeFile(path, 'one\ntheirs\n')
  await told
  expect(await house.documents.resolve(path, 'merge')).toEqual({ ok: true, value: { conflicts: 1 } })
  expect(textOf(open).content).toBe('one\n<<<<<<< Mine\nmine\n=======\ntheirs\n>>>>>>> On disk\n')
})

test('a merge goes by content where the line ends have changed too', async () => {
  const open = await openWith('one\r\ntwo\r\nthree\r\n')
  type(open, 'one', 'ONE')
  const told = house.nextDisk('conflict')
  await writeFile(path, 'one\ntwo\nTHREE\n')
  await told
  expect(await house.documents.resolve(path, 'merge')).toEqual({ ok: true, value: { conflicts: 0 } })
  expect(textOf(open).content).toBe('ONE\ntwo\nTHREE\n')
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
})

test('a conflict is over when the disk goes back', async () => {
  const open = await conflict('ONE', 'FIVE')
  const told = house.nextDisk('same')
  await writeFile(path, 'one\ntwo\nthree\nfour\nfive\n')
  await told
  expect(textOf(open).meta).toMatchObject({ disk: 'same', dirty: true })
})

test('a save that finds another text on disk than was read writes nothing', async () => {
  const open = await openWith('one')
  type(open, 'one', 'mine')
  house.watcher.dispose()
  await writeFile(path, 'theirs')
  expect(await house.documents.save(path)).toMatchObject({ ok: false, failure: { code: 'changed' } })
  expect(await readFile(path, 'utf8')).toBe('theirs')
  expect(textOf(open)).toMatchObject({ content: 'mine', meta: { disk: 'conflict' } })
})

test('a deleted file keeps its text, and a save makes it again', async () => {
  const open = await openWith('one')
  const told = house.nextDisk('deleted')
  await unlink(path)
  await told
  expect(textOf(open)).toMatchObject({ content: 'one', meta: { disk: 'deleted' } })
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
  expect(await readFile(path, 'utf8')).toBe('one')
  expect(textOf(open).meta.disk).toBe('same')
})

test('a deleted file that comes back is followed again', async () => {
  const open = await openWith('one')
  const gone = house.nextDisk('deleted')
  await unlink(path)
  await gone
  const back = house.nextDisk('same')
  await writeFile(path, 'new')
  await back
  expect(textOf(open).content).toBe('new')
})

test('a read-only file is told, and a save is refused', async () => {
  await writeFile(path, 'one')
  await chmod(path, 0o444)
  const open = await house.documents.open(path)
  expect(textOf(open).meta.readOnly).toBe(true)
  type(open, 'one', 'two')
  expect(await house.documents.save(path)).toMatchObject({ ok: false, failure: { code: 'read-only' } })
  expect(textOf(open)).toMatchObject({ content: 'two', meta: { dirty: true } })
})

test('unsaved text comes back after a crash', async () => {
  type(await openWith('one\r\n'), 'one', 'two')
  await house.crash()
  expect(house.backups.paths).toEqual([path])
  const open = await house.documents.open(path)
  expect(textOf(open)).toMatchObject({
    content: 'two\n',
    meta: { disk: 'recovered', dirty: true, eol: 'crlf' },
  })
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
  expect(await readFile(path, 'utf8')).toBe('two\r\n')
  await house.crash()
  expect(house.backups.paths).toEqual([])
})

test('how a text was to be written comes back after a crash, with and without new text', async () => {
  await openWith('one\r\n')
  house.documents.reformat(path, { eol: 'lf', encoding: 'utf-16le', bom: true })
  await house.crash()
  const open = await house.documents.open(path)
  const chosen = { eol: 'lf', encoding: 'utf-16le', bom: true }
  expect(textOf(open)).toMatchObject({
    content: 'one\n',
    meta: { disk: 'recovered', dirty: true, ...chosen },
  })
  type(open, 'one', 'two')
  house.documents.reformat(path, { encoding: 'utf-8', bom: false })
  await house.crash()
  expect(textOf(await house.documents.open(path))).toMatchObject({
    content: 'two\n',
    meta: { dirty: true, eol: 'lf', encoding: 'utf-8', bom: false },
  })
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
  expect(await readFile(path, 'utf8')).toBe('two\n')
  await house.crash()
  expect(house.backups.paths).toEqual([])
  expect(textOf(await house.documents.open(path)).meta).toMatchObject({ disk: 'same', dirty: false })
})

test('a choice that was taken back, or that the disk follows by now, is nothing to recover', async () => {
  await openWith('one\r\n')
  house.documents.reformat(path, { eol: 'lf' })
  await house.backups.flush()
  house.documents.reformat(path, { eol: 'crlf' })
  await house.crash()
  expect(textOf(await house.documents.open(path)).meta).toMatchObject({ dirty: false, eol: 'crlf' })
  house.documents.reformat(path, { eol: 'lf' })
  await house.crash()
  await writeFile(path, 'one\n')
  expect(textOf(await house.documents.open(path)).meta).toMatchObject({ disk: 'same', dirty: false })
  expect(house.backups.paths).toEqual([])
})

test('unsaved text of a file that has changed meanwhile is a conflict that can be merged', async () => {
  type(await openWith('one\ntwo\nthree\n'), 'one', 'ONE')
  await house.crash()
  await writeFile(path, 'one\ntwo\nTHREE\n')
  const open = await house.documents.open(path)
  expect(textOf(open)).toMatchObject({ content: 'ONE\ntwo\nthree\n', meta: { disk: 'conflict' } })
  await house.documents.resolve(path, 'merge')
  expect(textOf(open).content).toBe('ONE\ntwo\nTHREE\n')
})

test('unsaved text of a file that is gone is still there', async () => {
  type(await openWith('one'), 'one', 'two')
  await house.crash()
  await unlink(path)
  expect(textOf(await house.documents.open(path))).toMatchObject({
    content: 'two',
    meta: { disk: 'deleted' },
  })
})

test('unsaved text that the disk has by now is nothing to recover', async () => {
  type(await openWith('one'), 'one', 'two')
  await house.crash()
  await writeFile(path, 'two')
  expect(textOf(await house.documents.open(path)).meta).toMatchObject({ disk: 'same', dirty: false })
  expect(house.backups.paths).toEqual([])
})

test('closing keeps unsaved text, reverting gives it up', async () => {
  const open = await openWith('one')
  type(open, 'one', 'two')
  open.dispose()
  const again = await house.documents.open(path)
  expect(textOf(again)).toMatchObject({ content: 'two', meta: { disk: 'recovered' } })
  await house.documents.revert(path)
  expect(textOf(again)).toMatchObject({ content: 'one', meta: { dirty: false, disk: 'same' } })
  again.dispose()
  expect(textOf(await house.documents.open(path)).content).toBe('one')
})

test('the page is asked for its newest text, and not waited for beyond the limit', async () => {
  const open = await openWith('one')
  house.flush = () => {
    type(open, 'one', 'newest')
    return Promise.resolve()
  }
  await house.documents.settle(path)
  expect(textOf(open).content).toBe('newest')
  house.flush = () => new Promise(() => undefined)
  const start = performance.now()
  await house.documents.settle(path)
  expect(performance.now() - start).toBeGreaterThan(90)
})

test('unsaved text whose file is moved stays under its old name where it cannot be kept under the new one', async () => {
  const open = await openWith('one')
  type(open, 'one', 'mine')
  await house.backups.flush()
  open.dispose()
  const to = join(folder, 'moved.txt')
  // A folder stands where the new backup would.
  await mkdir(join(folder, '.data', `${backupName(to)}.log`))
  const unsaved = await house.documents.beforeMove(path)
  await rename(path, to)
  const holds = await house.documents.afterMove(path, to, unsaved)
  holds.dispose()
  await house.crash()
  expect(textOf(await house.documents.open(path)).content).toBe('mine')
})

test('what is typed and not sent yet keeps a file from being read anew in another encoding', async () => {
  const open = await openWith('one')
  house.flush = () => {
    type(open, 'one', 'typed')
    return Promise.resolve()
  }
  expect(await house.documents.reopen(path, 'latin-1')).toMatchObject({ failure: { code: 'unsaved' } })
  expect(textOf(open).content).toBe('typed')
})

test('a text whose file was deleted, and that may be its last copy, is not read anew in another encoding', async () => {
  const open = await openWith('one')
  await unlink(path)
  expect(await house.documents.reopen(path, 'latin-1')).toMatchObject({ failure: { code: 'absent' } })
  expect(textOf(open)).toMatchObject({ content: 'one', meta: { disk: 'deleted' } })
})

test('once a file has moved, only pages still mean it by its old name', async () => {
  const open = await openWith('one')
  const to = join(folder, 'moved.txt')
  const unsaved = await house.documents.beforeMove(path)
  await rename(path, to)
  const holds = await house.documents.afterMove(path, to, unsaved)
  // Until its tabs have followed, they are asked for by the old name.
  expect(house.documents.get(path)).toMatchObject({ meta: { path: to } })
  const tab = await house.documents.open(to)
  holds.dispose()
  await writeFile(path, 'another')
  expect(house.documents.get(path)).toBeUndefined()
  expect(await house.documents.find(path)).toBeUndefined()
  const { version } = textOf(tab)
  const changes = ChangeSet.of({ from: 3, insert: '!' }, 3)
  expect(house.documents.push(path, version, [{ clientID: 'page', changes: changes.toJSON() }])).toBe(
    'accepted',
  )
  expect(await house.documents.save(path)).toMatchObject({ ok: true })
  expect(await readFile(to, 'utf8')).toBe('one!')
  expect(await readFile(path, 'utf8')).toBe('another')
  open.dispose()
})

test('a file whose reading failed is read again when it is opened again', async () => {
  await writeFile(path, 'one')
  const { watcher } = house
  const watchFile = watcher.watchFile.bind(watcher)
  watcher.watchFile = () => Promise.reject(new Error('no watch'))
  await expect(house.documents.open(path)).rejects.toThrow('no watch')
  watcher.watchFile = watchFile
  expect(textOf(await house.documents.open(path)).content).toBe('one')
})
