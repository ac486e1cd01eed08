import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noAbilities, openWindowOn, pageOf, startPlainApp, readyOf } from '../../../test/plain-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { App } from './app'
import type { WindowHost } from './window-host'

let home: string
let apps: App[]
const opened: (readonly string[])[] = []
const link = 'http://127.0.0.1:1/?code=once'

async function startApp(): Promise<App> {
  const app = await startPlainApp(home, {
    abilities: {
      ...noAbilities,
      openWindow: (folders) => Promise.resolve(opened.push(folders) > 0 ? link : null),
    },
  })
  apps.push(app)
  return app
}

const openWindow = (app: App, ...names: string[]): Promise<WindowHost> =>
  openWindowOn(app, ...names.map((name) => join(home, name)))

/** The folders that an agent finds in the window's lock file. */
async function announced(window: WindowHost): Promise<unknown> {
  const [file = ''] = readyOf(window).claudeIde?.lockFiles ?? []
  return (JSON.parse(await readFile(file, 'utf8')) as { workspaceFolders: unknown }).workspaceFolders
}

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-workspace-')))
  apps = []
  opened.length = 0
  for (const name of ['one', 'two', 'three']) await mkdir(join(home, name))
  await writeFile(join(home, 'one', 'a.txt'), 'a\n')
})

afterEach(async () => {
  for (const app of apps) await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

test('a folder more and a folder less: agents are told, and port, tabs and switches stay', async () => {
  const window = await openWindow(await startApp(), 'one')
  const page = pageOf(window)
  const port = readyOf(window).claudeIde?.port
  await page.call('tabs.openFile', { path: join(home, 'one', 'a.txt'), preview: false })
  await page.call('context.share', { selection: false })
  await symlink(join(home, 'two'), join(home, 'link'))
  expect(await page.call('window.addFolder', { path: '~/link' })).toMatchObject({ ok: true })
  expect(window.folders.paths).toEqual([join(home, 'one'), join(home, 'two')])
  await expect.poll(() => announced(window)).toEqual([join(home, 'one'), join(home, 'two')])
  expect(readyOf(window).claudeIde?.port).toBe(port)
  const both = window.parts.folderStates.read(window.folders.paths)
  expect(both.context?.sharing.selection).toBe(false)
  expect(both.tabs?.tabs).toMatchObject([{ path: join(home, 'one', 'a.txt') }])

  expect(await page.call('window.removeFolder', { path: join(home, 'one') })).toMatchObject({ ok: true })
  await expect.poll(() => announced(window)).toEqual([join(home, 'two')])
  // It was never said for this folder alone, and still holds.
  expect(window.parts.folderStates.read(window.folders.paths).context?.sharing.selection).toBe(false)
  expect(window.tabs.findFile(join(home, 'one', 'a.txt'))).toBeDefined()
})

test('without any folder agents find an empty list', async () => {
  const window = await openWindow(await startApp(), 'one')
  const page = pageOf(window)
  await page.call('window.removeFolder', { path: join(home, 'one') })
  await expect.poll(() => announced(window)).toEqual([])
})

test('a folder that is open already, here or elsewhere, is not added', async () => {
  const app = await startApp()
  const [first] = [await openWindow(app, 'one'), await openWindow(app, 'two')]
  const page = pageOf(first)
  const add = (path: string) => page.call('window.addFolder', { path })
  expect(await add(join(home, 'one'))).toMatchObject({ ok: false, failure: { code: 'open-already' } })
  expect(await add(join(home, 'two'))).toMatchObject({ ok: false, failure: { code: 'open-elsewhere' } })
  expect(await add(join(home, 'one', 'a.txt'))).toMatchObject({ failure: { code: 'not-a-folder' } })
  expect(await add(join(home, 'nowhere'))).toMatchObject({ failure: { code: 'absent' } })
  expect(first.folders.paths).toEqual([join(home, 'one')])
})

test('what is dropped is sorted into folders, files and the rest', async () => {
  const page = pageOf(await openWindow(await startApp(), 'one'))
  const [folder, file, gone] = [join(home, 'two'), join(home, 'one', 'a.txt'), join(home, 'gone')]
  expect(await page.call('window.sortDropped', { paths: [gone, file, folder] })).toEqual({
    folders: [folder],
    files: [file],
    others: [gone],
  })
})

test('the next start knows the windows of the last end, not those closed before it', async () => {
  const first = await startApp()
  await openWindow(first, 'one')
  const closed = await openWindow(first, 'two')
  await openWindow(first, 'three')
  await closed.close()
  await first.shutdown()
  const second = await startApp()
  expect(second.lastOpen).toEqual([[join(home, 'three')], [join(home, 'one')]])
  // Ended before its windows were open, it has lost none of them.
  await openWindow(second, 'three')
  await second.shutdown()
  const third = await startApp()
  expect(third.lastOpen).toEqual([[join(home, 'three')], [join(home, 'one')]])
  await openWindow(third, 'two')
  await openWindow(third, 'one')
  third.begun()
  await third.shutdown()
  expect((await startApp()).lastOpen).toEqual([[join(home, 'one')], [join(home, 'two')]])
})

test('a folder brings back what was open in it when it is the first of a window', async () => {
  const app = await startApp()
  const window = await openWindow(app, 'one')
  await pageOf(window).call('tabs.openFile', { path: join(home, 'one', 'a.txt'), preview: false })
  await window.close()
  const empty = await openWindow(app)
  await pageOf(empty).call('window.openFolder', { path: join(home, 'one') })
  expect(empty.folders.paths).toEqual([join(home, 'one')])
  expect(empty.tabs.findFile(join(home, 'one', 'a.txt'))).toBeDefined()
})

test('the tour opens its folder in a window without one, which stays as good as without', async () => {
  const app = await startApp()
  const window = await openWindow(app)
  const page = pageOf(window)
  const sample = join(home, 'data', 'sample-folder')
  expect(await page.call('tour.start', {})).toMatchObject({ ok: true })
  expect(window.folders.paths).toEqual([sample])
  await page.call('tour.leave', {})
  expect(window.folders.paths).toEqual([])
  // Opened meanwhile, a folder takes its place, and stays.
  await page.call('tour.start', {})
  await page.call('window.openFolder', { path: join(home, 'one') })
  expect(window.folders.paths).toEqual([join(home, 'one')])
  expect(window.tour.state).toBeNull()
  await page.call('tour.leave', {})
  expect(window.folders.paths).toEqual([join(home, 'one')])
  // In a window with a folder of the person's it opens none.
  await page.call('tour.start', {})
  expect(window.folders.paths).toEqual([join(home, 'one')])
  expect(window.tour.state).toMatchObject({ phase: 'asking' })
  // The next start knows nothing of it.
  const other = await openWindow(app)
  await pageOf(other).call('tour.start', {})
  expect(other.folders.paths).toEqual([sample])
  await app.shutdown()
  expect((await startApp()).lastOpen).toEqual([[join(home, 'one')]])
})

test('whoever asks for another window is given the link that shows it, and none where there is no other', async () => {
  const app = await startApp()
  const page = pageOf(await openWindow(app, 'one'))
  expect(await page.call('window.openNew', {})).toEqual({ ok: true, value: { link } })
  const folder = { path: join(home, 'two') }
  expect(await page.call('window.openFolder', folder)).toEqual({ ok: true, value: { link } })
  expect(opened).toEqual([[], [join(home, 'two')]])
  expect(await page.call('window.openFolder', { path: join(home, 'one') })).toEqual({
    ok: true,
    value: { link: null },
  })
  const empty = pageOf(await openWindow(app))
  expect(await empty.call('window.openNew', {})).toMatchObject({ failure: { code: 'open-already' } })
})
