import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Tabs } from '../../core/editing/tabs'
import type { WindowHost } from '../window-host'
import { pieceHandlers } from './page-pieces'

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
  const window = { tabs: counted } as unknown as WindowHost
  for (let page = 0; page < 3; page++) pieceHandlers(window)
  expect(listening).toBe(1)
})

it.skipIf(process.platform === 'win32')(
  'answers for a picture that has become a pipe, and holds no thread that other files need',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pieces-'))
    const path = join(folder, 'picture.png')
    execFileSync('mkfifo', [path])
    try {
      const window = { tabs: { on: () => undefined, state: { tabs: [{ path }] } } } as unknown as WindowHost
      const read = pieceHandlers(window).calls['pieces.bytes']
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
