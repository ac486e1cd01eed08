import { expect, test } from '@playwright/test'
import { isStandIn, launchSample, type Sample } from './sample-app/launch'

test.skip(() => !isStandIn(), 'about the stand-in, and another Electron is asked for')

let sample: Sample

test.beforeEach(async () => {
  sample = await launchSample(process.env['SAMPLE_APP'] ?? '')
})
test.afterEach(() => sample?.dispose())

test('a window tells of its beginning in order', async () => {
  await expect
    .poll(() => sample.journal())
    .toEqual(expect.arrayContaining(['did-finish-load', 'focus']) as string[])
  const lines = sample.journal()
  const order = (names: string[]): string[] => lines.filter((line) => names.includes(line))
  expect(order(['did-navigate', 'dom-ready', 'did-finish-load'])).toEqual([
    'did-navigate',
    'dom-ready',
    'did-finish-load',
  ])
  expect(order(['ready-to-show', 'show', 'focus'])).toEqual(['ready-to-show', 'show', 'focus'])
})

test('a page has the size of its window, and follows it', async () => {
  const size = (): Promise<number[]> => sample.page.evaluate(() => [innerWidth, innerHeight])
  await expect.poll(size).toEqual([900, 600])
  const events = await sample.app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    const heard: string[] = []
    if (!window) return heard
    for (const name of ['resize', 'move', 'maximize', 'unmaximize'] as const) {
      window.on(name as 'resize', () => heard.push(name))
    }
    const both = new Promise<void>((resolve) => window.once('move', () => resolve()))
    window.setBounds({ x: 5, width: 700, height: 500 })
    await both
    window.maximize()
    heard.push(String(window.isMaximized()), String(window.getNormalBounds().width))
    window.unmaximize()
    heard.push(JSON.stringify(window.getBounds()))
    return heard
  })
  expect(events).toEqual([
    'resize',
    'move',
    'maximize',
    'true',
    '700',
    'unmaximize',
    expect.stringContaining('"width":700'),
  ])
  await expect.poll(size).toEqual([700, 500])
})

test('two windows share the focus, and each has its own page', async () => {
  const opened = sample.app.waitForEvent('window')
  const ids = await sample.app.evaluate(async ({ BrowserWindow }) => {
    const [first] = BrowserWindow.getAllWindows()
    const second = new BrowserWindow({ title: 'Second', show: false })
    const hidden = BrowserWindow.getFocusedWindow()?.id
    second.show()
    const shown = BrowserWindow.getFocusedWindow()?.id
    second.hide()
    return { first: first?.id, second: second.id, hidden, shown, after: BrowserWindow.getFocusedWindow()?.id }
  })
  await opened
  expect(ids).toEqual({
    first: ids.first,
    second: ids.second,
    hidden: ids.first,
    shown: ids.second,
    after: ids.first,
  })
  const handle = await sample.app.browserWindow(sample.page)
  await expect
    .poll(() => handle.evaluate((window: Electron.BrowserWindow) => window.getTitle()))
    .toBe('Sample')
  expect(
    await handle.evaluate((window: Electron.BrowserWindow) => [window.isVisible(), window.isFocused()]),
  ).toEqual([true, true])
  await sample.app.evaluate(({ BrowserWindow }, id) => BrowserWindow.fromId(id)?.destroy(), ids.second)
  await expect.poll(() => sample.app.windows().length).toBe(1)
})

test('the theme reaches the page', async () => {
  await sample.page.emulateMedia({ colorScheme: null })
  const dark = (): Promise<boolean> =>
    sample.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const updated = await sample.app.evaluate(
    ({ nativeTheme }) =>
      new Promise((resolve) => {
        nativeTheme.once('updated', () => resolve(nativeTheme.shouldUseDarkColors))
        nativeTheme.themeSource = 'dark'
      }),
  )
  expect(updated).toBe(true)
  await expect.poll(dark).toBe(true)
})

test('a second preload that is an ES module is refused loudly', async () => {
  const error = await sample.app.evaluate(({ BrowserWindow }) => {
    const window = new BrowserWindow({
      show: false,
      webPreferences: { preload: `${process.cwd()}/test/electron-stand-in/build.mjs` },
    })
    return new Promise((resolve) => {
      window.webContents.on('preload-error', (_event, _path, failure) => resolve(failure.message))
    })
  })
  expect(error).toContain('Cannot use import statement outside a module')
})

test('a page closes its window, and the last window ends the app', async () => {
  const closed = sample.app.waitForEvent('close')
  await sample.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await closed
  const ends = ['close', 'closed', 'window-all-closed', 'before-quit', 'will-quit', 'quit 0']
  expect(sample.journal().slice(-ends.length)).toEqual(ends)
})
