import { readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StandInApp } from './app'
import { readAppPackage } from './app-package'
import { startChromium } from './chromium'
import { setChromiumHost } from './chromium-host'
import { parseInvocation, Switches } from './command-line'
import { makeElectronModule } from './electron-module'
import { bindMenus } from './menu'
import { provideElectron, requireFile } from './module-resolution'
import { shownNotifications } from './notification'
import { standInFolder } from './place'
import { permissionAnswers } from './session'
import { bindTrash, opened } from './shell'
import { Targets } from './targets'
import { nativeTheme } from './theme'
import { bindWindows, StandInWindow } from './windows'

// Where tests look for what real Electron would show to a person: globalThis.electronStandIn.
const forTests = { opened, shownNotifications, permissionAnswers }

/** Makes this process look like Electron's main process. */
function disguise(executable: string, args: readonly string[], entry: string): void {
  const own = (name: string, value: unknown): void => {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true })
  }
  own('argv', [executable, ...args])
  own('execPath', executable)
  own('type', 'browser')
  own('defaultApp', true)
  own('resourcesPath', fileURLToPath(new URL('resources', standInFolder)))
  Object.defineProperty(process.versions, 'electron', { value: electronVersion(entry), enumerable: true })
}

/** The version that the app is written for, which is the one that it has installed. */
function electronVersion(entry: string): string {
  const manifest = createRequire(entry).resolve('electron/package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

async function start(app: StandInApp, switches: Switches): Promise<void> {
  app.emit('will-finish-launching')
  const chromium = await startChromium(switches.all, process.env)
  app.lifecycle.atEnd(() => chromium.end())
  process.on('exit', chromium.kill)
  chromium.onExit((how) => {
    if (app.lifecycle.ended) return
    console.error(`stand-in: Chromium has ended by itself (${how})`)
    process.exit(1)
  })
  const { connection } = chromium
  const targets = await Targets.watch(connection)
  const { product } = await connection.browser.send('Browser.getVersion')
  Object.defineProperty(process.versions, 'chrome', { value: product.split('/')[1], enumerable: true })
  // Whoever asked for a debugging port (Playwright does) waits for this line on our stderr.
  if (switches.all.has('remote-debugging-port')) process.stderr.write(`${await chromium.listening}\n`)
  setChromiumHost({ chromium, connection, targets })
  await app.becomeReady()
}

async function main(): Promise<void> {
  const [executable = '', ...args] = process.argv.slice(2)
  const invocation = parseInvocation(args)
  if (invocation.app === undefined) throw new Error('stand-in: the path of the app is missing')
  process.stderr.write('stand-in: a test tool runs this app in the place of Electron\n')
  const appPackage = readAppPackage(invocation.app)
  disguise(executable, args, appPackage.entry)

  const switches = new Switches(invocation.switches)
  const app = new StandInApp(appPackage, switches)
  bindWindows(app)
  bindMenus(() => app.quit())
  bindTrash(() => join(app.getPath('userData'), 'stand-in-trash'))
  nativeTheme.on('updated', () => StandInWindow.setDark(nativeTheme.shouldUseDarkColors))
  Object.defineProperty(globalThis, 'electronStandIn', { value: forTests })
  provideElectron(makeElectronModule(app))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // An app that listens to a signal itself takes it away from Electron.
    process.on(signal, () => void (process.listenerCount(signal) === 1 && app.quit()))
  }

  const port = invocation.switches.get('inspect')
  if (port !== undefined) inspector.open(Number(port) || 0, '127.0.0.1')
  for (const file of invocation.requires) requireFile(file)
  // Electron too holds back `ready` until the entry's top level is done.
  await import(pathToFileURL(appPackage.entry).href)
  if (app.lifecycle.ended) return
  // Who quits before it has started takes Chromium away from under the start.
  await start(app, switches).catch((error: unknown) => {
    if (!app.lifecycle.ended) throw error
  })
}

const failed = (error: unknown): void => {
  console.error('App threw an error during load')
  console.error(error)
  process.exit(1)
}
main().catch(failed)
