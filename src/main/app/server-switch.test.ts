import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentServer } from './dialect-kit/dialect'
import type { WindowHost } from './window-host'
import { openWindowOn, pageOf, startPlainApp, readyOf } from '../../../test/plain-app'
import type { App } from './app'

/** The switch of an agents' server: what the person said last holds, over folders, restarts and a disk that refuses. */
let home: string
let project: string
let app: App

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-switch-')))
  project = join(home, 'project')
  await mkdir(project)
  app = await startPlainApp(home)
})
afterEach(async () => {
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** The server of a dialect, which every window has. */
function serverOf(window: WindowHost, dialect: string): AgentServer {
  const server = window.serverOf(dialect)
  if (!server) throw new Error(`no server speaks ${dialect}`)
  return server
}

const locks = () => readdir(join(home, '.claude', 'ide')).catch(() => [])

test.each(['claude-ide', 'gemini-companion'])('on and at once off again is off: %s', async (which) => {
  const server = serverOf(await openWindowOn(app, project), which)
  await server.switch(false)
  const on = server.switch(true)
  await server.switch(false)
  await on
  expect(server.checked().on).toBe(false)
  expect(await locks()).toHaveLength(which === 'claude-ide' ? 0 : 1)
})

test.each(['claude-ide', 'gemini-companion'])('on, off, on, as fast as can be, is on: %s', async (which) => {
  const server = serverOf(await openWindowOn(app, project), which)
  await server.switch(false)
  const switched = [true, false, true].map((on) => server.switch(on))
  await Promise.all(switched)
  expect(server.checked().on).toBe(true)
  expect(await locks()).toHaveLength(1)
  await server.switch(false)
  expect(server.checked().on).toBe(false)
})

test('a window that is closed while its server starts leaves no server and no lock file', async () => {
  const window = await openWindowOn(app, project)
  const server = serverOf(window, 'claude-ide')
  await server.switch(false)
  const on = server.switch(true)
  await window.close(0)
  await on
  expect(server.checked().on).toBe(false)
  expect(await locks()).toEqual([])
})

test('what was switched off stays off with a folder more, and after a restart', async () => {
  const other = join(home, 'other')
  await mkdir(other)
  let window = await openWindowOn(app, project)
  const page = pageOf(window)
  await page.call('connections.setServer', { dialect: 'claude-ide', on: false })
  await page.call('window.addFolder', { path: other })
  expect(window.folders.paths).toEqual([project, other])
  expect(readyOf(window).claudeIde).toBeUndefined()
  await app.shutdown()
  app = await startPlainApp(home)
  window = await openWindowOn(app, project, other)
  expect(readyOf(window).claudeIde).toBeUndefined()
  expect(serverOf(window, 'gemini-companion').checked().on).toBe(true)
})

test('a folder for which the server is off is opened in an empty window: it is off', async () => {
  let window = await openWindowOn(app, project)
  await serverOf(window, 'claude-ide').switch(false)
  await app.shutdown()
  app = await startPlainApp(home)
  window = await openWindowOn(app)
  await pageOf(window).call('window.openFolder', { path: project })
  expect(window.folders.paths).toEqual([project])
  expect(readyOf(window).claudeIde).toBeUndefined()
  expect(await locks()).toEqual([])
})

test('off is off, also where the disk refuses to keep it', async () => {
  const server = serverOf(await openWindowOn(app, project), 'claude-ide')
  const kept = join(home, 'data', 'folders')
  await rm(kept, { recursive: true })
  await writeFile(kept, 'no folder')
  await server.switch(false)
  await rm(kept)
  expect(server.checked().on).toBe(false)
  expect(await locks()).toEqual([])
})
