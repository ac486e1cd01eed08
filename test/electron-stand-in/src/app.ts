import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { AppPackage } from './app-package'
import type { Switches } from './command-line'
import { Lifecycle } from './lifecycle'
import { preventable } from './preventable'
import { SingleInstance, type SecondStart } from './single-instance'
import { StrictEmitter } from './strict'

type Offered =
  | 'commandLine'
  | 'name'
  | 'isPackaged'
  | 'dock'
  | 'badgeCount'
  | 'quit'
  | 'exit'
  | 'isReady'
  | 'whenReady'
  | 'focus'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getAppPath'
  | 'getPath'
  | 'setPath'
  | 'getLocale'
  | 'getSystemLocale'
  | 'requestSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setBadgeCount'
  | 'getBadgeCount'
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'setAboutPanelOptions'
  | 'addRecentDocument'
  | 'clearRecentDocuments'

/** Events that the stand-in sends, and events of macOS or of mishaps that do not happen here. */
const events = [
  'will-finish-launching',
  'ready',
  'second-instance',
  'browser-window-created',
  'browser-window-focus',
  'browser-window-blur',
  'web-contents-created',
  'render-process-gone',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'activate',
  'open-file',
  'open-url',
  'child-process-gone',
  'certificate-error',
  'login',
]

/** Electron's `app`. */
export class StandInApp extends StrictEmitter implements Pick<Electron.App, Offered> {
  readonly isPackaged = false
  readonly dock = undefined
  readonly commandLine: Electron.CommandLine
  readonly lifecycle: Lifecycle
  readonly #package: AppPackage
  readonly #paths = new Map<string, string>()
  readonly #instance = new SingleInstance((start) => this.#hear(start))
  readonly #readiness: Promise<void>
  #resolveReadiness = (): void => {}
  #heard: SecondStart[] | undefined = []
  #name: string
  #badge = 0
  #ready = false

  constructor(appPackage: AppPackage, switches: Switches) {
    super('app', events)
    this.#package = appPackage
    this.#name = appPackage.name
    this.commandLine = switches.commandLine as Electron.CommandLine
    this.#readiness = new Promise((resolve) => {
      this.#resolveReadiness = resolve
    })
    this.lifecycle = new Lifecycle((name, ...args) => this.emit(name, ...args))
    this.lifecycle.atEnd(async () => this.#instance.release())
    // Electron promises that nobody hears of a second instance before `ready`.
    this.once('ready', () => setImmediate(() => this.#flush()))
  }

  /** Chromium has started: the app may make windows. */
  async becomeReady(): Promise<void> {
    this.#ready = true
    this.#resolveReadiness()
    await this.#readiness
    this.emit('ready', preventable({}), {})
  }

  /** The real state, also where a test's loader holds back what the app is told. */
  get launched(): boolean {
    return this.#ready
  }

  quit(): void {
    this.lifecycle.quit()
  }

  exit(exitCode = 0): void {
    this.lifecycle.exit(exitCode)
  }

  isReady(): boolean {
    return this.#ready
  }

  whenReady(): Promise<void> {
    return this.#readiness
  }

  focus(): void {}

  get name(): string {
    return this.#name
  }

  set name(name: string) {
    this.#name = name
  }

  getName(): string {
    return this.#name
  }

  setName(name: string): void {
    this.#name = name
  }

  getVersion(): string {
    return this.#package.version
  }

  getAppPath(): string {
    return this.#package.folder
  }

  getLocale(): string {
    return 'en-US'
  }

  getSystemLocale(): string {
    return 'en-US'
  }

  /** @throws for a name that Electron does not know, in its words */
  getPath(name: string): string {
    const set = this.#paths.get(name)
    if (set !== undefined) return set
    const home = homedir()
    const appData = process.env['XDG_CONFIG_HOME'] ?? join(home, '.config')
    switch (name) {
      case 'home':
        return home
      case 'appData':
        return appData
      case 'userData':
        return join(this.#paths.get('appData') ?? appData, this.#name)
      case 'sessionData':
        return this.getPath('userData')
      case 'logs':
        return join(this.getPath('userData'), 'logs')
      case 'crashDumps':
        return join(this.getPath('userData'), 'Crashpad')
      case 'temp':
        return tmpdir()
      case 'exe':
        return process.execPath
      case 'desktop':
      case 'documents':
      case 'downloads':
      case 'music':
      case 'pictures':
      case 'videos':
        return join(home, `${name.charAt(0).toUpperCase()}${name.slice(1)}`)
      default:
        throw new Error(`Failed to get '${name}' path`)
    }
  }

  /** @throws when the folder is not absolute or does not exist, as Electron's manual says */
  setPath(name: string, path: string): void {
    this.getPath(name)
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    if (!existsSync(path))
      throw new Error(
        `Failed to set '${name}' path: make the folder first, as Electron's manual says: ${path}`,
      )
    this.#paths.set(name, path)
  }

  requestSingleInstanceLock(additionalData: Record<string, unknown> = {}): boolean {
    return this.#instance.request(this.getPath('userData'), {
      argv: [...process.argv],
      workingDirectory: process.cwd(),
      additionalData,
    })
  }

  hasSingleInstanceLock(): boolean {
    return this.#instance.held
  }

  releaseSingleInstanceLock(): void {
    this.#instance.release()
  }

  setAppUserModelId(): void {}

  get badgeCount(): number {
    return this.#badge
  }

  set badgeCount(count: number) {
    this.#badge = count
  }

  getBadgeCount(): number {
    return this.#badge
  }

  setBadgeCount(count = 0): boolean {
    this.#badge = count
    return true
  }

  /** @throws after `ready`, as Electron does */
  enableSandbox(): void {
    if (this.#ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  /** @throws after `ready`, as Electron does */
  disableHardwareAcceleration(): void {
    if (this.#ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
  }

  setAboutPanelOptions(): void {}

  addRecentDocument(): void {}

  clearRecentDocuments(): void {}

  #hear(start: SecondStart): void {
    if (this.#heard) this.#heard.push(start)
    else
      this.emit('second-instance', preventable({}), start.argv, start.workingDirectory, start.additionalData)
  }

  #flush(): void {
    const heard = this.#heard ?? []
    this.#heard = undefined
    for (const start of heard) this.#hear(start)
  }
}
