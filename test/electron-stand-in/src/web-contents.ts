import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromiumHost } from './chromium-host'
import { pack } from './codec'
import { deliver, StandInIpc } from './ipc'
import { pngImage } from './native-image'
import type { WindowWish } from './navigation'
import { LoadError } from './net-errors'
import { Page, type ConsoleLine, type Heard } from './page'
import { preventable } from './preventable'
import { applyPermissions, defaultSession } from './session'
import { lack, StrictEmitter, strictStatics } from './strict'
import type { Crash } from './targets'
import { nativeTheme } from './theme'
import { makeMainFrame } from './web-frame'
import type { ToPreload } from './wire'
import { contentsEvents, type OfferedContents } from './web-contents-names'

/** The window around the contents, as far as they need it. */
export interface ContentsOwner {
  readonly isFocused: () => boolean
  focus(): void
  close(): void
  /** The first picture is there. */
  painted(): void
  titled(title: string): void
  /** The page has gone; the window follows. */
  gone(): void
  refusedToClose(): void
  crashed(details: Electron.RenderProcessGoneDetails): void
}

/** How the contents begin. */
export interface ContentsSettings {
  width: number
  height: number
  preload: string | undefined
  /** Where `loadFile` starts from. */
  appFolder: string
}

const all = new Map<number, StandInContents>()
let nextId = 1

/** Electron's `WebContents`: one page of a window. */
export class StandInContents extends StrictEmitter implements Pick<Electron.WebContents, OfferedContents> {
  readonly id: number = nextId++
  readonly ipc: Electron.IpcMain
  readonly mainFrame: Electron.WebFrameMain
  readonly session = defaultSession as unknown as Electron.Session
  readonly #ipc = new StandInIpc()
  readonly #owner: ContentsOwner
  readonly #settings: ContentsSettings
  readonly #page: Promise<Page>
  #opened: Page | undefined
  #openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | undefined
  #url = ''
  #title = ''
  #loading = false
  #crashed = false
  #zoom = 1

  constructor(owner: ContentsOwner, settings: ContentsSettings) {
    super('webContents', contentsEvents)
    this.#owner = owner
    this.#settings = settings
    this.ipc = this.#ipc
    this.mainFrame = makeMainFrame(this)
    all.set(this.id, this)
    this.#page = this.#open()
    // Whoever uses the page hears of the failure; nobody may have used it.
    this.#page.catch(() => {})
  }

  static getAllWebContents(): Electron.WebContents[] {
    return [...all.values()].map((contents) => contents.electron)
  }

  static fromId(id: number): Electron.WebContents | undefined {
    return all.get(id)?.electron
  }

  static fromDevToolsTargetId(targetId: string): Electron.WebContents | undefined {
    return [...all.values()].find((contents) => contents.#opened?.targetId === targetId)?.electron
  }

  static getFocusedWebContents(): Electron.WebContents | null {
    return [...all.values()].find((contents) => contents.isFocused())?.electron ?? null
  }

  /** Itself, as the app sees it: what is missing of the type throws when it is used. */
  get electron(): Electron.WebContents {
    return this as unknown as Electron.WebContents
  }

  send(channel: string, ...args: unknown[]): void {
    let packed: string
    try {
      packed = pack(args)
    } catch {
      throw new Error('Failed to serialize arguments')
    }
    this.#post({ op: 'event', channel }, packed)
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#page
    const loaded = new Promise<void>((settle, refuse) => {
      super.once('did-finish-load', settle)
      super.once('destroyed', () => refuse(new LoadError('ERR_FAILED', url)))
    })
    loaded.catch(() => {})
    try {
      await page.navigate(url)
    } catch (error) {
      if (!(error instanceof LoadError)) throw error
      this.#loading = false
      this.emit('did-fail-load', preventable({}), error.errno, error.code, url, true, 1, 1)
      this.emit('did-stop-loading')
      throw error
    }
    await loaded
  }

  loadFile(filePath: string, options: Electron.LoadFileOptions = {}): Promise<void> {
    const url = pathToFileURL(resolve(this.#settings.appFolder, filePath))
    if (options.search !== undefined) url.search = options.search
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value)
    if (options.hash !== undefined) url.hash = options.hash
    return this.loadURL(url.href)
  }

  reload(): void {
    this.#do((page) => page.reload(false))
  }

  reloadIgnoringCache(): void {
    this.#do((page) => page.reload(true))
  }

  getURL(): string {
    return this.#url
  }

  getTitle(): string {
    return this.#title
  }

  isLoading(): boolean {
    return this.#loading
  }

  isLoadingMainFrame(): boolean {
    return this.#loading
  }

  isDestroyed(): boolean {
    return !all.has(this.id)
  }

  isCrashed(): boolean {
    return this.#crashed
  }

  isFocused(): boolean {
    return this.#owner.isFocused()
  }

  focus(): void {
    this.#owner.focus()
  }

  close(): void {
    this.#owner.close()
  }

  /** Waits for the page to have loaded, as Electron does. The value comes back as JSON. */
  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const page = await this.#page
    if (this.#url === '' || this.#loading)
      await new Promise<void>((settle) => super.once('did-stop-loading', settle))
    return page.evaluate(code, userGesture)
  }

  async capturePage(): Promise<Electron.NativeImage> {
    return pngImage(await (await this.#page).capture())
  }

  forcefullyCrashRenderer(): void {
    this.#opened?.crash()
  }

  openDevTools(): void {}

  closeDevTools(): void {}

  toggleDevTools(): void {}

  isDevToolsOpened(): boolean {
    return false
  }

  getZoomFactor(): number {
    return this.#zoom
  }

  setZoomFactor(factor: number): void {
    this.#zoom = factor
  }

  getZoomLevel(): number {
    return Math.log(this.#zoom) / Math.log(1.2)
  }

  setZoomLevel(level: number): void {
    this.#zoom = 1.2 ** level
  }

  undo(): void {
    this.#do((page) => page.edit('undo'))
  }

  redo(): void {
    this.#do((page) => page.edit('redo'))
  }

  cut(): void {
    this.#do((page) => page.edit('cut'))
  }

  copy(): void {
    this.#do((page) => page.edit('copy'))
  }

  paste(): void {
    this.#do((page) => page.edit('paste'))
  }

  delete(): void {
    this.#do((page) => page.edit('delete'))
  }

  selectAll(): void {
    this.#do((page) => page.edit('selectAll'))
  }

  /** Gives the page a new size. */
  resize(width: number, height: number): void {
    this.#do((page) => page.resize(width, height))
  }

  /** Tells the page which colours the app wants. */
  setDark(dark: boolean): void {
    this.#do((page) => page.setDark(dark))
  }

  /** Ends the page; `ask`: it may refuse. The owner hears when it has gone. */
  end(ask: boolean): void {
    this.#page.then((page) => page.close(ask)).catch(() => this.#owner.gone())
  }

  /** The window has gone. */
  destroyed(): void {
    if (all.delete(this.id)) this.emit('destroyed')
  }

  async #open(): Promise<Page> {
    const { targets, connection } = chromiumHost()
    const { width, height, preload } = this.#settings
    const dark = nativeTheme.shouldUseDarkColors
    try {
      this.#opened = await Page.open(
        targets,
        { width, height, preload, dark },
        {
          refuses: (url) => this.#refuses('will-navigate', url),
          refusesRedirect: (url) => this.#refuses('will-redirect', url),
          wishes: (wish) => this.#wishes(wish),
          hasGone: () => this.isDestroyed(),
          prepare: (url) => applyPermissions(connection, this.electron, url),
          heard: (message, packed) => this.#heard(message, packed),
          startedLoading: () => {
            this.#loading = true
            this.emit('did-start-loading')
          },
          navigated: (url) => {
            this.#url = url
            this.#crashed = false
            this.emit('did-navigate', preventable({}), url, url.startsWith('http') ? 200 : -1, '')
          },
          navigatedInPage: (url) => {
            this.#url = url
            this.emit('did-navigate-in-page', preventable({}), url, true, 1, 1)
          },
          becameDomReady: () => this.emit('dom-ready', preventable({})),
          finishedLoading: () => {
            this.#loading = false
            this.emit('did-finish-load')
            this.emit('did-stop-loading')
            this.#owner.painted()
          },
          painted: () => this.#owner.painted(),
          logged: (line: ConsoleLine) =>
            this.emit('console-message', preventable({ ...line, frame: this.mainFrame })),
          crashed: (crash) => this.#fell(crash),
          overrulesUnload: () => {
            const event = preventable({})
            this.emit('will-prevent-unload', event)
            if (!event.defaultPrevented) this.#owner.refusedToClose()
            return event.defaultPrevented
          },
          gone: () => this.#owner.gone(),
        },
      )
      return this.#opened
    } catch (error) {
      if (error instanceof SyntaxError && preload !== undefined) {
        console.error(error.message)
        this.emit('preload-error', preventable({}), preload, error)
      }
      throw error
    }
  }

  #refuses(name: 'will-navigate' | 'will-redirect', url: string): boolean {
    const details = {
      url,
      isSameDocument: false,
      isMainFrame: true,
      frame: this.mainFrame,
      initiator: this.mainFrame,
    }
    const event = preventable(details)
    this.emit(name, event, url, false, true, 1, 1)
    return event.defaultPrevented
  }

  #wishes(wish: WindowWish): void {
    const answer = this.#openHandler?.({ ...wish, referrer: { url: this.#url, policy: 'default' } })
    if (answer?.action !== 'deny') throw lack(`opening a window from a page (${wish.url})`)
  }

  #heard(message: Heard, packed: unknown): void {
    if (message.op === 'titled') {
      this.#title = message.title
      this.emit('page-title-updated', preventable({}), message.title, true)
      this.#owner.titled(message.title)
      return
    }
    if (message.op === 'preload-error') console.error('Unable to load preload script:', message.stack)
    const post = (head: ToPreload, reply: string): void => this.#post(head, reply)
    deliver(message, packed, { contents: this.electron, frame: this.mainFrame, post }, this.#ipc)
  }

  #fell({ status, errorCode }: Crash): void {
    this.#crashed = true
    this.#loading = false
    const reason = status === 'killed' || status === 'oom' ? status : 'crashed'
    const details: Electron.RenderProcessGoneDetails = { reason, exitCode: errorCode }
    this.emit('render-process-gone', preventable({}), details)
    this.#owner.crashed(details)
  }

  #post(head: ToPreload, packed: string): void {
    this.#do((page) => page.post(head, packed))
  }

  /** Does something with the page, at once if it is open. A page that goes away meanwhile is no failure. */
  #do(work: (page: Page) => Promise<void>): void {
    if (this.#opened) work(this.#opened).catch(() => {})
    else this.#page.then(work).catch(() => {})
  }
}

strictStatics('webContents', StandInContents)
