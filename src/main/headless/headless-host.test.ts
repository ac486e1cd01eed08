import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { handOver } from '../core/platform/hand-over-client'
import type { Log } from '../core/platform/log'
import { disposable } from '../../shared/lifetime'
import { fail, succeed } from '../../shared/result'
import type { HostAbilities } from '../app/host-abilities'
import type { HostedApp, HostedWindow } from './hosted-app'
import { type HeadlessHost, type HeadlessOptions, startHeadlessHost } from './headless-host'

/** For what comes on a busy machine too, or never. */
const patient = { timeout: 20_000 }

let base: string
let app: FakeApp
let said: string[]
let hosts: HeadlessHost[]

/** An app that only has windows. */
class FakeApp implements HostedApp {
  readonly opened: HostedWindow[] = []
  lastOpen: string[][] = []
  abilities: HostAbilities | null = null
  ended = 0
  beginnings = 0

  openWindow(folders: readonly string[]) {
    if (folders.includes('/forbidden'))
      return Promise.resolve(fail('forbidden', 'That folder cannot be opened.'))
    const window: HostedWindow = {
      id: `w${this.opened.length}`,
      folders: { paths: folders },
      connect: () => disposable(() => undefined),
      notices: { warn: () => undefined },
      readiness: () => ({ workspace: [...folders], claudeIde: { port: 1, lockFiles: ['/1.lock'] } }),
    }
    this.opened.push(window)
    return Promise.resolve(succeed(window))
  }
  begun() {
    this.beginnings++
  }
  windows() {
    return this.opened
  }
  windowOf(folder: string) {
    return this.opened.find((window) => window.folders.paths.includes(folder))
  }
  readonly commands = {
    edit: () => Promise.resolve(fail('no-window', 'There is no window.')),
    compare: () => Promise.resolve(fail('no-window', 'There is no window.')),
    outside: () => Promise.resolve(fail('no-window', 'There is no window.')),
    run: () => Promise.resolve(0),
  }
  shutdown() {
    this.ended++
    return Promise.resolve()
  }
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function start(options: Partial<HeadlessOptions> = {}) {
  const started = await startHeadlessHost({
    folders: ['/a'],
    reopens: false,
    port: null,
    dataDirectory: base,
    pageDirectory: join(base, 'page'),
    browser: null,
    log: silent,
    say: (sentence) => said.push(sentence),
    onUnwatched: () => undefined,
    createApp: (abilities) => {
      app.abilities = abilities
      return Promise.resolve(succeed(app))
    },
    ...options,
  })
  if (started.ok) hosts.push(started.value)
  return started
}

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-host-'))
  mkdirSync(join(base, 'page'))
  writeFileSync(join(base, 'page', 'index.html'), 'page')
  app = new FakeApp()
  said = []
  hosts = []
})
afterEach(async () => {
  for (const host of hosts) await host.shutdown()
  rmSync(base, { recursive: true })
})

const readyOf = (host: HeadlessHost) =>
  JSON.parse(host.readyLine()) as Record<string, unknown> & { url: string }
const follow = (url: string) => fetch(url, { redirect: 'manual' })

test('the ready line has all that scripts hold on to, and its link leads to the window', async () => {
  const started = await start()
  if (!started.ok) throw new Error(started.failure.message)
  const line = started.value.readyLine()
  expect(line).not.toContain('\n')
  expect(JSON.parse(line)).toEqual({
    ready: true,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]+$/),
    pid: process.pid,
    workspace: ['/a'],
    claudeIde: { port: 1, lockFiles: ['/1.lock'] },
  })
  const answer = await follow(readyOf(started.value).url)
  expect(answer.headers.get('location')).toMatch(/^\/w\/w0\/#token=/)
})

/** What a second start hears; null where nobody answers. */
async function askHost(...folders: readonly string[]) {
  const answer = await handOver(base, { folders: [...folders] })
  return answer?.ok ? answer.value : null
}

describe('a second start', () => {
  test('opens its folders in a window of their own and gets a link to it', async () => {
    await start()
    const answer = await askHost('/b')
    expect(answer).toMatchObject({ pid: process.pid, ready: { workspace: ['/b'] } })
    expect(app.opened.map((window) => window.folders.paths)).toEqual([['/a'], ['/b']])
    const page = await follow(answer?.ready?.['url'] as string)
    expect(page.headers.get('location')).toMatch(/^\/w\/w1\//)
  })

  test('with folders that are open already gets a new link to their window', async () => {
    await start({ folders: ['/a', '/b'] })
    const answer = await askHost('/b')
    expect(answer?.ready).toMatchObject({ workspace: ['/a', '/b'] })
    expect((await askHost())?.ready).toMatchObject({ workspace: ['/a', '/b'] })
    expect(app.opened).toHaveLength(1)
  })

  test('with a folder that cannot be opened hears that nothing is ready', async () => {
    await start()
    expect((await askHost('/forbidden'))?.ready).toBeNull()
    expect(said).toEqual(['That folder cannot be opened.'])
  })

  test('after the end finds nobody', async () => {
    const started = await start()
    if (started.ok) await started.value.shutdown()
    expect(await handOver(base, { folders: [] })).toBeNull()
  })
})

test('a page that asks for another window has a link of its own, which works once', async () => {
  await start()
  const link = (await app.abilities?.openWindow(['/c'])) ?? ''
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?code=/)
  expect(said[0]).not.toContain(link)
  expect((await follow(link)).headers.get('location')).toMatch(/^\/w\/w1\/#token=/)
  expect((await follow(link)).status).toBe(403)
  const again = app.abilities?.focusWindow('w1') ?? ''
  expect((await follow(again)).headers.get('location')).toMatch(/^\/w\/w1\/#token=/)
  expect(app.abilities?.focusWindow('none')).toBeNull()
  expect(await app.abilities?.openWindow(['/forbidden'])).toBeNull()
})

test('the end is one end, and frees the port', async () => {
  const started = await start()
  if (!started.ok) throw new Error(started.failure.message)
  const { url } = readyOf(started.value)
  await Promise.all([started.value.shutdown(), started.value.shutdown()])
  expect(app.ended).toBe(1)
  await expect(follow(url)).rejects.toThrow()
})

test('what cannot start leaves nothing behind', async () => {
  const first = await start()
  const port = first.ok ? Number(new URL(readyOf(first.value).url).port) : 0
  const taken = await start({ port, dataDirectory: join(base, 'page') })
  expect(taken).toMatchObject({ ok: false, failure: { code: 'port-taken' } })
  expect(app.ended).toBe(1)
  const inUse = await start({
    createApp: () => Promise.resolve(fail('in-use', 'Greenlight is already running.')),
  })
  expect(inUse).toMatchObject({ ok: false, failure: { code: 'in-use' } })
})

describe('a browser', () => {
  beforeEach((context) => context.skip(process.platform !== 'linux', 'Linux only'))

  /** A program in the browser's place: it notes its words, and may open the page before it ends. */
  function makeBrowser(look: string): string {
    const path = join(base, 'browser.mjs')
    writeFileSync(
      path,
      `#!${process.execPath}
      import { readFileSync, statSync, writeFileSync } from 'node:fs'
      const words = process.argv.slice(2)
      writeFileSync(${JSON.stringify(join(base, 'words.json'))}, JSON.stringify(words))
      const file = new URL(words.find((word) => word.startsWith('--app=')).slice(6))
      const url = /url=([^"]+)"/.exec(readFileSync(file, 'utf8'))[1]
      const mode = statSync(file).mode & 0o777
      writeFileSync(${JSON.stringify(join(base, 'link.json'))}, JSON.stringify({ url, mode }))
      ${look}`,
    )
    chmodSync(path, 0o700)
    return path
  }

  test('is given a file with the link, which no other user sees, and a profile of its own', async () => {
    await start({ browser: makeBrowser('') })
    await expect.poll(() => said, patient).toHaveLength(1)
    const { url, mode } = JSON.parse(readFileSync(join(base, 'link.json'), 'utf8')) as {
      url: string
      mode: number
    }
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?code=[\w-]+$/)
    expect(mode).toBe(0o600)
    const words = readFileSync(join(base, 'words.json'), 'utf8')
    expect(words).not.toContain('code')
    expect(JSON.parse(words)).toContain(`--user-data-dir=${join(base, 'browser')}`)
    for (const host of hosts) await host.shutdown()
    expect(readdirSync(base).filter((name) => name.startsWith('link-'))).toEqual([])
  })

  test('that ends before it showed the page is told, with a new link', async () => {
    let unwatched = 0
    await start({ browser: makeBrowser(''), onUnwatched: () => unwatched++ })
    await expect.poll(() => said, patient).toHaveLength(1)
    expect(said[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?code=/)
    expect(unwatched).toBe(0)
  })

  test('that ends after the person has seen the page ends the host', async () => {
    const look = `
      const entered = await fetch(url, { redirect: 'manual' })
      const [path, token] = entered.headers.get('location').split('#token=')
      const { WebSocket } = (await import(${JSON.stringify(createRequire(import.meta.url).resolve('ws'))})).default
      const address = new URL(path, url)
      const headers = { cookie: entered.headers.get('set-cookie').split(';')[0], origin: address.origin }
      const socket = new WebSocket(address.href.replace('http:', 'ws:') + 'channel', { headers })
      socket.on('open', () => socket.send(JSON.stringify({ t: 'hello', page: 'a', token, takeOver: false })))
      socket.on('message', () => process.exit(0))`
    await new Promise<void>((resolve) => void start({ browser: makeBrowser(look), onUnwatched: resolve }))
    expect(said).toEqual([])
  })
})
