import { access, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logTo, openWindowOn, startPlainApp, readyOf } from '../../../../test/plain-app'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HttpPeer } from '../../../../test/mcp-http-peer'
import type { ReviewSummary } from '../../../shared/contract/review'
import type { App } from '../app'
import type { WindowHost } from '../window-host'

const reports: unknown[] = []
let base: string
let project: string
let app: App
let window: WindowHost
const peers: HttpPeer[] = []

async function start(): Promise<void> {
  app = await startPlainApp(base, {
    log: logTo(reports),
    env: { PATH: process.env['PATH'], HOME: base, TMPDIR: join(base, 'tmp'), SHELL: '/bin/sh' },
  })
  window = await openWindowOn(app, project)
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-gemini-')))
  project = join(base, 'project')
  await mkdir(project)
  await writeFile(join(project, 'a.txt'), 'one\ntwo\nthree\n')
  reports.length = 0
  await start()
})
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.cut()
  await app.shutdown()
  await rm(base, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

/** Connects as a command line that has read the first discovery file. */
async function connect(): Promise<HttpPeer> {
  const [file = ''] = readyOf(window).gemini?.discoveryFiles ?? []
  const { port, authToken } = JSON.parse(await readFile(file, 'utf8')) as { port: number; authToken: string }
  const peer = await HttpPeer.connect({ port, token: authToken })
  peers.push(peer)
  return peer
}

/** What a terminal of the window has in its environment. */
const variables = () => Object.assign({}, ...window.dialects.map(({ open }) => open.variables('t'))) as object

/** The review of a path, once it is open. */
function review(path: string): Promise<ReviewSummary> {
  const { desk } = window.parts
  return new Promise((resolve) => {
    const look = (): void => {
      const found = desk.summaries().find((one) => one.path === path && one.phase === 'open')
      if (!found) return
      listening.dispose()
      resolve(found)
    }
    const listening = desk.onChange(look)
    look()
  })
}

describe('a window with Gemini', () => {
  it('stands with its files before any terminal, and terminals are led to it', () => {
    const ready = readyOf(window).gemini
    expect(ready?.discoveryFiles[0]).toContain(join(base, 'tmp', 'gemini', 'ide'))
    expect(variables()).toMatchObject({
      GEMINI_CLI_IDE_SERVER_PORT: String(ready?.port),
      QWEN_CODE_IDE_SERVER_PORT: String(ready?.port),
    })
  })

  it('lists who is connected, with its process', async () => {
    await connect()
    const [connection] = window.connections.list()
    expect(connection).toMatchObject({ dialect: 'gemini-companion', agent: 'Gemini', version: '0.61.0' })
    if (process.platform === 'linux') {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (window.connections.list()[0]?.pid !== process.pid) return
          listening.dispose()
          resolve()
        }
        const listening = window.connections.onChange(look)
        look()
      })
    }
  })

  it('reviews its change, and believes the disk', async () => {
    const path = join(project, 'a.txt')
    const gemini = await connect()
    await gemini.openDiff(path, 'one\nTWO\nthree\n')
    const { id, revision } = await review(path)
    expect(window.parts.desk.accept(id, revision)).toEqual({ ok: true, value: {} })
    expect((await gemini.take('ide/diffAccepted')).params['content']).toBe('one\nTWO\nthree\n')
    await writeFile(path, 'one\nTWO\nthree\n')
    await new Promise<void>((resolve) => {
      window.parts.desk.onChange((event) => {
        if (event.kind === 'ended' && event.end === 'confirmed') resolve()
      })
    })
  })

  it('does not accept what it cannot be told', async () => {
    const path = join(project, 'a.txt')
    const gemini = await connect()
    await gemini.openDiff(path, 'x')
    const { id, revision } = await review(path)
    const { desk } = window.parts
    const edit = { kind: 'edit' as const, changes: [[1]] }
    expect(desk.step(id, { client: 'page', version: 0, after: 0, steps: [edit] }).status).toBe('accepted')
    const now = desk.summary(id)?.revision ?? revision
    expect(desk.accept(id, now)).toMatchObject({ ok: false, failure: { code: 'unsayable' } })
    expect(desk.reject(id, now)).toEqual({ ok: true, value: {} })
    await gemini.take('ide/diffRejected')
  })

  it('is rejected and told when the switch goes off, and comes back at the same address', async () => {
    const path = join(project, 'a.txt')
    const before = readyOf(window).gemini
    expect((await stat(before?.discoveryFiles[0] ?? '')).mode & 0o777).toBe(0o600)
    const gemini = await connect()
    await gemini.openDiff(path, 'one\nTWO\nthree\n')
    await review(path)
    await window.serverOf('gemini-companion')?.switch(false)
    expect((await gemini.take('ide/diffRejected')).params).toEqual({ filePath: path })
    expect(window.connections.list()).toEqual([])
    for (const file of before?.discoveryFiles ?? []) await expect(access(file)).rejects.toThrow()
    expect(variables()).toMatchObject({ GEMINI_CLI_IDE_SERVER_PORT: undefined })
    await window.serverOf('gemini-companion')?.switch(true)
    expect(readyOf(window).gemini).toEqual(before)
  })

  it('is rejected and told at the end of the app, which comes back at the same address', async () => {
    const path = join(project, 'a.txt')
    const before = readyOf(window).gemini
    const gemini = await connect()
    await gemini.openDiff(path, 'one\nTWO\nthree\n')
    await review(path)
    await app.shutdown()
    expect((await gemini.take('ide/diffRejected')).params).toEqual({ filePath: path })
    await start()
    expect(readyOf(window).gemini).toEqual(before)
  })
})
