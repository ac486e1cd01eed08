import { watch, writeFileSync } from 'node:fs'
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

/** Writes, and resolves when the system has told of it. */
async function writeAndHear(path: string, text: string): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    const watcher = watch(path, () => {
      watcher.close()
      resolve()
    })
  })
  writeFileSync(path, text)
  await heard
}

/** The changes in the folder, with `agents` always in a turn, and what they ask about. */
function follow({
  look = async () => null,
  ...reviews
}: Partial<ChangesReviews> & Pick<Partial<ChangesGit>, 'look'>) {
  const turns = owned.add(new AgentTurns({ list: () => agents, onChange: owned.add(new Emitter<void>()).on }))
  const opened: WrittenChange[] = []
  const report = (error: unknown) => {
    throw error
  }
  const folder = owned.add(
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
        open: async (change) => void opened.push(change),
        ...reviews,
      },
      turns,
      snapshots: new Snapshots(join(data, 'snapshots'), () => new Set()),
      groups: owned.add(new ChangeGroups(data, report)),
      report,
      quiet: 1,
    }),
  )
  return { folder, opened }
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
