import type { Log } from '../core/platform/log'
import { showInFileManager } from '../core/platform/file-manager'
import { type HandOverAnswer, listenForHandOver } from '../core/platform/hand-over-server'
import { moveToTrash, trashOfProcess } from '../core/platform/trash'
import { DisposableStack, disposable } from '../../shared/lifetime'
import { type Result, succeed } from '../../shared/result'
import { foldersToOpen } from '../cli/folders-to-open'
import { BrowserWindows } from './browser-program'
import type { HostAbilities } from '../app/host-abilities'
import type { HostedApp, HostedWindow } from './hosted-app'
import { type PageServer, openPageServer } from './page-server'

/** What a headless host is started with. */
export interface HeadlessOptions {
  folders: readonly string[]
  /** Without folders: whether those of last time are opened. */
  reopens: boolean
  port: number | null
  dataDirectory: string
  /** Where the built page lies. */
  pageDirectory: string
  /** The program for app windows; null: the person opens the link. */
  browser: string | null
  log: Log
  /** Makes the app, which takes the data directory's lock. */
  createApp(abilities: HostAbilities): Promise<Result<HostedApp>>
  /** Sentences for the person, on stderr. */
  say(sentence: string): void
  /** The person has closed the last app window. */
  onUnwatched(): void
}

/** A running host. Its end is `shutdown`; `readyLine` is what --headless prints. */
export interface HeadlessHost {
  readyLine(): string
  /** A sentence for the person, in each window. */
  warn(sentence: string): void
  shutdown(): Promise<void>
}

/** How long after a browser's end its page may still come back (a reload, a second window). */
const graceMilliseconds = 2_000

/** Starts the app, serves its page, and listens for second starts. Fails where the directory or the port is taken. */
export async function startHeadlessHost(options: HeadlessOptions): Promise<Result<HeadlessHost>> {
  const { log, say } = options
  const owned = new DisposableStack()
  let server: PageServer | null = null
  let browser: BrowserWindows | null = null
  let ending: NodeJS.Timeout | undefined
  owned.add(disposable(() => clearTimeout(ending)))

  const created = await options.createApp({
    // A browser can’t show the system’s folder dialog: the page asks for a path.
    chooseFolder: null,
    // The person's browser is where the page is, and the page opens it.
    openExternal: () => Promise.resolve(false),
    openWindow: async (folders) => {
      const window = await open(folders, 'empty')
      return window && showToAsker(window)
    },
    focusWindow: (id) => {
      const window = app.windows().find((one) => one.id === id)
      return window ? showToAsker(window) : null
    },
    trash: (path) => moveToTrash(path, trashOfProcess()),
    showInFileManager: (path) => Promise.resolve(showInFileManager(path)),
    // The page itself shows notifications and, in its title, what waits.
    notify: () => false,
    setWaiting: () => undefined,
  })
  if (!created.ok) return created
  const app = created.value

  /** The window with these folders: the one that has them already, else a new one. Without any: `any` or an empty one. */
  async function open(
    folders: readonly string[],
    without: 'any' | 'empty' = 'any',
  ): Promise<HostedWindow | null> {
    const [first] = folders
    const present =
      first === undefined
        ? app.windows().find((window) => without === 'any' || window.folders.paths.length === 0)
        : app.windowOf(first)
    if (present && folders.every((folder) => app.windowOf(folder) === present)) return present
    const opened = await app.openWindow(folders)
    if (opened.ok) return opened.value
    log.warn('window not opened', { failure: opened.failure.code })
    say(opened.failure.message)
    return null
  }

  function show(window: HostedWindow): void {
    if (!server) return
    const url = server.mintUrl(window.id)
    if (!browser)
      return say(`Open this link in a browser on this machine (it works once, for a minute):\n  ${url}`)
    if (!browser.open(url))
      say(`The browser can’t be started. Open this link (it works once, for a minute):\n  ${url}`)
  }

  /** For a page that asked: if we run no browser, it gets a link of its own for the browser it is in. */
  function showToAsker(window: HostedWindow): string | null {
    show(window)
    return server && !browser ? server.mintUrl(window.id) : null
  }

  function readyOf(window: HostedWindow): Record<string, unknown> {
    return {
      ready: true,
      url: server?.mintUrl(window.id),
      pid: process.pid,
      ...window.readiness(),
    }
  }

  async function takeOver(folders: readonly string[]): Promise<HandOverAnswer> {
    log.info('second start', { folders: folders.length })
    const window = await open(folders)
    if (window && browser) show(window)
    return { pid: process.pid, ready: window ? readyOf(window) : null }
  }

  async function giveUp<F>(failure: F): Promise<{ ok: false; failure: F }> {
    owned.dispose()
    await app.shutdown()
    return { ok: false, failure }
  }

  const [firstFolders = [], ...more] = foldersToOpen(options.folders, options.reopens ? app.lastOpen : [])
  const opened = await app.openWindow(firstFolders)
  if (!opened.ok) return giveUp(opened.failure)
  const first = opened.value

  const listening = await openPageServer({
    port: options.port,
    directory: options.pageDirectory,
    window: (id) => app.windows().find((window) => window.id === id),
    onRefused: (refusal) => log.warn('request refused', { status: refusal.status, why: refusal.message }),
  })
  if (!listening.ok) return giveUp(listening.failure)
  server = owned.add(listening.value)
  owned.add(
    await listenForHandOver(options.dataDirectory, {
      open: async ({ folders }) => succeed(await takeOver(folders)),
      ...app.commands,
    }),
  )
  log.info('page served', { port: server.port, folders: options.folders.length })

  if (options.browser !== null) {
    browser = new BrowserWindows(options.browser, options.dataDirectory, () => {
      clearTimeout(ending)
      ending = setTimeout(() => {
        if (!server || server.isWatched()) return
        if (server.wasWatched()) return options.onUnwatched()
        // The person didn't close it: it could not show anything (no such display, a broken installation).
        const url = server.mintUrl(first.id)
        say(
          `The browser ended before it showed the page. Open this link (it works once, for a minute):\n  ${url}`,
        )
      }, graceMilliseconds)
    })
    owned.add(browser)
    show(first)
    for (const folders of more) {
      const window = await open(folders)
      if (window) show(window)
    }
  }

  app.begun()

  let shutting: Promise<void> | null = null
  return succeed({
    readyLine: () => JSON.stringify(readyOf(first)),
    warn(sentence) {
      for (const window of app.windows()) window.notices.warn(sentence)
    },
    shutdown() {
      // No new pages and starts first, then the app with what it must flush.
      owned.dispose()
      return (shutting ??= app.shutdown())
    },
  })
}
