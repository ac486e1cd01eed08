import { dirname, join } from 'node:path'
import {
  type BaseWindow,
  BrowserWindow,
  Menu,
  Notification,
  app as electron,
  dialog,
  nativeTheme,
  session,
} from 'electron/main'
import { shell as system } from 'electron/common'
import { z } from 'zod'
import { App } from '../app/app'
import type { Dialect } from '../app/dialect-kit/dialect'
import type { HostAbilities } from '../app/host-abilities'
import { complainAboutFolders, foldersToOpen } from '../cli/folders-to-open'
import { startOrHandOver } from '../cli/second-start'
import { version } from '../cli/version'
import { handOver } from '../core/platform/hand-over-client'
import { listenForHandOver } from '../core/platform/hand-over-server'
import { FileLog } from '../core/platform/log'
import { endProcess } from '../core/platform/process-end'
import { catchStrayErrors } from '../core/platform/stray-errors'
import type { SettingsStore } from '../core/settings/settings-store'
import type { Menu as PageMenu } from '../../shared/contract/menu'
import { DisposableStack } from '../../shared/lifetime'
import { type Result, succeed } from '../../shared/result'
import { confineContents, confineSession, isWebAddress } from './confinement'
import { type MenuActions, describeMenu } from './native-menu'
import { followUpdates } from './packed-app'
import { openSettings } from './electron-settings'
import { ShellWindow } from './shell-window'
import { dropOldest } from '../../shared/drop-oldest'

/** Milliseconds; the process itself needs some of the 3 s that an end may take, more on a busy machine. */
const longestEnd = 2_500
const handedOver = z.object({ folders: z.array(z.string()) })

/** What a shell is started with. */
interface ShellStart {
  /** The data directory, prepared. */
  directory: string
  /** The folder out/main. */
  built: string
  /** The dialects that the app speaks; absent: those of its list. */
  dialects?: readonly Dialect[]
}

/** The running shell: the app's windows in Electron's frames. */
export class Shell {
  readonly #directory: string
  readonly #built: string
  readonly #dialects: readonly Dialect[] | undefined
  readonly #log: FileLog
  readonly #windows = new Map<string, ShellWindow>()
  readonly #owned = new DisposableStack()
  /** Folders that came before the app was there (a second start, the Finder), each to be opened then. */
  readonly #early: string[][] = []
  /** How much waits in each window where something does. */
  readonly #waiting = new Map<string, number>()
  #app: App | null = null
  #ending = false

  constructor({ directory, built, dialects }: ShellStart) {
    this.#directory = directory
    this.#built = built
    this.#dialects = dialects
    this.#log = new FileLog({
      directory: join(directory, 'logs'),
      screen: (line) => void process.stderr.write(`${line}\n`),
    })
  }

  run(folders: readonly string[]): void {
    catchStrayErrors({
      log: this.#log,
      tell: (sentence) => {
        for (const window of this.#app?.windows() ?? []) window.notices.warn(sentence)
        return this.#app !== null || this.#ending
      },
      end: () => this.#end(1),
    })
    process.stdout.on('error', () => undefined)
    process.stderr.on('error', () => undefined)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => electron.quit())

    electron.on('second-instance', (_event, _words, _cwd, data) => {
      const given = handedOver.safeParse(data)
      this.#openSoon(given.success ? given.data.folders : [])
    })
    electron.on('open-file', (event, path) => {
      event.preventDefault()
      this.#openSoon([path])
    })
    electron.on('activate', () => {
      if (this.#windows.size === 0) this.#openSoon([])
    })
    electron.on('web-contents-created', (_event, contents) =>
      confineContents(contents, (url) => void openExternal(url)),
    )
    electron.on('window-all-closed', () => {
      if (process.platform !== 'darwin') electron.quit()
    })
    electron.on('before-quit', (event) => {
      event.preventDefault()
      this.#end(0)
    })
    void electron.whenReady().then(() => this.#start(folders))
  }

  async #start(folders: readonly string[]): Promise<void> {
    confineSession(session.defaultSession)
    this.#showMenu()
    // Not Electron's lock but ours: a headless host has the directory, or another shell that is ending.
    const created = await startOrHandOver({
      start: () => this.#createApp(),
      handOver: async () =>
        this.#ending ? null : handOver(this.#directory, { folders: [...folders, ...this.#early.flat()] }),
    })
    if (created.kind !== 'started') {
      const sentence =
        created.kind === 'handed'
          ? `Greenlight is already running in a browser (process ${created.answer.pid}); opening it there.`
          : created.failure.message
      process.stderr.write(`greenlight: ${sentence}\n`)
      this.#log.dispose()
      return electron.exit(created.kind === 'handed' ? 0 : 2)
    }
    const app = created.value
    this.#app = app
    if (this.#ending) return void app.shutdown()
    const { settings } = app
    this.#followTheme(settings)
    this.#log.info('shell started', { version, folders: folders.length })
    this.#owned.add(
      await listenForHandOver(this.#directory, {
        open: (request) => {
          this.#openSoon(request.folders)
          return Promise.resolve(succeed({ pid: process.pid, ready: null }))
        },
        ...app.commands,
      }),
    )
    for (const set of foldersToOpen(folders, app.lastOpen)) await this.#open(set)
    for (const early of this.#early.splice(0)) await this.#open(early)
    if (!this.#isEnding()) app.begun()
    this.#owned.add(await followUpdates(settings, this.#log))
  }

  #createApp(): Promise<Result<App>> {
    return App.create({
      dataDir: this.#directory,
      host: 'electron',
      version,
      log: this.#log,
      settingsStore: () => openSettings(this.#directory),
      errandScript: join(this.#built, 'errand.js'),
      abilities: this.#abilities(),
      ...(this.#dialects ? { dialects: this.#dialects } : {}),
    })
  }

  #isEnding(): boolean {
    return this.#ending
  }

  /** Opens folders now, or as soon as the app is there. */
  #openSoon(folders: readonly string[]): void {
    if (this.#app) void this.#open(folders)
    else this.#early.push([...folders])
  }

  /** The window that has the folders comes to the front; else a new one opens. */
  async #open(folders: readonly string[]): Promise<void> {
    const app = this.#app
    if (!app || this.#ending) return
    const complaint = complainAboutFolders(folders)
    if (complaint) return dialog.showErrorBox('Greenlight', complaint)
    const present = this.#present(folders)
    if (present) return present.focus()
    const opened = await app.openWindow(folders)
    if (!opened.ok) return dialog.showErrorBox('Greenlight', opened.failure.message)
    const window = opened.value
    // The app knows folders by their real paths, so it may have the window although we did not find it.
    const known = this.#windows.get(window.id)
    if (known) return known.focus()
    const framed = new ShellWindow({
      window,
      out: dirname(this.#built),
      states: app.folderStates,
      log: this.#log,
      onClosed: () => {
        this.#windows.delete(window.id)
        this.#setWaiting(window.id, 0)
        this.#showMenu()
      },
      onMenu: () => this.#showMenu(),
    })
    this.#windows.set(window.id, framed)
    await framed.load()
  }

  #present(folders: readonly string[]): ShellWindow | undefined {
    const [first] = folders
    if (first === undefined) return [...this.#windows.values()].find((window) => window.folders.length === 0)
    const present = this.#app?.windowOf(first)
    if (!present || !folders.every((folder) => this.#app?.windowOf(folder) === present)) return undefined
    return this.#windows.get(present.id)
  }

  #abilities(): HostAbilities {
    return {
      chooseFolder: () => chooseFolder(focusedWindow()),
      openExternal,
      openWindow: async (folders) => {
        await this.#open(folders)
        return null
      },
      focusWindow: (id) => {
        this.#windows.get(id)?.focus()
        return null
      },
      notify: (window, title, body, onClick) => {
        this.#windows.get(window)?.flash()
        return notify(title, body, onClick)
      },
      setWaiting: (window, count) => this.#setWaiting(window, count),
      trash,
      showInFileManager: (path) => {
        system.showItemInFolder(path)
        return Promise.resolve(true)
      },
    }
  }

  /** The badge of the app's icon counts what waits in all windows. */
  #setWaiting(window: string, count: number): void {
    if (count === 0) this.#waiting.delete(window)
    else this.#waiting.set(window, count)
    electron.setBadgeCount([...this.#waiting.values()].reduce((sum, one) => sum + one, 0))
  }

  /** The menu of the window that has the focus; of any, where none of ours has it. */
  #showMenu(): void {
    if (this.#ending) return
    const framed = this.#framed(focusedWindow())
    Menu.setApplicationMenu(Menu.buildFromTemplate(this.#describeMenu(framed?.menus ?? [])))
  }

  #framed(window: BaseWindow | undefined): ShellWindow | undefined {
    const all = [...this.#windows.values()]
    return all.find((one) => window !== undefined && one.frames(window)) ?? all[0]
  }

  #describeMenu(menus: readonly PageMenu[]): Electron.MenuItemConstructorOptions[] {
    const actions: MenuActions = {
      run: (command, window) => this.#framed(window ?? focusedWindow())?.run(command),
      newWindow: () => this.#openSoon([]),
      openFolder: (window) =>
        void chooseFolder(window).then((folder) => {
          if (folder !== null) this.#openSoon([folder])
        }),
      closeWindow: (window) => window?.close(),
      reload: (window) =>
        BrowserWindow.getAllWindows()
          .find((one) => one.id === window?.id)
          ?.reload(),
      quit: () => electron.quit(),
    }
    return describeMenu(process.platform, actions, menus)
  }

  /** The system's own parts (menus, dialogs, the background before the first paint) follow the person's choice. */
  #followTheme(settings: SettingsStore): void {
    const apply = () => {
      const { theme } = settings.get()
      nativeTheme.themeSource = theme === 'high-contrast' ? 'system' : theme
    }
    apply()
    this.#owned.add(settings.onChange(apply))
  }

  /** The quit order: no new starts, the app with all that it must flush, then the windows; at most 3 s in all. */
  #end(code: number): void {
    if (this.#ending) return
    this.#ending = true
    const begun = performance.now()
    this.#log.info('ending', { code })
    // A start from now on is one of its own: it waits for our directory instead of telling us what nobody opens.
    electron.releaseSingleInstanceLock()
    const finish = () => {
      for (const window of [...this.#windows.values()]) window.dispose()
      this.#log.dispose()
      endProcess(() => electron.exit(code), begun)
    }
    setTimeout(finish, longestEnd)
    this.#owned.dispose()
    void (this.#app?.shutdown() ?? Promise.resolve()).then(finish, (error: unknown) => {
      this.#log.error('ending failed', { error })
      finish()
    })
  }
}

function focusedWindow(): BaseWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? undefined
}

async function openExternal(url: string): Promise<boolean> {
  if (!isWebAddress(url)) return false
  try {
    await system.openExternal(url)
    return true
  } catch {
    return false
  }
}

async function chooseFolder(window: BaseWindow | undefined): Promise<string | null> {
  const options = {
    title: 'Open folder',
    properties: ['openDirectory', 'createDirectory'],
  } satisfies Electron.OpenDialogOptions
  const chosen = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options)
  return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
}

async function trash(path: string): Promise<string | null> {
  try {
    await system.trashItem(path)
    return null
  } catch {
    // What it says is for developers, in their language.
    return 'the system’s trash refused it'
  }
}

/** A notification lives until the person deals with it; what is forgotten here would no longer hear a click. */
const shown = new Set<Notification>()
const mostShown = 20

function notify(title: string, body: string, onClick: () => void): boolean {
  if (!Notification.isSupported()) return false
  // Some systems read marks as HTML, and the words may be an agent's.
  const plain = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')
  const notification = new Notification({ title: plain(title), body: plain(body) })
  const forget = () => shown.delete(notification)
  notification.on('click', () => {
    forget()
    onClick()
  })
  notification.on('close', forget)
  shown.add(notification)
  dropOldest(shown, mostShown)
  notification.show()
  return true
}
