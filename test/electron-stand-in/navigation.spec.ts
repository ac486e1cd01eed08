import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { isStandIn, launchSample, type Sample } from './sample-app/launch'

test.skip(() => !isStandIn(), 'about the stand-in, and another Electron is asked for')

let sample: Sample
let home: string

test.beforeAll(async () => {
  sample = await launchSample(process.env['SAMPLE_APP'] ?? '')
  home = sample.page.url()
})
test.afterAll(() => sample?.dispose())

const other = (): string => new URL('other.html', home).href

/** Waits until the app has written down a line. */
async function noted(line: string): Promise<void> {
  await expect.poll(() => sample.journal()).toContain(line)
}

/** The page still is what it was: its script's state has not gone. */
async function isUnmoved(): Promise<void> {
  expect(await sample.page.evaluate(() => [location.href.replace(/#.*/, ''), 'mark' in window])).toEqual([
    home,
    true,
  ])
}

test.beforeEach(() => sample.page.evaluate(() => void Object.assign(window, { mark: true })))

test('a link that leads away is refused', async () => {
  await sample.page.getByRole('link', { name: 'away' }).click()
  await noted(`will-navigate ${other()}`)
  await isUnmoved()
})

test('a script that leads away is refused, to a file, to the network and to itself', async () => {
  for (const to of [other(), 'http://localhost:9/', 'http://localhost:9/?again']) {
    await sample.page.evaluate((url) => location.assign(url), to)
    await noted(`will-navigate ${to}`)
    await isUnmoved()
  }
  await sample.page.evaluate(() => location.reload())
  await noted(`will-navigate ${home}`)
  await isUnmoved()
})

test('a link within the page is not asked about', async () => {
  const before = sample.journal().filter((line) => line.startsWith('will-navigate')).length
  await sample.page.getByRole('link', { name: 'part' }).click()
  await expect.poll(() => sample.page.url()).toBe(`${home}#part`)
  expect(sample.journal().filter((line) => line.startsWith('will-navigate'))).toHaveLength(before)
})

test('window.open gives the page nothing, and the handler is told', async () => {
  expect(await sample.page.evaluate(() => window.open('other.html', 'x', 'width=100'))).toBeNull()
  await noted(`window-open new-window ${other()}`)
  await expect.poll(() => sample.app.windows().length).toBe(1)
})

test('a link to a new window opens none, nor does a click with Ctrl', async () => {
  await sample.page.getByRole('link', { name: 'new window' }).click()
  await noted(`window-open foreground-tab ${other()}`)
  await sample.page.getByRole('link', { name: 'away' }).click({ modifiers: ['Control'] })
  await noted(`window-open background-tab ${other()}`)
  await expect.poll(() => sample.app.windows().length).toBe(1)
  await isUnmoved()
})

test('a reload by the test and one by the app keep everything working', async () => {
  await sample.page.reload()
  expect(await sample.page.evaluate(() => window.sample.invoke('echo', 1))).toBe(1)
  const loaded = sample.page.waitForEvent('load')
  await sample.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload())
  await loaded
  expect(await sample.page.evaluate(() => window.sample.invoke('echo', 2))).toBe(2)
  await sample.app.evaluate(({ Menu }) => void Menu.getApplicationMenu()?.getMenuItemById('greet')?.click())
  await expect(sample.page.locator('output')).toHaveText('hello')
})

test('a page that cannot be loaded is an error with Electron’s number', async () => {
  const message = await sample.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]
      ?.loadFile('no-such.html')
      .catch((error: Error) => error.message),
  )
  expect(message).toMatch(/^ERR_FILE_NOT_FOUND \(-6\) loading 'file:.*no-such\.html'$/)
  expect(sample.journal()).toContain('did-fail-load -6 ERR_FILE_NOT_FOUND')
  await sample.app.evaluate(({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]?.loadURL(url), home)
  await expect(sample.page.locator('h1')).toHaveText('Sample')
})

test('a redirect is asked about, and refused', async () => {
  const server = createServer((_request, response) => response.writeHead(302, { location: '/there' }).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const message = await sample.app.evaluate(async ({ BrowserWindow }, url) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const asked = new Promise<string>((resolve) => {
      contents?.once('will-redirect', (event) => {
        event.preventDefault()
        resolve(event.url)
      })
    })
    const loaded = contents?.loadURL(url).catch((error: Error) => error.message)
    return [await asked, await loaded]
  }, `${at}/here`)
  expect(message).toEqual([`${at}/there`, `ERR_ABORTED (-3) loading '${at}/here'`])
  await isUnmoved()
  server.close()
})

test('the console, scripts from the app and pictures', async () => {
  await sample.page.evaluate(() => console.warn('mind', 1))
  await noted('console warning mind 1')
  const [sum, size] = await sample.app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    return [
      await window?.webContents.executeJavaScript('1 + document.links.length'),
      (await window?.capturePage())?.getSize(),
    ]
  })
  expect([sum, size]).toEqual([4, { width: 900, height: 600 }])
})

test('a process that crashes is told, and a reload brings the page back', async () => {
  await sample.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  )
  await noted('render-process-gone crashed')
  const value = await sample.app.evaluate(async ({ BrowserWindow }, url) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const crashed = contents?.isCrashed()
    await contents?.loadURL(url)
    return [
      crashed,
      contents?.isCrashed(),
      (await contents?.executeJavaScript(`window.sample.invoke('echo', 'again')`)) as unknown,
    ]
  }, home)
  expect(value).toEqual([true, false, 'again'])
})
