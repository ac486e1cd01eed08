import { watch, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DisposableStack, Emitter } from '../../../shared/lifetime'
import { AgentTurns } from './agent-turns'
import { ChangeGroups } from './change-groups'
import { FolderChanges } from './folder-changes'
import type { ChangesGit, PresentAgent, WrittenChange } from './changes-ports'
import { Snapshots } from './snapshots'

let base: string
let data: string
let owned: DisposableStack

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-folder-')))
  data = await mkdtemp(join(tmpdir(), 'greenlight-folder-data-'))
  owned = new DisposableStack()
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

it('does not take what an agent wrote while the folder was looked at for the person’s', async () => {
  const path = join(base, 'a.txt')
  writeFileSync(path, 'mine\n')
  writeFileSync(join(base, 'b.txt'), 'mine too\n')
  const agent: PresentAgent = {
    id: 'robot',
    name: 'Robot',
    pid: null,
    workedAt: 0,
    silentSince: 'start',
    mayBeQuiet: true,
  }
  const turns = owned.add(
    new AgentTurns({ list: () => [agent], onChange: owned.add(new Emitter<void>()).on }),
  )
  const git: ChangesGit = {
    look: async () => {
      await writeAndHear(path, 'theirs\n')
      return null
    },
    ignored: async () => null,
    committed: async () => new Map(),
    unchanged: async () => new Set(),
  }
  const opened: WrittenChange[] = []
  const report = (error: unknown) => {
    throw error
  }
  const folder = owned.add(
    new FolderChanges(base, {
      git,
      reviews: {
        isUnderReview: () => false,
        isExpected: () => false,
        open: async (change) => void opened.push(change),
      },
      turns,
      snapshots: new Snapshots(join(data, 'snapshots'), () => new Set()),
      groups: owned.add(new ChangeGroups(data, report)),
      report,
      quiet: 1,
    }),
  )
  await folder.start()
  await expect.poll(() => opened.map((change) => [change.path, change.before])).toEqual([[path, 'unknown']])
})
