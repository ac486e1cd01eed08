import { unlinkSync, watch, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DisposableStack, Emitter } from '../../../shared/lifetime'
import { hashContent } from '../files/content-hash'
import { AgentTurns } from './agent-turns'
import { ChangeGroups } from './change-groups'
import { FolderChanges } from './folder-changes'
import type { ChangesGit, ChangesReviews, PresentAgent, WrittenChange } from './changes-ports'
import { Snapshots } from './snapshots'

const agent: PresentAgent = {
  id: 'robot',
  name: 'Robot',
  pid: null,
  workedAt: 0,
  silentSince: 'start',
  mayBeQuiet: true,
}

let base: string
let data: string
let owned: DisposableStack
let agents: PresentAgent[]

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-folder-')))
  data = await mkdtemp(join(tmpdir(), 'greenlight-folder-data-'))
  owned = new DisposableStack()
  agents = [agent]
})
afterEach(async () => {
  owned.dispose()
  for (const folder of [base, data]) await rm(folder, { recursive: true, force: true })
})

/** Writes, and resolves when the system has told of it; of a folder, those who listened before have heard it too. */
async function writeAndHear(path: string, text: string, told = path): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    const watcher = watch(told, () => {
      watcher.close()
      resolve()
    })
  })
  writeFileSync(path, text)
  await heard
}

const textOf = (bytes: unknown) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : bytes)

/** The changes in the folder, with `agents` always in a turn, and what they ask about. */
function follow({
  look = async () => null,
  quiet = 1,
  limits,
  ...reviews
}: Partial<ChangesReviews> &
  Pick<Partial<ChangesGit>, 'look'> & { quiet?: number; limits?: { files: number; bytes: number } }) {
  const turns = owned.add(new AgentTurns({ list: () => agents, onChange: owned.add(new Emitter<void>()).on }))
  const opened: WrittenChange[] = []
  const report = (error: unknown) => {
    throw error
  }
  const snapshots = new Snapshots(join(data, 'snapshots'), () => new Set(folder.hashes()), limits)
  const groups = owned.add(new ChangeGroups(data, report))
  const folder: FolderChanges = owned.add(
    new FolderChanges(base, {
      git: {
        look,
        ignored: async () => null,
        committed: async () => new Map(),
        unchanged: async () => new Set(),
      },
      reviews: {
        isUnderReview: () => false,
        isExpected: () => false,
        open: async (change) => `${opened.push(change)}`,
        ...reviews,
      },
      turns,
      snapshots,
      groups,
      report,
      quiet,
      patience: 60_000,
    }),
  )
  return { folder, opened, snapshots, groups }
}

it('does not take what an agent wrote while the folder was looked at for the person’s', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'mine\n')
  writeFileSync(join(base, 'b.txt'), 'mine too\n')
  const { folder, opened } = follow({
    look: async () => {
      await writeAndHear(path, 'theirs\n')
      return null
    },
  })
  await folder.start()
  await expect.poll(() => opened.map((change) => [change.path, change.before])).toEqual([[path, 'unknown']])
})

it('does not ask about a half of what was agreed to', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'before\n')
  const [whole, half] = ['agreed to\n', 'agreed']
  let isLookedAt = false
  const { folder, opened } = follow({
    isUnderReview: () => {
      isLookedAt = true
      return false
    },
    // Asked right after the file was read.
    isExpected: (_, hash) => {
      if (isLookedAt && hash === hashContent(half)) writeFileSync(path, whole)
      return hash === hashContent(whole)
    },
  })
  await folder.start()
  writeFileSync(path, half)
  await expect.poll(() => folder.hashes()).toEqual([hashContent(whole)])
  expect(opened).toEqual([])
})

it('asks about what was written over another unasked write, with who was in a turn at the first', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'before\n')
  let isLookedAt = false
  const { folder, opened } = follow({
    isUnderReview: () => {
      isLookedAt = true
      return false
    },
    isExpected: (_, hash) => {
      if (isLookedAt && hash === hashContent('half')) {
        agents = []
        writeFileSync(path, 'whole\n')
      }
      return false
    },
  })
  await folder.start()
  writeFileSync(path, 'half')
  await expect.poll(() => opened).toMatchObject([{ path, agent: { id: 'robot' } }])
  expect(Buffer.from(opened[0]?.after as Uint8Array).toString()).toBe('whole\n')
})

it('looks again at the end at what was being written at the first look', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'before\n')
  let isLookedAt = false
  const { folder, opened } = follow({
    quiet: 60_000,
    isUnderReview: () => {
      isLookedAt = true
      return false
    },
    isExpected: (_, hash) => {
      if (isLookedAt && hash === hashContent('half')) writeFileSync(path, 'whole\n')
      return false
    },
  })
  await folder.start()
  await writeAndHear(path, 'half', base)
  await folder.flush()
  expect(opened.map(({ after }) => textOf(after))).toEqual(['whole\n'])
})

it('asks about what was found while a review of the file began, once that is over', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'before\n')
  const asked: WrittenChange[] = []
  let isReviewed = false
  const { folder } = follow({
    isUnderReview: () => isReviewed,
    open: async (change) => {
      isReviewed = asked.push(change) === 1
      return isReviewed ? null : 'r'
    },
  })
  await folder.start()
  writeFileSync(path, 'theirs\n')
  await expect.poll(() => asked.length).toBe(1)
  agents = []
  isReviewed = false
  await folder.settled(path, [], undefined)
  expect(asked).toMatchObject([{ agent: { id: 'robot' } }, { path, agent: { id: 'robot' } }])
})

it('knows what the person has just written, though an agent writes over it while its own files are looked at', async () => {
  const [theirs, own] = [join(base, 'a.txt'), join(base, 'new.txt')]
  writeFileSync(theirs, 'before\n')
  let isOwnWritten = false
  let glance = () => {}
  const isGlancedAt = new Promise<void>((resolve) => (glance = resolve))
  const { folder, opened } = follow({
    quiet: 60_000,
    isExpected: (path, hash) => {
      if (path !== theirs || hash !== hashContent('theirs\n')) return false
      glance()
      if (!isOwnWritten) return false
      isOwnWritten = false
      agents = [agent]
      writeFileSync(own, 'over it\n')
      return false
    },
  })
  await folder.start()
  writeFileSync(theirs, 'theirs\n')
  await isGlancedAt
  agents = []
  await writeAndHear(own, 'mine\n', base)
  isOwnWritten = true
  await expect
    .poll(async () => {
      await folder.flush()
      return textOf(opened.find(({ path }) => path === own)?.before)
    })
    .toBe('mine\n')
})

it('keeps as many contents as there is room for, and those for good', async () => {
  const write = (from: number, to: number) => {
    for (let n = from; n < to; n++) writeFileSync(join(base, `${n}.txt`), `${n}\n`)
  }
  write(0, 40)
  const { folder, snapshots } = follow({ quiet: 60_000, limits: { files: 30, bytes: 1000 } })
  const kept = async () => {
    const read = await Promise.all(folder.hashes().map((hash) => snapshots.read(hash)))
    return read.filter((bytes) => bytes !== null).length
  }
  await folder.start()
  expect([folder.hashes().length, await kept()]).toEqual([30, 30])
  // Read again as a whole, with nothing that was kept before.
  for (let n = 0; n < 40; n++) unlinkSync(join(base, `${n}.txt`))
  write(40, 80)
  await folder.accept(() => ({ paths: [], isMore: true }))
  expect([folder.hashes().length, await kept()]).toEqual([30, 30])
})

it('asks about what an agent writes while the folder is read again', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'mine\n')
  let isReadAgain = false
  const { folder, opened } = follow({
    look: async () => {
      if (isReadAgain) await writeAndHear(path, 'theirs\n')
      return null
    },
  })
  await folder.start()
  isReadAgain = true
  await folder.accept(() => ({ paths: [], isMore: true }))
  await expect.poll(() => opened.map((change) => [change.path, change.before])).toEqual([[path, 'unknown']])
})

it('loses nothing that an agent writes while the folder is read and a group is kept', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'mine\n')
  const { folder, opened } = follow({
    look: async () => {
      await writeAndHear(path, 'theirs\n')
      // Once the folder has heard of this one, it has of the first.
      await writeAndHear(join(base, 'b.txt'), 'theirs\n', base)
      await folder.accept(() => ({ paths: [], isMore: false }))
      return null
    },
  })
  await folder.start()
  await expect
    .poll(() => opened.map((change) => [change.path, change.before]))
    .toContainEqual([path, 'unknown'])
})

it('asks about what an agent writes between the look at what waits and the reading of the folder', async () => {
  const [path, first] = [join(base, 'a.txt'), join(base, 'b.txt')]
  for (const one of [path, first]) writeFileSync(one, 'mine\n')
  const asked: (readonly unknown[])[] = []
  const { folder } = follow({
    quiet: 60_000,
    open: async (change) => {
      asked.push([change.path, textOf(change.before)])
      if (change.path === path) return 'review'
      await writeAndHear(path, 'theirs\n')
      await writeAndHear(join(base, 'c.txt'), 'theirs\n', base)
      return 'review'
    },
  })
  await folder.start()
  await writeAndHear(first, 'theirs\n', base)
  await expect
    .poll(async () => {
      await folder.accept(() => ({ paths: [], isMore: true }))
      return asked
    })
    .toEqual([[first, 'mine\n']])
  await folder.flush()
  expect(asked).toContainEqual([path, 'unknown'])
})
