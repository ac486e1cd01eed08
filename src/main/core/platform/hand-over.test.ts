import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Disposable } from '../../../shared/lifetime'
import { type HandOverRequest, handOver, listenForHandOver } from './hand-over'

let base: string
let owned: Disposable[]
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-hand-over-'))
  owned = []
})
afterEach(() => {
  for (const one of owned) one.dispose()
  rmSync(base, { recursive: true })
})

async function own(directory: string): Promise<HandOverRequest[]> {
  const heard: HandOverRequest[] = []
  owned.push(
    await listenForHandOver(directory, (request) => {
      heard.push(request)
      return Promise.resolve({ pid: 1, ready: { url: 'http://127.0.0.1:1/' } })
    }),
  )
  return heard
}

test('a second start hands its folders over and hears what became of them', async () => {
  const heard = await own(base)
  expect(await handOver(base, { folders: ['/a', '/b'] })).toEqual({
    pid: 1,
    ready: { url: 'http://127.0.0.1:1/' },
  })
  expect(heard).toEqual([{ folders: ['/a', '/b'] }])
})

test('works in a directory whose path is too long for a socket', async () => {
  const long = join(base, 'x'.repeat(120))
  mkdirSync(long)
  const heard = await own(long)
  expect(await handOver(long, { folders: [] })).not.toBeNull()
  expect(heard).toHaveLength(1)
})

test('nobody there, or no longer there, is null', async () => {
  expect(await handOver(base, { folders: [] })).toBeNull()
  await own(base)
  for (const one of owned.splice(0)) one.dispose()
  expect(readdirSync(base)).toEqual([])
  expect(await handOver(base, { folders: [] })).toBeNull()
})

test.runIf(process.platform !== 'win32')(
  'what is not a request gets no answer, and the next one does',
  async () => {
    const heard = await own(base)
    const path = join(base, 'hand-over.sock')
    expect(existsSync(path)).toBe(true)
    const socket = connect(path)
    socket.end('{"folders":"all of them"}\n')
    await once(socket, 'close')
    expect(socket.bytesRead).toBe(0)
    expect(await handOver(base, { folders: [] })).not.toBeNull()
    expect(heard).toHaveLength(1)
  },
)
