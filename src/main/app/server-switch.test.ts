import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWindowOn, pageOf, startPlainApp } from '../../../test/plain-app'
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

const locks = () => readdir(join(home, '.claude', 'ide')).catch(() => [])

test.each(['claudeIde', 'gemini'] as const)('on and at once off again is off: %s', async (which) => {
  const { server } = (await openWindowOn(app, project))[which]
  await server.switch(false)
  const on = server.switch(true)
  await server.switch(false)
  await on
  expect(server.running).toBeNull()
  expect(await locks()).toHaveLength(which === 'claudeIde' ? 0 : 1)
})

test.each(['claudeIde', 'gemini'] as const)('on, off, on, as fast as can be, is on: %s', async (which) => {
  const { server } = (await openWindowOn(app, project))[which]
  await server.switch(false)
  const switched = [true, false, true].map((on) => server.switch(on))
  await Promise.all(switched)
  expect(server.running).not.toBeNull()
  expect(await locks()).toHaveLength(1)
  await server.switch(false)
  expect(server.running).toBeNull()
})

test('a window that is closed while its server starts leaves no server and no lock file', async () => {
  const window = await openWindowOn(app, project)
  const { server } = window.claudeIde
  await server.switch(false)
  const on = server.switch(true)
  await window.close(0)
  await on
  expect(server.running).toBeNull()
  expect(await locks()).toEqual([])
})

test('what was switched off stays off with a folder more, and after a restart', async () => {
  const other = join(home, 'other')
  await mkdir(other)
  let window = await openWindowOn(app, project)
  const page = pageOf(window)
  await page.call('connections.setServer', { dialect: 'claude-ide', on: false })
  await page.call('window.addFolder', { path: other })
  expect(window.folders).toEqual([project, other])
  expect(window.readiness().claudeIde).toBeUndefined()
  await app.shutdown()
  app = await startPlainApp(home)
  window = await openWindowOn(app, project, other)
  expect(window.readiness().claudeIde).toBeUndefined()
  expect(window.gemini.server.running).not.toBeNull()
})

test('a folder for which the server is off is opened in an empty window: it is off', async () => {
  let window = await openWindowOn(app, project)
  await window.claudeIde.server.switch(false)
  await app.shutdown()
  app = await startPlainApp(home)
  window = await openWindowOn(app)
  await pageOf(window).call('window.openFolder', { path: project })
  expect(window.folders).toEqual([project])
  expect(window.readiness().claudeIde).toBeUndefined()
  expect(await locks()).toEqual([])
})

test('off is off, also where the disk refuses to keep it', async () => {
  const { server } = (await openWindowOn(app, project)).claudeIde
  const kept = join(home, 'data', 'folders')
  await rm(kept, { recursive: true })
  await writeFile(kept, 'no folder')
  await server.switch(false)
  await rm(kept)
  expect(server.running).toBeNull()
  expect(await locks()).toEqual([])
})
