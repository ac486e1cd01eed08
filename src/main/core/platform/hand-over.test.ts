import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, fail, succeed } from '../../../shared/result'
import { compareElsewhere, editElsewhere, handOver } from './hand-over-client'
import { type EditRequest, type HandOverRequest, listenForHandOver } from './hand-over-server'

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
    await listenForHandOver(directory, {
      open: (request) => {
        heard.push(request)
        return Promise.resolve({ pid: 1, ready: { url: 'http://127.0.0.1:1/' } })
      },
      edit: () => Promise.resolve(fail('no-window', 'There is no window.')),
      compare: ({ left }) => Promise.resolve(left === '/a' ? succeed({}) : fail('no', 'No such file.')),
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

test('a folder where the address belongs leaves later starts without one, and ends nothing', async () => {
  const inTheWay = join(base, 'hand-over.json')
  mkdirSync(inTheWay)
  const heard = await own(base)
  expect(await handOver(base, { folders: ['/a'] })).toBeNull()
  for (const one of owned.splice(0)) one.dispose()
  expect(heard).toEqual([])
  expect(existsSync(inTheWay)).toBe(true)
})

test('nobody there, or no longer there, is null', async () => {
  expect(await handOver(base, { folders: [] })).toBeNull()
  await own(base)
  for (const one of owned.splice(0)) one.dispose()
  expect(readdirSync(base)).toEqual([])
  expect(await handOver(base, { folders: [] })).toBeNull()
})

test('what is not a request gets no answer, and the next one does', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const heard = await own(base)
  const path = join(base, 'hand-over.sock')
  expect(existsSync(path)).toBe(true)
  const socket = connect(path)
  socket.end('{"folders":"all of them"}\n')
  await once(socket, 'close')
  expect(socket.bytesRead).toBe(0)
  expect(await handOver(base, { folders: [] })).not.toBeNull()
  expect(heard).toHaveLength(1)
})

/** An owner that opens every file, and the ends of what was opened. */
async function openAll(directory: string) {
  const asked: EditRequest[] = []
  const waits: { end: (done: Done) => void; gone: Promise<void> }[] = []
  const opened = new Emitter<void>()
  owned.push(
    await listenForHandOver(directory, {
      open: () => Promise.resolve({ pid: 1, ready: null }),
      edit: (request) => {
        asked.push(request)
        let end: (done: Done) => void = () => undefined
        const ended = new Promise<Done>((resolve) => (end = resolve))
        let leave: () => void = () => undefined
        waits.push({ end, gone: new Promise((resolve) => (leave = resolve)) })
        queueMicrotask(() => opened.emit())
        return Promise.resolve(succeed({ ended, dispose: () => leave() }))
      },
      compare: () => Promise.resolve(succeed({})),
    }),
  )
  return { asked, waits, opened: () => new Promise<void>((resolve) => opened.on(() => resolve())) }
}

const file = { path: '/a', line: 3, column: null }

test('a command waits until its files are closed', async () => {
  const owner = await openAll(base)
  const opened = owner.opened()
  const edited = editElsewhere(base, { files: [file], window: 'w' })
  await opened
  expect(owner.asked).toEqual([{ files: [file], window: 'w' }])
  owner.waits[0]?.end(succeed({}))
  expect(await edited).toEqual({ ok: true, value: {} })
})

test('what the owner says against it, and its end, are the command’s failure', async () => {
  expect(await editElsewhere(base, { files: [file], window: null })).toMatchObject({
    failure: { code: 'nobody' },
  })
  const owner = await openAll(base)
  const ended = owner.opened()
  const first = editElsewhere(base, { files: [file], window: null })
  await ended
  owner.waits[0]?.end(fail('window-gone', 'The window was closed.'))
  expect(await first).toMatchObject({ failure: { code: 'lost', message: 'The window was closed.' } })
  const opened = owner.opened()
  const second = editElsewhere(base, { files: [file], window: null })
  await opened
  for (const one of owned.splice(0)) one.dispose()
  expect(await second).toMatchObject({ failure: { code: 'lost', message: expect.stringContaining('ended') } })
  await own(base)
  expect(await editElsewhere(base, { files: [file], window: null })).toMatchObject({
    failure: { code: 'refused', message: 'There is no window.' },
  })
})

test('a command that goes away is no longer waited for', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const owner = await openAll(base)
  const opened = owner.opened()
  const socket = connect(join(base, 'hand-over.sock'))
  socket.write(`${JSON.stringify({ edit: { files: [file], window: null } })}\n`)
  await opened
  socket.destroy()
  await owner.waits[0]?.gone
  expect(owner.waits).toHaveLength(1)
})

test('two files are compared, or a sentence says why not', async () => {
  await own(base)
  expect(await compareElsewhere(base, { left: '/a', right: '/b', window: null })).toMatchObject({ ok: true })
  expect(await compareElsewhere(base, { left: '/x', right: '/b', window: null })).toMatchObject({
    failure: { code: 'refused', message: 'No such file.' },
  })
})
