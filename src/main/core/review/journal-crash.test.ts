import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startPlainDesk } from '../../../../test/plain-desk'
import { FileWatcher } from '../files/watcher'

/** As a SIGKILL leaves the data directory: after so many operations none comes to its end. */
const kill = vi.hoisted(() => ({ left: Infinity }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<Record<string, (...args: unknown[]) => unknown>>()
  const counted = { ...real }
  for (const name of ['writeFile', 'rename', 'rm', 'mkdir']) {
    counted[name] = (...args) => {
      if (!String(args[0]).includes('/data/')) return real[name]?.(...args)
      return kill.left-- > 0 ? real[name]?.(...args) : new Promise(() => undefined)
    }
  }
  return counted
})

it.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'the text from before and what was proposed outlive a kill after %s operations of the end of its record',
  async (operations) => {
    kill.left = Infinity
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-kill-')))
    const watcher = new FileWatcher({ interval: 50 })
    const start = () => startPlainDesk(folder, watcher)
    const path = join(folder, 'a.txt')
    await writeFile(path, 'one\n')
    const desk = start()
    const origin = { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', call: '1' } as const
    const opening = desk.open(
      { origin, path, proposed: 'two\n', title: '', effect: 'agent' },
      new AbortController().signal,
    )
    await vi.waitFor(() => expect(desk.summaries()).toHaveLength(1))
    const { id = '', revision = 0 } = desk.summaries()[0] ?? {}
    desk.accept(id, revision)
    await opening
    const open = join(folder, 'data', 'reviews', id)
    await vi.waitFor(() => expect(readFileSync(join(open, 'log.ndjson'), 'utf8')).toContain('delivered'))
    kill.left = operations
    await writeFile(path, 'two\n')
    await vi.waitFor(() => expect(desk.summaries()).toHaveLength(0), { timeout: 20_000 })
    await vi.waitFor(() => expect(kill.left < 0 || !existsSync(open)).toBe(true))
    desk.dispose()
    kill.left = Infinity
    const again = start()
    await again.restore()
    await again.writes.list()
    expect(again.summaries()).toEqual([])
    expect(again.decided()).toMatchObject([{ id, canUndo: true }])
    expect(existsSync(join(folder, 'data', 'unreadable-reviews'))).toBe(false)
    await again.shutdown()
    expect(await readdir(join(folder, 'data', 'reviews'))).toEqual([])
    const kept = join(folder, 'data', 'decided-reviews', id)
    expect(readFileSync(join(kept, 'proposed.txt'), 'utf8')).toBe('two\n')
    watcher.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },
)
