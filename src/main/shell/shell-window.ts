import { join } from 'node:path'
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron/main'
import type { App } from '../app/app'
import type { Log } from '../core/platform/log'
import type { FolderStates } from '../core/settings/folder-state'
import type { Menu } from '../../shared/contract/menu'
import { PageDoor } from '../../shared/rpc/hello'
import { type Disposable, DisposableStack, disposable } from '../../shared/lifetime'
import { acceptPages } from './page-channel'
import { fitBounds, smallest } from './window-bounds'

interface ShellWindowOptions {
  /** A window of the app, as far as its frame deals with it. */
  window: Pick<
    ReturnType<App['windows']>[number],
    'id' | 'folders' | 'title' | 'connect' | 'onFocusRequest' | 'onTitle' | 'menu' | 'notices' | 'close'
  >
  /** The folder out: of the preload and the page. */
  out: string
  states: FolderStates
  log: Log
  onClosed(): void
  /** The menu to be shown is another one: the page's commands changed, or the window got the focus. */
  onMenu(): void
}

/** What the window shows until the page has painted, as tokens.css has it for --surface. */
const surface = () => (nativeTheme.shouldUseDarkColors ? '#17191c' : '#ffffff')

/** More crashes within a minute mean that reloading doesn't help. */
const mostCrashes = 3

/** One BrowserWindow for one window of the app, from its opening to its end. */
export class ShellWindow implements Disposable {
  readonly id: string
  readonly #options: ShellWindowOptions
  readonly #frame: BrowserWindow
  readonly #owned = new DisposableStack()
  readonly #crashes: number[] = []

  constructor(options: ShellWindowOptions) {
    this.#options = options
    const { window, states, out } = options
    this.id = window.id
    const before = states.read(window.folders.paths).bounds
    this.#frame = new BrowserWindow({
      ...fitBounds(
        before,
        screen.getAllDisplays().map((display) => display.workArea),
      ),
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: window.title,
      backgroundColor: surface(),
      autoHideMenuBar: true,
      webPreferences: {
        preload: join(out, 'preload', 'index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    })
    if (before?.maximized) this.#frame.maximize()
    this.#frame.once('ready-to-show', () => this.#frame.show())
    this.#frame.on('close', () => this.#keepBounds())
    // The title bar names the folders; the page's own title is for browsers.
    this.#frame.on('page-title-updated', (event) => event.preventDefault())
    this.#frame.once('closed', () => this.#end())

    const contents = this.#frame.webContents
    contents.on('render-process-gone', (_event, details) => this.#onCrash(details.reason))
    contents.on('preload-error', (_event, _path, error) => options.log.error('preload failed', { error }))

    // The shell has one page per window and knows it by its contents: it needs no token and is never asked.
    const door = this.#owned.add(
      new PageDoor({ accepts: () => true, connect: (channel) => window.connect(channel) }),
    )
    this.#owned.add(acceptPages(contents, (channel) => door.admit(channel, true)))
    this.#owned.add(window.onFocusRequest(() => this.focus()))
    this.#owned.add(window.menu.onMenus(options.onMenu))
    this.#frame.on('focus', options.onMenu)
    this.#owned.add(window.onTitle((title) => this.#frame.setTitle(title)))
    const recolor = () => this.#frame.setBackgroundColor(surface())
    nativeTheme.on('updated', recolor)
    this.#owned.add(disposable(() => nativeTheme.off('updated', recolor)))
  }

  /** Whether a native window is this one's. */
  frames(window: Electron.BaseWindow): boolean {
    return window.id === this.#frame.id
  }

  get menus(): readonly Menu[] {
    return this.#options.window.menu.menus
  }

  /** Has the page run a command. */
  run(command: string): void {
    this.#options.window.menu.run(command)
  }

  get folders(): readonly string[] {
    return this.#options.window.folders.paths
  }

  /** Loads the page. */
  async load(): Promise<void> {
    try {
      await this.#frame.loadFile(join(this.#options.out, 'renderer', 'index.html'))
    } catch (error) {
      if (this.#frame.isDestroyed()) return
      this.#options.log.error('page not loaded', { error })
      dialog.showErrorBox(
        'Greenlight',
        'The page can’t be loaded. Rebuild it with npm run build, then restart.',
      )
    }
  }

  focus(): void {
    if (this.#frame.isDestroyed()) return
    if (this.#frame.isMinimized()) this.#frame.restore()
    this.#frame.show()
    this.#frame.focus()
  }

  /** Draws attention to the window in the system's own way, until it has the focus. */
  flash(): void {
    if (this.#frame.isDestroyed() || this.#frame.isFocused()) return
    this.#frame.flashFrame(true)
    this.#frame.once('focus', () => this.#frame.flashFrame(false))
  }

  /** Where the window is, kept per folder. */
  #keepBounds(): void {
    if (this.#frame.isDestroyed()) return
    const bounds = { ...this.#frame.getNormalBounds(), maximized: this.#frame.isMaximized() }
    try {
      this.#options.states.update(this.#options.window.folders.paths, { bounds })
    } catch (error) {
      this.#options.log.warn('window bounds not kept', { error })
    }
  }

  #onCrash(reason: string): void {
    const { log, window } = this.#options
    log.error('page gone', { reason, window: window.id })
    if (reason === 'clean-exit' || this.#frame.isDestroyed()) return
    const now = Date.now()
    this.#crashes.push(now)
    if (this.#crashes.filter((time) => now - time < 60_000).length > mostCrashes) {
      dialog.showErrorBox(
        'Greenlight',
        'The page keeps crashing, so it won’t be reloaded. Your text is kept. Close this window and open the folder again.',
      )
      return
    }
    window.notices.warn(
      'The page crashed and was loaded again. Nothing that was kept is lost; agents stayed connected.',
    )
    this.#frame.webContents.reload()
  }

  #end(): void {
    this.#owned.dispose()
    const { window, log, onClosed } = this.#options
    onClosed()
    void window.close().catch((error: unknown) => log.error('window not closed in order', { error }))
  }

  dispose(): void {
    this.#keepBounds()
    this.#owned.dispose()
    if (!this.#frame.isDestroyed()) this.#frame.destroy()
  }
}
