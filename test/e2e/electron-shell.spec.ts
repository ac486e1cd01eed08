import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ElectronApplication, type Page, _electron, expect, test as base } from '@playwright/test'
import { Place, root } from './running-host'

interface Fixtures {
  place: Place
  /** Starts the shell on the place's data directory with these words. */
  launch: (...words: string[]) => Promise<ElectronApplication>
}

const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []

const test = base.extend<Fixtures>({
  place: async ({}, use) => {
    const place = new Place()
    await use(place)
    await place.dispose()
  },
  launch: async ({ place }, use) => {
    const running: ElectronApplication[] = []
    await use(async (...words) => {
      const app = await _electron.launch({
        args: [...asRoot, root, ...words, '--data-dir', place.data],
        cwd: place.base,
        env: place.env(),
        timeout: 60_000,
      })
      running.push(app)
      return app
    })
    for (const app of running) await app.close()
  },
})

const files = (page: Page) => page.getByRole('tree', { name: 'Files' })

async function firstPage(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow()
  await expect(files(page)).toBeVisible()
  return page
}

const countWindows = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

/** Clicks an item of the native menu by its id, once the page has told its commands. */
async function clickMenu(app: ElectronApplication, id: string): Promise<void> {
  const has = (wanted: string) =>
    app.evaluate(({ Menu }, of) => Menu.getApplicationMenu()?.getMenuItemById(of) != null, wanted)
  await expect.poll(() => has(id)).toBe(true)
  await app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id)
}

test('a folder opens in a window that is named after it', async ({ launch, place }) => {
  const app = await launch(place.project)
  const page = await firstPage(app)
  await expect(page.getByRole('treeitem', { name: 'hello.txt' })).toBeVisible()
  const titles = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => one.getTitle()),
  )
  expect(titles).toEqual(['project — Greenlight'])
  expect(await app.evaluate(({ app: electron }) => electron.getPath('userData'))).toBe(
    join(place.data, 'electron'),
  )
})

test('the page has neither Node nor Electron, but one port: texts, and the place of what is dropped', async ({
  launch,
  place,
}) => {
  const page = await firstPage(await launch(place.project))
  const seen = await page.evaluate(() => ({
    globals: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
      (name) => name in globalThis,
    ),
    port: Object.keys((globalThis as unknown as { greenlightPort: object }).greenlightPort).sort(),
  }))
  expect(seen).toEqual({ globals: [], port: ['open', 'pathOf', 'send'] })
})

test('the page cannot be led away, and opens web addresses in the person’s browser only', async ({
  launch,
  place,
}) => {
  const app = await launch(place.project)
  const page = await firstPage(app)
  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = (url) => {
      opened.push(url)
      return Promise.resolve()
    }
  })
  const before = page.url()
  await page.evaluate(() => {
    window.open('https://example.com/a')
    window.open('file:///etc/passwd')
    const link = document.createElement('a')
    link.href = 'https://example.com/b'
    document.body.append(link)
    link.click()
  })
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual(['https://example.com/a'])
  expect(await countWindows(app)).toBe(1)
  expect(page.url()).toBe(before)
  await expect(files(page)).toBeVisible()
})

test('permissions are denied, but for the clipboard', async ({ launch, place }) => {
  const page = await firstPage(await launch(place.project))
  const states = await page.evaluate(async () => {
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'clipboard-read',
    ] as PermissionName[]
    return Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state))
  })
  expect(states).toEqual(['denied', 'denied', 'denied', 'denied', 'granted'])
})

test('a reload keeps the window and its connection', async ({ launch, place }) => {
  const page = await firstPage(await launch(place.project))
  await page.reload()
  await expect(page.getByRole('treeitem', { name: 'hello.txt' })).toBeVisible()
})

test('a page that crashes is loaded again and says so', async ({ launch, place }) => {
  const app = await launch(place.project)
  await firstPage(app)
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  )
  const shown = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]
        ?.webContents.executeJavaScript('document.body.innerText')
        .catch(() => ''),
    )
  await expect.poll(shown, { timeout: 30_000 }).toContain('The page crashed and was loaded again')
})

test('a second start gives its folders to the first one: a new window, or the one that has them', async ({
  launch,
  place,
}) => {
  mkdirSync(join(place.base, 'second'))
  writeFileSync(join(place.base, 'second', 'second.txt'), '')
  const app = await launch(place.project)
  await firstPage(app)
  const next = app.waitForEvent('window')
  await expect(launch('second')).rejects.toThrow()
  await expect(files(await next)).toBeVisible()
  expect(await countWindows(app)).toBe(2)
  await expect(launch(place.project)).rejects.toThrow()
  const titles = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => one.getTitle()),
  )
  expect(titles.sort()).toEqual(['project — Greenlight', 'second — Greenlight'])
})

test('a headless start on the same data directory hands over to the shell, or says that it cannot', async ({
  launch,
  place,
}) => {
  mkdirSync(join(place.base, 'second'))
  const app = await launch(place.project)
  await firstPage(app)
  const ended = await place.run(['second', '--headless', '--data-dir', place.data])
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(String(app.process().pid))
})

test('a window comes back where it was', async ({ launch, place }) => {
  const bounds = { x: 120, y: 80, width: 1000, height: 700 }
  const first = await launch(place.project)
  await firstPage(first)
  await first.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds)
  await first.close()
  const second = await launch(place.project)
  await firstPage(second)
  expect(await second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(
    bounds,
  )
})

test('Open Folder in the menu asks the system and opens what was chosen', async ({ launch, place }) => {
  const chosen = join(place.base, 'chosen')
  mkdirSync(chosen)
  writeFileSync(join(chosen, 'chosen.txt'), '')
  const app = await launch(place.project)
  await firstPage(app)
  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] })
  }, chosen)
  const next = app.waitForEvent('window')
  await clickMenu(app, 'folder.open')
  await expect((await next).getByRole('treeitem', { name: 'chosen.txt' })).toBeVisible()
  expect(await countWindows(app)).toBe(2)
})

/** Drops files and folders of the disk on the middle of the window, as the system does. */
async function drop(page: Page, ...paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data })
  }
}

test('a dropped file opens in a tab, and a dropped folder here or in a window of its own', async ({
  launch,
  place,
}) => {
  const at = (name: string) => join(place.base, name)
  const [file, other, folder, third] = [at('dropped.txt'), at('other.txt'), at('second folder'), at('third')]
  writeFileSync(file, 'from outside\n')
  writeFileSync(other, 'another\n')
  mkdirSync(folder)
  writeFileSync(join(folder, 'inside.txt'), '')
  mkdirSync(third)
  const app = await launch(place.project)
  const page = await firstPage(app)

  await drop(page, file)
  await expect(page.getByRole('textbox', { name: `Editor: ${file}` })).toContainText('from outside')
  // On an editor too, where the browser itself would insert the text.
  await drop(page, other)
  await expect(page.getByRole('textbox', { name: `Editor: ${other}` })).toContainText('another')
  await expect(page.getByRole('tab', { name: 'dropped.txt' })).not.toHaveAccessibleDescription(/modified/)

  await drop(page, folder)
  await page.getByRole('button', { name: 'In this window' }).click()
  await expect(page.getByRole('treeitem', { name: 'inside.txt' })).toBeVisible()
  expect(await countWindows(app)).toBe(1)

  await drop(page, third)
  const opening = app.waitForEvent('window')
  await page.getByRole('button', { name: 'In a new window' }).click()
  await expect(files(await opening)).toBeVisible()
  expect(await countWindows(app)).toBe(2)
})

test('quitting ends all of it within 3 s and leaves no discovery file', async ({ launch, place }) => {
  const app = await launch(place.project)
  await firstPage(app)
  const locks = join(place.home, '.claude', 'ide')
  expect(readdirSync(locks)).toHaveLength(1)
  const ended = new Promise<number | null>((resolve) => app.process().once('exit', resolve))
  const begun = Date.now()
  await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined)
  expect(await ended).toBe(0)
  expect(Date.now() - begun).toBeLessThan(3_500)
  expect(readdirSync(locks)).toEqual([])
  expect(existsSync(join(place.data, 'lock'))).toBe(false)
  expect(readFileSync(join(place.data, 'logs', 'greenlight.log'), 'utf8')).not.toContain('"level":"error"')
})
