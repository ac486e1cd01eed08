import type { StandInApp } from './app'
import { chromiumHost } from './chromium-host'
import { display } from './display'
import { preventable } from './preventable'
import { StrictEmitter, strictStatics } from './strict'
import { StandInContents } from './web-contents'
import { WindowFocus } from './window-focus'
import { checkWindowOptions } from './window-options'
import { windowEvents, type OfferedWindow } from './window-names'

const all = new Map<number, StandInWindow>()
let nextId = 1
let owner: StandInApp
let focus: WindowFocus<StandInWindow>

/** Tells the windows which app they belong to. */
export function bindWindows(app: StandInApp): void {
  owner = app
  focus = new WindowFocus((name, ...args) => app.emit(name, ...args))
}

/** Electron's `BrowserWindow`, drawn by a page of Chromium without anything around it. */
export class StandInWindow extends StrictEmitter implements Pick<Electron.BrowserWindow, OfferedWindow> {
  readonly id: number = nextId++
  readonly webContents: Electron.WebContents
  readonly #contents: StandInContents
  #title: string
  #bounds: Electron.Rectangle
  #normal: Electron.Rectangle | undefined
  #state: 'normal' | 'minimized' | 'maximized' | 'full-screen' = 'normal'
  #background: string
  #visible: boolean
  #painted = false

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', windowEvents)
    chromiumHost()
    checkWindowOptions(options)
    const { width = 800, height = 600, title = owner.getName(), show = true } = options
    const room = display.workArea
    this.#bounds = {
      x: options.x ?? Math.max(0, Math.round((room.width - width) / 2)),
      y: options.y ?? Math.max(0, Math.round((room.height - height) / 2)),
      width,
      height,
    }
    this.#title = title
    this.#background = options.backgroundColor ?? '#FFF'
    this.#visible = show
    const preload = options.webPreferences?.preload
    const settings = { width, height, preload, appFolder: owner.getAppPath() }
    this.#contents = new StandInContents(
      {
        isFocused: () => this.isFocused(),
        focus: () => this.focus(),
        close: () => this.close(),
        painted: () => this.#paint(),
        titled: (text) => this.#follow(text),
        gone: () => this.#end(),
        refusedToClose: () => owner.lifecycle.closeRefused(),
        crashed: (details) => owner.emit('render-process-gone', preventable({}), this.webContents, details),
      },
      settings,
    )
    this.webContents = this.#contents.electron
    all.set(this.id, this)
    owner.lifecycle.windowOpened(this)
    owner.emit('web-contents-created', preventable({}), this.webContents)
    owner.emit('browser-window-created', preventable({}), this)
    if (show) setImmediate(() => focus.take(this))
  }

  static getAllWindows(): Electron.BrowserWindow[] {
    return [...all.values()].map((window) => window.electron)
  }

  static fromId(id: number): Electron.BrowserWindow | null {
    return all.get(id)?.electron ?? null
  }

  static fromWebContents(contents: Electron.WebContents): Electron.BrowserWindow | null {
    return [...all.values()].find((window) => window.webContents === contents)?.electron ?? null
  }

  static getFocusedWindow(): Electron.BrowserWindow | null {
    return focus.focused?.electron ?? null
  }

  /** Tells every page which colours the app wants. */
  static setDark(dark: boolean): void {
    for (const window of all.values()) window.#contents.setDark(dark)
  }

  /** Itself, as the app sees it: what is missing of the type throws when it is used. */
  get electron(): Electron.BrowserWindow {
    return this as unknown as Electron.BrowserWindow
  }

  loadURL(url: string): Promise<void> {
    return this.#contents.loadURL(url)
  }

  loadFile(filePath: string, options?: Electron.LoadFileOptions): Promise<void> {
    return this.#contents.loadFile(filePath, options)
  }

  reload(): void {
    this.#contents.reload()
  }

  capturePage(): Promise<Electron.NativeImage> {
    return this.#contents.capturePage()
  }

  show(): void {
    this.showInactive()
    this.focus()
  }

  showInactive(): void {
    if (this.#visible || this.isDestroyed()) return
    this.#visible = true
    this.emit('show')
  }

  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.emit('hide')
    focus.leave(this, false)
  }

  focus(): void {
    if (!this.isDestroyed()) focus.take(this)
  }

  blur(): void {
    focus.drop(this)
  }

  /** Asks the app (`close`) and then the page (beforeunload). */
  close(): void {
    if (this.isDestroyed()) return
    const event = preventable({})
    this.emit('close', event)
    if (event.defaultPrevented) owner.lifecycle.closeRefused()
    else if (!this.isDestroyed()) this.#contents.end(true)
  }

  destroy(): void {
    if (this.isDestroyed()) return
    this.#contents.end(false)
    this.#end()
  }

  isDestroyed(): boolean {
    return !all.has(this.id)
  }

  isVisible(): boolean {
    return this.#visible && !this.isDestroyed()
  }

  isFocused(): boolean {
    return focus.focused === this
  }

  minimize(): void {
    if (this.#enter('minimized', 'minimize')) focus.leave(this, false)
  }

  isMinimized(): boolean {
    return this.#state === 'minimized'
  }

  /** As in Electron, this also shows the window. */
  maximize(): void {
    this.showInactive()
    if (this.#enter('maximized', 'maximize')) this.#move(display.workArea)
  }

  unmaximize(): void {
    if (this.#state === 'maximized') this.#leave('unmaximize')
  }

  isMaximized(): boolean {
    return this.#state === 'maximized'
  }

  setFullScreen(flag: boolean): void {
    if (flag && this.#enter('full-screen', 'enter-full-screen')) this.#move(display.bounds)
    else if (!flag && this.#state === 'full-screen') this.#leave('leave-full-screen')
  }

  isFullScreen(): boolean {
    return this.#state === 'full-screen'
  }

  restore(): void {
    if (this.#state !== 'minimized') return
    this.#leave('restore')
    this.focus()
  }

  getBounds(): Electron.Rectangle {
    return { ...this.#bounds }
  }

  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.#move({ ...this.#bounds, ...bounds })
  }

  getNormalBounds(): Electron.Rectangle {
    return { ...(this.#normal ?? this.#bounds) }
  }

  getContentBounds(): Electron.Rectangle {
    return this.getBounds()
  }

  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height]
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  center(): void {
    const { width, height } = display.workArea
    this.setPosition(
      Math.round((width - this.#bounds.width) / 2),
      Math.round((height - this.#bounds.height) / 2),
    )
  }

  moveTop(): void {}

  get title(): string {
    return this.#title
  }

  set title(title: string) {
    this.#title = title
  }

  setTitle(title: string): void {
    this.#title = title
  }

  getTitle(): string {
    return this.#title
  }

  setBackgroundColor(color: string): void {
    this.#background = color
  }

  getBackgroundColor(): string {
    return this.#background
  }

  // Nothing is drawn around the page: these have nothing to change.
  flashFrame(): void {}
  setMenu(): void {}
  removeMenu(): void {}
  setMenuBarVisibility(): void {}
  setAutoHideMenuBar(): void {}
  setRepresentedFilename(): void {}
  setDocumentEdited(): void {}
  setProgressBar(): void {}
  setMinimumSize(): void {}

  #paint(): void {
    if (this.#painted || this.isDestroyed()) return
    this.#painted = true
    this.emit('ready-to-show')
  }

  #follow(title: string): void {
    const event = preventable({})
    this.emit('page-title-updated', event, title, true)
    if (!event.defaultPrevented) this.#title = title
  }

  #enter(state: 'minimized' | 'maximized' | 'full-screen', event: string): boolean {
    if (this.#state === state || this.isDestroyed()) return false
    this.#normal ??= this.getBounds()
    this.#state = state
    this.emit(event)
    return true
  }

  #leave(event: string): void {
    const back = this.#normal ?? this.#bounds
    this.#normal = undefined
    this.#state = 'normal'
    this.emit(event)
    this.#move(back)
  }

  #move(to: Electron.Rectangle): void {
    const from = this.#bounds
    if (this.isDestroyed()) return
    this.#bounds = { ...to }
    const resized = from.width !== to.width || from.height !== to.height
    const moved = from.x !== to.x || from.y !== to.y
    if (resized) this.#contents.resize(to.width, to.height)
    // A window manager answers later, too.
    setImmediate(() => {
      if (this.isDestroyed()) return
      if (resized) for (const name of ['resize', 'resized']) this.emit(name)
      if (moved) for (const name of ['move', 'moved']) this.emit(name)
    })
  }

  #end(): void {
    if (!all.delete(this.id)) return
    this.#visible = false
    this.#contents.destroyed()
    this.emit('closed')
    focus.leave(this, true)
    owner.lifecycle.windowClosed(this)
  }
}

strictStatics('BrowserWindow', StandInWindow)
