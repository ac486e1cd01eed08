import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Tabs } from '../../core/editing/tabs'
import { pieceHandlers } from './piece-handlers'

it('listens to the tabs of a window once, however many pages it has had', () => {
  const tabs = new Tabs()
  let listening = 0
  const counted = {
    get state() {
      return tabs.state
    },
    on: (hear: Parameters<Tabs['on']>[0]) => {
      listening += 1
      return tabs.on(hear)
    },
  }
  const watched = counted as unknown as Tabs
  for (let page = 0; page < 3; page++) pieceHandlers(watched)
  expect(listening).toBe(1)
})

it.skipIf(process.platform === 'win32')(
  'answers for a picture that has become a pipe, and holds no thread that other files need',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pieces-'))
    const path = join(folder, 'picture.png')
    execFileSync('mkfifo', [path])
    try {
      const tabs = { on: () => undefined, state: { tabs: [{ path }] } } as unknown as Tabs
      const read = pieceHandlers(tabs).calls['pieces.bytes']
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => read({ path, from: 0 }, AbortSignal.abort())),
      )
      expect(answers.map((answer) => answer.ok)).toEqual([false, false, false, false])
      expect(await readdir(folder)).toEqual(['picture.png'])
    } finally {
      // Lets go whoever waits for a writer.
      closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK))
      await rm(folder, { recursive: true })
    }
  },
)
