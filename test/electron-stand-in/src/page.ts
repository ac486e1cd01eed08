import type { CdpSession, Protocol } from './cdp'
import { pageScripts } from './page-scripts'
import { guardNavigation, type NavigationJudge } from './navigation'
import { LoadError } from './net-errors'
import type { Crash, PageTarget, Targets } from './targets'
import {
  droppedName,
  preloadWorld,
  receiveFunction,
  sendBinding,
  unframe,
  type FromPreload,
  type ToPreload,
} from './wire'
import { pack } from './codec'

/** A line of the page's console, in Electron's words. */
export type ConsoleLine = Omit<Electron.WebContentsConsoleMessageEventParams, 'frame'>

/** What the preload's world says and the page itself does not answer. */
export type Heard = Exclude<FromPreload, { op: 'dropped' }>

/** Who hears what happens in a page, in the order in which it happens. */
export interface PageListener extends NavigationJudge {
  heard(message: Heard, packed: unknown): void
  startedLoading(): void
  navigated(url: string): void
  navigatedInPage(url: string): void
  becameDomReady(): void
  finishedLoading(): void
  painted(): void
  logged(line: ConsoleLine): void
  crashed(crash: Crash): void
  /** The page wants to stay although its window closes. True: it may not. */
  overrulesUnload(): boolean
  gone(): void
}

/** How a page begins. */
export interface PageSettings {
  width: number
  height: number
  dark: boolean
  /** Absolute path of the preload script. */
  preload: string | undefined
}

/** One page of Chromium with the preload's world in it. */
export class Page {
  readonly targetId: string
  readonly #targets: Targets
  readonly #session: CdpSession
  readonly #listener: PageListener
  #mainFrame = ''
  #loader = ''
  #world: string | undefined
  #crashed = false

  private constructor(targets: Targets, target: PageTarget, listener: PageListener) {
    this.targetId = target.targetId
    this.#targets = targets
    this.#session = target.session
    this.#listener = listener
  }

  /** Makes the page, prepares both of its worlds, and lets it run. It shows about:blank. */
  static async open(targets: Targets, settings: PageSettings, listener: PageListener): Promise<Page> {
    const page = new Page(targets, await targets.make(settings.width, settings.height), listener)
    await page.#prepare(settings)
    return page
  }

  /** Loads `url`; resolves when it has loaded. @throws LoadError */
  async navigate(url: string): Promise<void> {
    const { errorText } = await this.#session.send('Page.navigate', { url })
    if (errorText !== undefined) throw new LoadError(errorText, url)
  }

  async reload(ignoreCache: boolean): Promise<void> {
    await this.#session.send('Page.reload', { ignoreCache })
  }

  /** Sends to the preload's world. Messages arrive in order; without a preload there is nobody to hear. */
  async post(head: ToPreload, packed: string): Promise<void> {
    if (this.#world === undefined) return
    await this.#session.send('Runtime.evaluate', {
      expression: `${receiveFunction}(${JSON.stringify(head)},${packed})`,
      uniqueContextId: this.#world,
      silent: true,
    })
  }

  /** Runs `code` in the page's own world; resolves with a JSON value. */
  async evaluate(code: string, userGesture: boolean): Promise<unknown> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** A PNG of the page. */
  async capture(): Promise<Buffer> {
    const { data } = await this.#session.send('Page.captureScreenshot', { format: 'png' })
    return Buffer.from(data, 'base64')
  }

  async setDark(dark: boolean): Promise<void> {
    await this.#session.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    })
  }

  /** Gives the page `width` by `height` CSS pixels, whatever Chromium draws around it. */
  async resize(width: number, height: number): Promise<void> {
    const { windowId, bounds } = await this.#session.send('Browser.getWindowForTarget', {})
    const { cssLayoutViewport: inner } = await this.#session.send('Page.getLayoutMetrics')
    const around = {
      width: (bounds.width ?? 0) - inner.clientWidth,
      height: (bounds.height ?? 0) - inner.clientHeight,
    }
    await this.#session.send('Browser.setWindowBounds', {
      windowId,
      bounds: { width: width + around.width, height: height + around.height },
    })
  }

  /** Runs an editing command of the browser, such as `copy` or `selectAll`, on what has the page's focus. */
  async edit(command: string): Promise<void> {
    await this.#session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: [command] })
  }

  /** Ends the page's process, as a crash does. */
  crash(): void {
    // Never answered: who should answer has gone.
    this.#session.send('Page.crash').catch(() => {})
  }

  /** Closes the page; `ask`: its beforeunload handlers are asked first. */
  async close(ask: boolean): Promise<void> {
    if (ask && !this.#crashed) await this.#session.send('Page.close')
    else await this.#targets.close(this.targetId)
  }

  async #prepare(settings: PageSettings): Promise<void> {
    const session = this.#session
    this.#targets.onGone(this.targetId, () => this.#listener.gone())
    this.#targets.onCrash(this.targetId, (crash) => {
      this.#crashed = true
      this.#world = undefined
      this.#listener.crashed(crash)
    })
    await session.send('Page.enable')
    this.#mainFrame = (await session.send('Page.getFrameTree')).frameTree.frame.id
    this.#hear()
    this.#hearConsole()
    await session.send('Page.setLifecycleEventsEnabled', { enabled: true })
    await session.send('Runtime.enable')
    await session.send('Log.enable')
    await guardNavigation(session, this.#mainFrame, this.#listener)
    if (settings.preload !== undefined) {
      await session.send('Runtime.addBinding', { name: sendBinding, executionContextName: preloadWorld })
      const scripts = pageScripts(settings.preload)
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page })
      await session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: scripts.preload,
        worldName: preloadWorld,
      })
    }
    await this.setDark(settings.dark)
    await session.send('Runtime.runIfWaitingForDebugger')
    await this.resize(settings.width, settings.height)
  }

  #hear(): void {
    const session = this.#session
    const listener = this.#listener
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = (context.auxData ?? {}) as { frameId?: string }
      if (context.name === preloadWorld && frameId === this.#mainFrame) this.#world = context.uniqueId
    })
    session.on('Runtime.executionContextsCleared', () => {
      this.#world = undefined
    })
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== sendBinding) return
      const { head, packed } = unframe(payload)
      if (head.op === 'dropped') void this.#placeDropped(head.count)
      else listener.heard(head, packed)
    })
    session.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
      if (frameId === this.#mainFrame && !navigationType.endsWith('SameDocument')) listener.startedLoading()
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return
      this.#crashed = false
      // The first document, and Chromium's own error page, are not the app's.
      this.#loader = frame.url === 'about:blank' || frame.unreachableUrl !== undefined ? '' : frame.loaderId
      if (this.#loader !== '') listener.navigated(`${frame.url}${frame.urlFragment ?? ''}`)
    })
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#mainFrame && this.#loader !== '') listener.navigatedInPage(url)
    })
    session.on('Page.lifecycleEvent', ({ loaderId, name }) => {
      if (loaderId !== this.#loader) return
      if (name === 'DOMContentLoaded') listener.becameDomReady()
      else if (name === 'load') listener.finishedLoading()
      else if (name === 'firstContentfulPaint') listener.painted()
    })
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      if (type !== 'beforeunload') return
      const accept = listener.overrulesUnload()
      session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {})
    })
  }

  /** Tells the preload's world where the files lie that were dropped. */
  async #placeDropped(count: number): Promise<void> {
    const session = this.#session
    const paths: string[] = []
    for (let at = 0; at < count; at++) {
      const { result } = await session.send('Runtime.evaluate', {
        expression: `${droppedName}[${at}]`,
        ...(this.#world === undefined ? {} : { uniqueContextId: this.#world }),
      })
      const { path } = await session.send('DOM.getFileInfo', { objectId: result.objectId ?? '' })
      paths.push(path)
    }
    await this.post({ op: 'places' }, pack(paths))
  }

  #hearConsole(): void {
    const session = this.#session
    const log = (level: ConsoleLine['level'], message: string, sourceId = '', lineNumber = 0): void =>
      this.#listener.logged({ level, message, sourceId, lineNumber })
    session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      const from = stackTrace?.callFrames[0]
      log(consoleLevel(type), args.map(describe).join(' '), from?.url, (from?.lineNumber ?? -1) + 1)
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception, url, lineNumber } }) =>
      log('error', `${text} ${exception?.description ?? ''}`.trim(), url, lineNumber + 1),
    )
    session.on('Log.entryAdded', ({ entry: { level, text, url, lineNumber } }) =>
      log(level === 'verbose' ? 'debug' : level, text, url, lineNumber),
    )
  }
}

function consoleLevel(type: Protocol.Runtime.consoleAPICalledPayload['type']): ConsoleLine['level'] {
  if (type === 'error' || type === 'assert') return 'error'
  if (type === 'warning' || type === 'debug') return type
  return 'info'
}

function describe(value: Protocol.Runtime.RemoteObject): string {
  if (typeof value.value === 'string') return value.value
  return value.description ?? JSON.stringify(value.value) ?? value.type
}
