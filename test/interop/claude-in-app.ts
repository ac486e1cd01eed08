import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect as expectBase, type Locator, type Page, type TestInfo } from '@playwright/test'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import {
  type MessagesApi,
  type Reply,
  type Script,
  type SeenRequest,
  inOrder,
  say,
  startMessagesApi,
  use,
} from './messages-api'

const built = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'headless.js')

/** How long a step of the real command line may take on a busy machine, in milliseconds. */
export const patience = 60_000

/** Playwright's own, as patient as the real command line needs on a busy machine. */
export const expect = expectBase.configure({ timeout: patience })

/** The app with the real Claude Code on its PATH, a scripted model, and a page in Chromium. */
export class ClaudeInApp {
  readonly api: MessagesApi
  readonly place: ClaudeHome
  readonly page: Page
  readonly info: TestInfo
  #host: ChildProcess | null = null
  #url = ''

  constructor(api: MessagesApi, place: ClaudeHome, page: Page, info: TestInfo) {
    this.api = api
    this.place = place
    this.page = page
    this.info = info
  }

  /** Path of a file in the project. */
  path(name: string): string {
    return join(this.place.project, name)
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** The file's bytes, with byte order mark and line ends. */
  read(name: string): string {
    return readFileSync(this.path(name)).toString('utf8')
  }

  exists(name: string): boolean {
    return existsSync(this.path(name))
  }

  /** Changes settings before the host starts. */
  setSettings(settings: Record<string, unknown>): void {
    mkdirSync(this.dataFolder, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.dataFolder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
  }

  /** Where the host keeps settings and the journal. */
  get dataFolder(): string {
    return join(this.place.root, 'data')
  }

  /** All that the journal of reviews holds now. */
  journal(): string {
    return readAll(this.dataFolder)
  }

  /** The process ids of the command lines that run, as they note them themselves. */
  get pids(): number[] {
    const folder = join(this.place.config, 'sessions')
    if (!existsSync(folder)) return []
    return readdirSync(folder).flatMap((name) =>
      /^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
    )
  }

  /** Starts the host and opens its page. */
  async start(): Promise<void> {
    const host = spawn(
      process.execPath,
      [built, '--headless', '--data-dir', this.dataFolder, this.place.project],
      { env: this.place.env, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    this.#host = host
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      host.stdout.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      })
      host.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
    })
    this.#url = (JSON.parse(line) as { url: string }).url
    await this.page.goto(this.#url)
    await this.page.getByRole('tree', { name: 'Files' }).waitFor()
  }

  /** Ends the host: politely, or as a crash does. Resolves when it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const host = this.#host
    this.#host = null
    if (!host || host.exitCode !== null || host.signalCode !== null) return
    const gone = new Promise((resolve) => host.once('exit', resolve))
    host.kill(signal)
    await gone
  }

  /** Opens Claude Code in a new terminal and waits until it has connected and shows its prompt. */
  async openClaude(connected = 1): Promise<Locator> {
    await this.page.getByRole('button', { name: 'New terminal' }).first().click()
    await this.page.getByRole('menuitem', { name: 'Claude Code' }).click()
    const title = connected === 1 ? 'Terminal: Claude Code' : `Terminal: Claude Code ${connected}`
    const terminal = this.page.getByRole('region', { name: title, exact: true })
    await this.connected(connected)
    await expect(screenOf(terminal)).toContainText('❯')
    return terminal
  }

  /** Waits until so many command lines are connected. */
  async connected(count: number): Promise<void> {
    await expect(
      this.page.getByRole('button', { name: new RegExp(`^Claude: ${count} connected`) }),
    ).toBeVisible()
  }

  /** Types a prompt into a terminal as a paste and sends it. */
  async prompt(terminal: Locator, text: string): Promise<void> {
    await terminal.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.insertText(text)
    await expect(screenOf(terminal)).toContainText(text)
    await this.page.keyboard.press('Enter')
  }

  /** The review of a file, shown and with its decisions possible. */
  async review(name: string): Promise<Locator> {
    const region = this.page.getByRole('region', { name: `Review: ${this.path(name)}` })
    await expect(region.getByRole('button', { name: 'Reject file' })).toBeEnabled({ timeout: patience })
    return region
  }

  /** Accepts a file whole, as it stands in its review. */
  async accept(name: string): Promise<void> {
    // The review of the edit before may be found while it is going away: then it is looked for anew.
    await expect(async () => {
      const review = await this.review(name)
      await review.getByRole('button', { name: 'Accept file' }).click({ timeout: 5_000 })
    }).toPass()
  }

  /** The request of the model that brings the result of a task's step: 1 is that of the reading, 2 of the first edit. */
  told(task: string, step = 2): Promise<SeenRequest> {
    return this.api.waitFor(
      (request) => request.main && isStepOf(request, this.api.requests, task, step),
      patience,
    )
  }

  /** The requests of a task so far. */
  requestsOf(task: string): number {
    return this.api.requests.filter((request) => request.main && taskOf(request) === task).length
  }

  /** Keeps a picture among the test's results, to be looked at. */
  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: this.info.outputPath(`${name}.png`) })
  }

  async dispose(): Promise<void> {
    await this.stop()
    await this.api.close()
    await this.place.remove()
  }
}

/** What stands on a terminal's screen. */
export function screenOf(terminal: Locator): Locator {
  return terminal.locator('.xterm-rows')
}

/**
 * A model that knows tasks by a word in the newest prompt, such as `task-crlf`: it does the steps of that task one
 * after another, then says "NAME is done." Each conversation may do several tasks, and several may run at once.
 */
export function tasks(steps: Record<string, readonly Reply[]>): Script {
  return (request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    const step = before.filter((other) => other.main && taskOf(other) === task).length
    return steps[task]?.[step] ?? say(`${task} is done.`)
  }
}

/** The task that the newest prompt of a conversation names. */
function taskOf(request: SeenRequest): string | null {
  return request.everything.match(/task-[a-z]+/g)?.at(-1) ?? null
}

function isStepOf(request: SeenRequest, all: readonly SeenRequest[], task: string, step: number): boolean {
  if (taskOf(request) !== task) return false
  const before = all.filter((other) => other.index < request.index && other.main && taskOf(other) === task)
  return before.length === step
}

/** A Read of a file, which comes before each Edit of it. */
export function readOf(path: string): Reply {
  return use({ name: 'Read', input: { file_path: path } })
}

/** An Edit of one place. */
export function editOf(path: string, from: string, to: string): Reply {
  return use({ name: 'Edit', input: { file_path: path, old_string: from, new_string: to } })
}

/** A Write of the whole file. */
export function writeOf(path: string, content: string): Reply {
  return use({ name: 'Write', input: { file_path: path, content } })
}

/** Specs with the real command line; skipped with the reason where it cannot be had. */
export const test = base.extend<{ claude: ClaudeInApp }>({
  claude: async ({ page }, provide, info) => {
    info.setTimeout(300_000)
    const cli = await installClaudeCode()
    test.skip('skipped' in cli, 'skipped' in cli ? cli.skipped : '')
    if ('skipped' in cli) return
    const api = await startMessagesApi(inOrder(say('ok')))
    const place = await makeClaudeHome(api.url)
    const programs = join(place.root, 'bin')
    mkdirSync(programs)
    symlinkSync(cli.path, join(programs, 'claude'))
    place.env['PATH'] = `${programs}:${place.env['PATH'] ?? ''}`
    place.env['SHELL'] = '/bin/sh'
    const claude = new ClaudeInApp(api, place, page, info)
    await provide(claude)
    if (info.status !== info.expectedStatus) {
      const screens = await page.locator('.xterm-rows').allInnerTexts()
      await info.attach('terminals', { body: screens.join('\n\n') })
    }
    await claude.dispose()
  },
})

function readAll(folder: string): string {
  const texts = readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'utf8')] : [],
  )
  return texts.join('\n')
}
