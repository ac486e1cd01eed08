import { unlinkSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeFileAtomically } from './write-file'
import { FileWatcher, type FileEvent } from './watcher'

let folder: string
let path: string
let watcher: FileWatcher
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'watch-')))
  path = join(folder, 'file.txt')
  watcher = new FileWatcher()
})
afterEach(async () => {
  watcher.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** Collects events and lets a test wait for the next one of a kind. */
class Heard {
  readonly events: FileEvent[] = []
  #waiting: { kind: FileEvent['kind']; settle: () => void }[] = []

  readonly hear = (event: FileEvent): void => {
    this.events.push(event)
    for (const waiter of this.#waiting.filter(({ kind }) => kind === event.kind)) waiter.settle()
    this.#waiting = this.#waiting.filter(({ kind }) => kind !== event.kind)
  }

  next(kind: FileEvent['kind']): Promise<void> {
    return new Promise((settle) => this.#waiting.push({ kind, settle }))
  }
}

async function watchFile(): Promise<Heard> {
  const heard = new Heard()
  await watcher.watchFile(path, heard.hear)
  return heard
}

/**
 * Watches a file that was replaced without a notice (`lost`), and one where the system gives none (`unheard`): it is to be
 * in `loop`, a link to itself, which nobody can watch. `path` is the latter's.
 */
async function watchWithoutNotices(): Promise<{ lost: Heard; unheard: Heard; loop: string }> {
  const [above, loop] = [join(folder, 'above'), join(folder, 'loop')]
  const inner = join(above, 'inner')
  await mkdir(inner, { recursive: true })
  path = join(inner, 'file.txt')
  await writeFile(path, 'one')
  const lost = await watchFile()
  await symlink(loop, loop)
  path = join(loop, 'file.txt')
  const unheard = await watchFile()

  await rename(above, join(folder, 'elsewhere'))
  await mkdir(inner, { recursive: true })
  await writeFile(join(inner, 'file.txt'), 'another')
  return { lost, unheard, loop }
}

test('a write is told', async () => {
  await writeFile(path, 'one')
  const heard = await watchFile()
  const told = heard.next('changed')
  await appendFile(path, 'two')
  await told
  expect(heard.events[0]).toEqual({ kind: 'changed', path })
})

test('every write after a replacement is told', async () => {
  await writeFile(path, 'one')
  const heard = await watchFile()
  for (let i = 0; i < 5; i++) {
    const replaced = heard.next('changed')
    await writeFileAtomically(path, Buffer.from(`content ${i}`))
    await replaced
    const appended = heard.next('changed')
    await appendFile(path, 'more')
    await appended
  }
  expect(heard.events.every((event) => event.kind === 'changed')).toBe(true)
})

test('a file that does not exist yet is told when it comes, and when it goes', async () => {
  const heard = await watchFile()
  const came = heard.next('changed')
  await writeFile(path, 'x')
  await came
  const gone = heard.next('absent')
  await unlink(path)
  await gone
})

test('a save by deleting and making anew is no deletion', async () => {
  await writeFile(path, 'one')
  const heard = await watchFile()
  const told = heard.next('changed')
  // Both at once: on a busy machine the grace of an absence could pass between.
  unlinkSync(path)
  writeFileSync(path, 'two')
  await told
  expect(heard.events.map((event) => event.kind)).not.toContain('absent')
})

test('a file moved away is absent, moved back it is there', async () => {
  await writeFile(path, 'one')
  const heard = await watchFile()
  const gone = heard.next('absent')
  await rename(path, join(folder, 'elsewhere'))
  await gone
  const back = heard.next('changed')
  await rename(join(folder, 'elsewhere'), path)
  await back
})

test('a folder that was deleted and made again does not make the watch deaf', async () => {
  const inner = join(folder, 'inner')
  await mkdir(inner)
  path = join(inner, 'file.txt')
  await writeFile(path, 'one')
  const heard = await watchFile()
  const gone = heard.next('absent')
  await rm(inner, { recursive: true })
  await gone
  const came = heard.next('changed')
  await mkdir(inner)
  await writeFile(path, 'two')
  await came
  const again = heard.next('changed')
  await appendFile(path, 'three')
  await again
})

test('what does not exist yet is told by the folders above it, without waiting for a regular look', async () => {
  watcher.dispose()
  watcher = new FileWatcher({ interval: 3_600_000 })
  const deep = join(folder, 'not', 'there', 'yet')
  const heard = new Heard()
  let entries: () => void = () => undefined
  await watcher.watchDirectory(deep, () => entries())
  await watcher.watchFile(join(deep, 'file.txt'), heard.hear)
  const next = () => new Promise<void>((settle) => (entries = settle))

  // At once, and one after the other.
  const came = next()
  const made = heard.next('changed')
  await mkdir(deep, { recursive: true })
  await came
  await writeFile(join(deep, 'file.txt'), 'one')
  await made

  const slow = join(folder, 'also', 'not')
  await watcher.watchDirectory(slow, () => entries())
  await mkdir(join(folder, 'also'))
  await writeFile(join(folder, 'also', 'other'), '')
  const last = next()
  await mkdir(slow)
  await last
  const entry = next()
  await writeFile(join(slow, 'entry'), '')
  await entry
})

test.skipIf(process.platform === 'win32')(
  'a folder that was deleted, or moved away, and made again is heard without waiting for a regular look',
  async () => {
    watcher.dispose()
    watcher = new FileWatcher({ interval: 3_600_000 })
    const inner = join(folder, 'inner')
    await mkdir(inner)
    path = join(inner, 'file.txt')
    await writeFile(path, 'one')
    const heard = await watchFile()
    for (const leave of [() => rm(inner, { recursive: true }), () => rename(inner, join(folder, 'moved'))]) {
      const gone = heard.next('absent')
      await leave()
      await gone
      const came = heard.next('changed')
      await mkdir(inner)
      await writeFile(path, 'two')
      await came
      const again = heard.next('changed')
      await appendFile(path, 'three')
      await again
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'what nothing is heard of is found by looking: soon where the system gives no notices, later where one was lost',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      watcher.dispose()
      watcher = new FileWatcher({ interval: 1000 })
      const { lost, unheard, loop } = await watchWithoutNotices()
      await unlink(loop)
      await mkdir(loop)
      await writeFile(path, 'one')
      const soon = unheard.next('changed')
      vi.advanceTimersByTime(1000)
      await soon
      // From then on there are notices.
      const notice = unheard.next('changed')
      await appendFile(path, 'two')
      await notice
      expect(lost.events).toEqual([])
      const later = lost.next('changed')
      vi.advanceTimersByTime(3000)
      await later
    } finally {
      vi.useRealTimers()
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'a look at what the system gives no notices of keeps back no look at the rest',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      watcher.dispose()
      watcher = new FileWatcher({ interval: 1000 })
      const { lost } = await watchWithoutNotices()
      expect(lost.events).toEqual([])
      const found = lost.next('changed')
      // All at once, so that both kinds of looks are due while the first is under way.
      vi.advanceTimersByTime(4000)
      await found
    } finally {
      vi.useRealTimers()
    }
  },
)

test('two writes of the same length in a row end with a telling after the second', async () => {
  await writeFile(path, 'a')
  const heard = await watchFile()
  const first = heard.next('changed')
  await writeFile(path, 'b')
  await first
  const second = heard.next('changed')
  await writeFile(path, 'c')
  await second
})

test('a flood of writes is told a bounded number of times, the last one included', async () => {
  await writeFile(path, '')
  const heard = await watchFile()
  const start = performance.now()
  for (let i = 0; i < 2000; i++) await appendFile(path, 'x')
  await heard.next('changed')
  expect(heard.events.length).toBeLessThan((performance.now() - start) / 30 + 10)
})

test('who has stopped listening hears nothing, others go on', async () => {
  await writeFile(path, 'one')
  const [stopped, goes] = [new Heard(), new Heard()]
  const first = await watcher.watchFile(path, stopped.hear)
  await watcher.watchFile(path, goes.hear)
  first.dispose()
  const told = goes.next('changed')
  await writeFile(path, 'two!')
  await told
  expect(stopped.events).toEqual([])
})

async function watchFolder(): Promise<{ next: () => Promise<void>; count: () => number }> {
  let count = 0
  let waiting: (() => void)[] = []
  await watcher.watchDirectory(folder, () => {
    count++
    for (const settle of waiting.splice(0)) settle()
  })
  return { next: () => new Promise((settle) => (waiting = [...waiting, settle])), count: () => count }
}

test('entries that come and go are told', async () => {
  const heard = await watchFolder()
  for (const change of [() => writeFile(path, ''), () => mkdir(join(folder, 'sub')), () => unlink(path)]) {
    const told = heard.next()
    await change()
    await told
  }
})

test('a flood of entries is told together', async () => {
  const heard = await watchFolder()
  const start = performance.now()
  for (let i = 0; i < 1000; i++) await writeFile(join(folder, `f${i}`), '')
  await heard.next()
  expect(heard.count()).toBeLessThan((performance.now() - start) / 50 + 10)
})
