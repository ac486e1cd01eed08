import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { isStandIn, launchSample, type Sample } from './sample-app/launch'

test.skip(() => !isStandIn(), 'about the stand-in, and another Electron is asked for')

let sample: Sample

test.beforeAll(async () => {
  sample = await launchSample(process.env['SAMPLE_APP'] ?? '')
})
test.afterAll(() => sample.dispose())

test('a call reaches the main process, and structured clone keeps what it should', async () => {
  const same = await sample.page.evaluate(async () => {
    const value = {
      at: new Date(5),
      map: new Map([['a', new Set([1])]]),
      bytes: new Uint8Array([1, 255]),
      numbers: [2n ** 70n, -0, NaN, undefined, null] as const,
    }
    const back = (await window.sample.invoke('echo', value)) as typeof value
    const [big, minus, not, none, nothing] = back.numbers
    return [
      back.at.getTime(),
      back.map.get('a')?.has(1),
      [...back.bytes],
      [big === 2n ** 70n, Object.is(minus, -0), Number.isNaN(not), none === undefined, nothing === null],
    ]
  })
  expect(same).toEqual([5, true, [1, 255], [true, true, true, true, true]])
})

test('cycles are kept in what contextBridge clones whole', async () => {
  const isCycle = await sample.page.evaluate(async () => {
    const map = new Map<string, unknown>()
    map.set('self', map)
    const back = await window.sample.invoke('echo', map)
    return back instanceof Map && back.get('self') === back
  })
  expect(isCycle).toBe(true)
})

test('a function cannot be cloned', async () => {
  const refusal = sample.page.evaluate(() =>
    window.sample.invoke('echo', () => 1).catch((error: Error) => error.message),
  )
  expect(await refusal).toBe('An object could not be cloned.')
})

test('a failing handler and a missing one have Electron’s words', async () => {
  const messages = await sample.page.evaluate(() =>
    Promise.all(
      ['refuse', 'nobody'].map((name) => window.sample.invoke(name).catch((error: Error) => error.message)),
    ),
  )
  expect(messages).toEqual([
    "Error invoking remote method 'refuse': RangeError: no such thing",
    "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
  ])
})

test('the main process knows the sender', async () => {
  const { url, ...rest } = (await sample.page.evaluate(() => window.sample.invoke('where-from'))) as {
    url: string
  }
  expect(url).toBe(sample.page.url())
  expect(rest).toEqual({ isMainFrame: true, window: 1 })
})

test('messages arrive in order', async () => {
  const inOrder = await sample.page.evaluate(
    () =>
      new Promise((resolve) => {
        const seen: unknown[] = []
        const stop = window.sample.on('number', (value) => {
          if (seen.push(value) < 2000) return
          stop()
          resolve(seen.every((number, at) => number === at))
        })
        window.sample.send('count', 2000)
      }),
  )
  expect(inOrder).toBe(true)
})

test('a text of 8 MB goes both ways', async () => {
  const length = 8 * 1024 * 1024
  const [sent, text, time] = await sample.page.evaluate(async (size) => {
    const start = performance.now()
    const there = await window.sample.invoke('length', '"line"\n'.repeat(Math.ceil(size / 7)).slice(0, size))
    const back = (await window.sample.invoke('make-text', size)) as string
    return [there, [back.length, back.slice(0, 7)], performance.now() - start] as const
  }, length)
  expect(sent).toBe(length)
  expect(text).toEqual([length, '"line"\n'])
  test.info().annotations.push({ type: '8 MB there and back', description: `${Math.round(time)} ms` })
})

test('the two worlds are apart', async () => {
  const seen = await sample.page.evaluate(() => {
    const names = [
      'require',
      'process',
      'module',
      'ipcRenderer',
      '__standInSend',
      '__standInReceive',
      'standInPageWorld',
    ]
    return [names.filter((name) => name in globalThis), Object.isFrozen(window.sample)]
  })
  expect(seen).toEqual([[], true])
})

test('a dialog that nobody has replaced is an error, and one that a test replaces answers', async () => {
  const ask = (): Promise<unknown> =>
    sample.page.evaluate(() => window.sample.invoke('open-folder').catch((error: Error) => error.message))
  expect(await ask()).toContain('stand-in: dialog.showOpenDialog was called')
  await sample.app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/some/folder'] })
  })
  expect(await ask()).toBe('/some/folder')
})

test('menu items are found and clicked', async () => {
  const state = await sample.app.evaluate(({ Menu }) => {
    const menu = Menu.getApplicationMenu()
    menu?.getMenuItemById('greet')?.click()
    const flag = menu?.getMenuItemById('flag')
    flag?.click()
    return [flag?.checked, menu?.items[0]?.submenu?.items.map((item) => item.label).slice(0, 2)]
  })
  expect(state).toEqual([true, ['Undo', 'Redo']])
  await expect(sample.page.locator('output')).toHaveText('hello')
})

test('what the desktop would open is written down', async () => {
  await sample.app.evaluate(({ Menu }) => void Menu.getApplicationMenu()?.getMenuItemById('site')?.click())
  const opened = await sample.app.evaluate(
    () => (globalThis as unknown as { electronStandIn: { opened: unknown } }).electronStandIn.opened,
  )
  expect(opened).toEqual([{ by: 'openExternal', what: 'https://example.org/' }])
})

test('the app is what its package and its data folder say', async () => {
  const facts = await sample.app.evaluate(({ app }) => ({
    name: app.getName(),
    version: app.getVersion(),
    data: app.getPath('userData'),
    session: app.getPath('sessionData'),
    dock: app.dock,
    packaged: app.isPackaged,
    type: process.type,
    electron: process.versions.electron,
  }))
  expect(facts).toEqual({
    name: 'sample',
    version: '1.2.3',
    data: sample.data,
    session: sample.data,
    dock: undefined,
    packaged: false,
    type: 'browser',
    electron: '45.4.1',
  })
  expect(statSync(join(sample.data, 'SingletonSocket')).isSocket()).toBe(true)
  const refusal = sample.app.evaluate(({ app }) => app.setPath('userData', '/no/such/folder'))
  await expect(refusal).rejects.toThrow("Failed to set 'userData' path")
})

test('the handlers decide about permissions', async () => {
  const states = await sample.page.evaluate(async () => {
    const state = async (name: string): Promise<string> =>
      (await navigator.permissions.query({ name: name as PermissionName })).state
    await navigator.clipboard.writeText('copied')
    return [
      await state('clipboard-read'),
      await navigator.clipboard.readText(),
      await state('geolocation'),
      await Notification.requestPermission(),
    ]
  })
  expect(states).toEqual(['granted', 'copied', 'denied', 'denied'])
  const answers = await sample.app.evaluate(
    () =>
      (
        globalThis as unknown as {
          electronStandIn: { permissionAnswers: { permission: string; handler: string; granted: boolean }[] }
        }
      ).electronStandIn.permissionAnswers,
  )
  expect(answers).toContainEqual({ permission: 'geolocation', handler: 'check', granted: false })
  expect(answers).toContainEqual({ permission: 'clipboard-read', handler: 'request', granted: true })
})

test('a name that the stand-in lacks throws, in every place', async () => {
  const attempts = await sample.app.evaluate(({ app, BrowserWindow, Menu, shell, Tray }) => {
    const window = BrowserWindow.getAllWindows()[0]
    const message = (attempt: () => unknown): string => {
      try {
        attempt()
        return 'nothing thrown'
      } catch (error) {
        return String(error).replace(/ \(see .*/, '')
      }
    }
    return [
      message(() => app.getFileIcon('/')),
      message(() => app.on('gpu-info-update', () => {})),
      message(() => window?.setVibrancy('menu')),
      message(() => window?.webContents.navigationHistory),
      message(() => 'fromBrowserView' in BrowserWindow || Reflect.get(BrowserWindow, 'fromBrowserView')),
      message(() => new BrowserWindow({ frame: false })),
      message(() => new BrowserWindow({ webPreferences: { sandbox: false } })),
      message(() => Menu.sendActionToFirstResponder('x')),
      message(() => shell.readShortcutLink('x')),
      message(() => new Tray('x')),
    ]
  })
  expect(attempts).toEqual([
    'Error: stand-in: app.getFileIcon is not implemented',
    "Error: stand-in: app.on('gpu-info-update') is not implemented",
    'Error: stand-in: BrowserWindow.setVibrancy is not implemented',
    'Error: stand-in: webContents.navigationHistory is not implemented',
    'Error: stand-in: BrowserWindow.fromBrowserView is not implemented',
    'Error: stand-in: new BrowserWindow({ frame }) is not implemented',
    'Error: stand-in: webPreferences.sandbox: false is not implemented',
    'Error: stand-in: Menu.sendActionToFirstResponder is not implemented',
    'Error: stand-in: shell.readShortcutLink is not implemented',
    'Error: stand-in: Tray is not implemented',
  ])
})
