import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type * as Files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DiscoveryFiles, removeStaleFiles } from './discovery-files'

/** What the next use of a file that has been opened waits for, as on a slow disk. */
const slow = vi.hoisted(() => ({ open: null as Promise<void> | null }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>()
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const { open } = slow
      slow.open = null
      const handle = await real.open(...args)
      await open
      return handle
    },
  }
})

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-discovery-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A disk that goes on when it is told to. */
function slowDisk() {
  let goOn = () => {}
  const gone = new Promise<void>((resolve) => (goOn = resolve))
  return { gone, goOn }
}

const content = async () => JSON.parse(await readFile(join(folder, '20000.lock'), 'utf8')) as unknown

test('a write that ends after the server leaves the next server’s file alone', async () => {
  const file = { folder, name: '20000.lock' }
  const old = new DiscoveryFiles()
  await old.write([{ file, content: { of: 'old' } }])
  const disk = slowDisk()
  slow.open = disk.gone
  const late = old.write([{ file, content: { of: 'old', folders: 'changed' } }])
  await vi.waitFor(() => expect(slow.open).toBeNull())
  // Switched off; switched on again at the port that was kept.
  old.dispose()
  const next = new DiscoveryFiles()
  await next.write([{ file, content: { of: 'next' } }])
  disk.goOn()
  expect(await late).toMatchObject({ ok: false, failure: { code: 'stopped' } })
  expect(await content()).toEqual({ of: 'next' })
})

test('what has come in the place of a stale file is not removed', async () => {
  const { pid: dead } = spawnSync('true')
  await writeFile(join(folder, '20000.lock'), JSON.stringify({ pid: dead }))
  const disk = slowDisk()
  slow.open = disk.gone
  const removing = removeStaleFiles(folder, { name: /lock$/, isOurs: () => true })
  await vi.waitFor(() => expect(slow.open).toBeNull())
  // Another window's server has taken the port that was kept.
  const live = new DiscoveryFiles()
  await live.write([{ file: { folder, name: '20000.lock' }, content: { pid: process.pid } }])
  disk.goOn()
  expect(await removing).toEqual([])
  expect(await content()).toEqual({ pid: process.pid })
})
