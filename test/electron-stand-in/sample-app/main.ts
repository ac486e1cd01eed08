// The main process of a small app that uses what Greenlight's shell uses, and writes down what it hears.
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shell } from 'electron/common'
import { app, BrowserWindow, dialog, ipcMain, Menu, session } from 'electron/main'

const here = dirname(fileURLToPath(import.meta.url))
const journal = process.env['SAMPLE_JOURNAL']

function note(line: string): void {
  if (journal !== undefined) appendFileSync(journal, `${line}\n`)
}

const data = process.env['SAMPLE_DATA']
if (data !== undefined) {
  mkdirSync(data, { recursive: true })
  app.setPath('userData', data)
}
app.enableSandbox()

function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 900,
    height: 600,
    show: false,
    webPreferences: { preload: join(here, '../preload/index.cjs'), sandbox: true, contextIsolation: true },
  })
  const { webContents } = window
  window.on('ready-to-show', () => note('ready-to-show'))
  window.once('ready-to-show', () => window.show())
  window.on('show', () => note('show'))
  window.on('focus', () => note('focus'))
  window.on('close', (event) => {
    note('close')
    if (process.env['SAMPLE_KEEP'] !== undefined) event.preventDefault()
  })
  window.on('closed', () => note('closed'))
  webContents.on('did-navigate', () => note('did-navigate'))
  webContents.on('dom-ready', () => note('dom-ready'))
  webContents.on('did-finish-load', () => note('did-finish-load'))
  webContents.on('did-fail-load', (_event, code, description) => note(`did-fail-load ${code} ${description}`))
  webContents.on('render-process-gone', (_event, { reason }) => note(`render-process-gone ${reason}`))
  webContents.on('console-message', ({ level, message }) => note(`console ${level} ${message}`))
  webContents.on('will-navigate', (event) => {
    note(`will-navigate ${event.url}`)
    event.preventDefault()
  })
  webContents.setWindowOpenHandler(({ url, disposition }) => {
    note(`window-open ${disposition} ${url}`)
    return { action: 'deny' }
  })
  void window.loadFile(join(here, '../renderer/index.html'))
  return window
}

ipcMain.handle('echo', (_event, value: unknown) => value)
ipcMain.handle('length', (_event, text: string) => text.length)
ipcMain.handle('make-text', (_event, length: number) =>
  '"line"\n'.repeat(Math.ceil(length / 7)).slice(0, length),
)
ipcMain.handle('refuse', () => {
  throw new RangeError('no such thing')
})
ipcMain.handle('where-from', (event) => ({
  url: event.senderFrame?.url,
  isMainFrame: event.senderFrame === event.sender.mainFrame,
  window: BrowserWindow.fromWebContents(event.sender)?.id,
}))
ipcMain.handle('open-folder', async (event) => {
  const window = BrowserWindow.fromWebContents(event.sender)
  if (!window) return 'no window'
  const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] })
  return canceled ? 'nothing' : filePaths[0]
})
ipcMain.on('count', (event, count: number) => {
  for (let number = 0; number < count; number++) event.reply('number', number)
})

function start(): void {
  session.defaultSession.setPermissionCheckHandler((_contents, permission) =>
    permission.startsWith('clipboard'),
  )
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(permission.startsWith('clipboard'))
  })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { role: 'editMenu' },
      {
        label: 'Tools',
        submenu: [
          {
            id: 'greet',
            label: 'Greet',
            click: () => BrowserWindow.getAllWindows()[0]?.webContents.send('greeting', 'hello'),
          },
          { id: 'flag', label: 'Flag', type: 'checkbox' },
          { id: 'site', label: 'Site', click: () => void shell.openExternal('https://example.org/') },
        ],
      },
    ]),
  )
  openWindow()
}

for (const name of ['before-quit', 'will-quit', 'window-all-closed'] as const) {
  app.on(name as 'will-quit', () => note(name))
}
app.on('quit', (_event, code) => note(`quit ${code}`))
app.on('window-all-closed', () => app.quit())

if (app.requestSingleInstanceLock({ folders: process.argv.slice(2) })) {
  app.on('second-instance', (_event, argv, workingDirectory, additionalData) =>
    note(`second-instance ${JSON.stringify({ argv: argv.slice(2), workingDirectory, additionalData })}`),
  )
  void app.whenReady().then(start)
} else {
  note('second start')
  app.quit()
}
