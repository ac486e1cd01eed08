import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  _electron,
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type ElectronApplication,
  type Locator,
  type Page,
} from '@playwright/test'
import type { HostOption } from '../../playwright.config'
import { FakeAgent } from './fake-agent'
import { Place, type RunningHost, root } from './running-host'

/** The first window of an app. One that ends before it has one fails with its last words, and those of its log. */
async function firstWindowOf(app: ElectronApplication, { data }: Place): Promise<Page> {
  const child = app.process()
  let words = ''
  child.stderr?.on('data', (piece: Buffer) => {
    words = (words + piece.toString()).slice(-4000)
  })
  return app.firstWindow().catch((error: unknown) => {
    const path = join(data, 'logs', 'greenlight.log')
    const log = existsSync(path) ? readFileSync(path, 'utf8').slice(-4000) : '(none)'
    const end = `exit code ${child.exitCode}, signal ${child.signalCode}`
    throw new Error(`no window (${end}): ${words}\nLog: ${log}`, { cause: error })
  })
}

/** Keys that mean the same on every system. */
export const mod = process.platform === 'darwin' ? 'Meta' : 'Control'

/** The app as a person has it: one window on one folder, on either host. */
export class OpenApp {
  readonly place: Place
  readonly #host: HostOption['host']
  readonly #browser: Browser
  readonly #shell: string
  readonly #agents: FakeAgent[] = []
  #page: Page | null = null
  #running: RunningHost | null = null
  #electron: ElectronApplication | null = null
  #context: BrowserContext | null = null

  /** `shell`: what Electron is started with. */
  constructor(place: Place, host: HostOption['host'], browser: Browser, shell = root) {
    this.place = place
    this.#host = host
    this.#browser = browser
    this.#shell = shell
  }

  get page(): Page {
    if (!this.#page) throw new Error('the app is not open')
    return this.#page
  }

  get electron(): ElectronApplication | null {
    return this.#electron
  }

  /** Starts the host, and opens its page. */
  async start(folders: readonly string[] = [this.place.project]): Promise<void> {
    const words = ['--data-dir', this.place.data, ...folders]
    if (this.#host === 'electron') {
      this.#electron = await _electron.launch({
        args: [this.#shell, ...words],
        cwd: this.place.base,
        env: { ...this.place.env(), ...fromHere() },
        // Before the test's own time is up, so that it is told how far the start has come.
        timeout: 45_000,
      })
      this.#page = await firstWindowOf(this.#electron, this.place)
    } else {
      this.#running = await this.place.start(['--headless', ...words])
      const { url } = await this.#running.ready()
      this.#context ??= await this.#browser.newContext({ viewport: { width: 1400, height: 900 } })
      this.#page = await this.#context.newPage()
      await this.#page.goto(url)
    }
    if (folders.length > 0) await this.#loaded()
  }

  /** Loads the page anew; the host goes on. */
  async reload(): Promise<void> {
    await this.page.reload()
    await this.#loaded()
  }

  /** Ends the host as a crash does, and opens the app again. */
  async crashAndStart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Ends the host as a crash does. */
  async kill(): Promise<void> {
    const page = this.page
    if (this.#electron) {
      const ended = this.#electron.waitForEvent('close')
      process.kill(this.pid, 'SIGKILL')
      await ended
      this.#electron = null
    } else {
      this.#running?.process.kill('SIGKILL')
      await this.#running?.ended
      await page.close()
    }
    this.#page = null
  }

  /** Ends the host as a service manager does. */
  async stop(): Promise<{ code: number | null; took: number }> {
    const begun = Date.now()
    if (this.#electron) {
      const child = this.#electron.process()
      child.kill('SIGTERM')
      const end = () => child.exitCode ?? child.signalCode
      await expect.poll(end, { message: 'the app ends', intervals: [20] }).not.toBeNull()
      this.#electron = null
      return { code: child.exitCode, took: Date.now() - begun }
    }
    const ended = await this.#running?.stop()
    return { code: ended?.code ?? null, took: ended?.took ?? 0 }
  }

  /** The host's process. */
  get pid(): number {
    const pid = this.#electron?.process().pid ?? this.#running?.process.pid
    if (pid === undefined) throw new Error('the app is not running')
    return pid
  }

  /** Another page on the same window, in the same browser. Only where the host serves browsers. */
  async secondPage(): Promise<Page> {
    if (!this.#context) throw new Error('only a browser has a second page')
    const page = await this.#context.newPage()
    await page.goto(this.page.url())
    return page
  }

  /** An agent that has found the window. */
  async agent(pid?: number): Promise<FakeAgent> {
    const agent = await FakeAgent.connect(this.place.home, pid)
    this.#agents.push(agent)
    return agent
  }

  /** A path in the project. */
  path(name: string): string {
    return join(this.place.project, name)
  }

  write(name: string, text: string | Buffer): string {
    const path = this.path(name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  async dispose(): Promise<void> {
    for (const agent of this.#agents) agent.kill()
    await this.#context?.close()
    await this.#electron?.close()
    await this.place.dispose()
  }

  async #loaded(): Promise<void> {
    // The side bar shows what it showed before.
    const session = this.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    const reviews = this.page.getByRole('heading', { name: 'Reviews', exact: true })
    // An expectation looks once a second by then, and every test begins here.
    await this.page.getByRole('treeitem').or(session).or(reviews).first().waitFor({ timeout: 20_000 })
  }
}

/** What Electron and the stand-in need of this process's environment: a display, and how they are told apart. */
function fromHere(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(ELECTRON_|DISPLAY$|WAYLAND_DISPLAY$|XAUTHORITY$)/.test(name)
        ? [[name, value]]
        : [],
    ),
  )
}

/** A test with the app of its own: not started yet, so that the project can be filled before. */
export const test = base.extend<HostOption & { app: OpenApp }>({
  host: ['headless', { option: true }],
  app: async ({ host, browser }, use) => {
    const place = new Place()
    execFileSync('git', ['init', '-q', '-b', 'main', place.project])
    const app = new OpenApp(place, host, browser)
    await use(app)
    await app.dispose()
  },
})

/** The review that is shown. */
export const review = (page: Page): Locator => page.getByRole('region', { name: /^Review: / })

/** Where notices stand. */
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notices' })

/** A button by its whole name. */
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/** A terminal's own text field, which has the focus while a person types in it. */
export const terminalInput = (page: Page): Locator =>
  page.getByRole('region', { name: /^Terminal: / }).getByRole('textbox', { name: 'Terminal input' })

/** What stands on the terminal's screen. */
export const terminalScreen = (page: Page): Locator =>
  page.getByRole('region', { name: /^Terminal: / }).locator('.xterm-rows')

/** The text of the editor or of the review that is shown. */
export const proposedText = (page: Page): Locator => page.getByRole('textbox', { name: /^Proposed text of / })

/** Types at the end of a line of the proposed text. */
export async function typeAfter(page: Page, line: string, typed: string): Promise<void> {
  await proposedText(page).getByText(line, { exact: true }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(typed)
}

/**
 * Has the person go on typing wherever the focus is, until the page ends: what agents bring then stays behind. A word that
 * was typed once counts for some seconds only, which a slow machine may take for anything.
 */
export async function keepTyping(page: Page): Promise<void> {
  await page.evaluate(() => {
    // A key that types nothing.
    const press = () =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }))
    press()
    setInterval(press, 500)
  })
}

/** A tab of the middle. */
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('tablist', { name: 'Open files and reviews' }).getByRole('tab', { name, exact: true })

/** Runs a command by its title in the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press(`${mod}+Shift+P`)
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill(title)
  // What Enter runs is the option that is chosen, which comes a moment after the list.
  await expect(palette.getByRole('option', { selected: true })).toContainText(title)
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
}

/** Opens a Shell, and waits until it takes what is typed. */
export async function openShell(page: Page): Promise<void> {
  await button(page, 'New terminal').click()
  await page.getByRole('menuitem', { name: 'Shell' }).click()
  await expect(terminalInput(page)).toBeFocused()
  await prompts(page)
}

/** Waits until the shell asks for a command: what is typed before stands in front of its prompt, and what that prints after it. */
export const prompts = (page: Page): Promise<void> => expect(terminalScreen(page)).toContainText(/[#$]\s*$/)

/**
 * Waits for the review that is shown to take decisions, and presses a button of it. A review that is going away may be
 * found first, and a click waits for the button it has found, even when that is hidden by then: so it is not waited for
 * long, and looked for again. Where one review follows another, wait for the name of the right one before.
 */
export async function press(page: Page, name: string): Promise<void> {
  const found = button(review(page), name)
  const briefly = { timeout: 2_000 }
  await expect(async () => {
    await expect(found).toBeEnabled()
    const heard = await found.evaluateHandle(
      (element) => {
        const presses = { count: 0 }
        element.addEventListener('click', () => presses.count++, { capture: true })
        return presses
      },
      undefined,
      briefly,
    )
    await found.click(briefly).catch(async (error: unknown) => {
      // A slow page may have heard the press, and not said so in time.
      if ((await heard.evaluate(({ count }) => count)) === 0) throw error
    })
  }).toPass()
}
