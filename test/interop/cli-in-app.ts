import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test as base, expect as expectBase, type Locator, type Page, type TestInfo } from '@playwright/test'
import { hashContent } from '../../src/main/core/files/content-hash'
import { putOnPath } from '../program-on-path'
import type { InstalledCli } from './install-cli'
import type { ScriptedApi } from './scripted-api'

const run = promisify(execFile)
const built = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'headless.js')

/** How long a step of the real command line may take on a busy machine, in milliseconds. */
export const patience = 60_000

/** Playwright's own, as patient as the real command line needs on a busy machine. */
export const expect = expectBase.configure({ timeout: patience })

/** A home of a test's own, with a project folder and the environment for what is started in it. */
export interface CliHome {
  root: string
  project: string
  env: Record<string, string>
  remove(): Promise<void>
}

/** What the tasks of a scripted model need to know of a request. */
export interface TaskRequest {
  index: number
  main: boolean
  everything: string
}

/** The ready line, as far as it matters here. */
export interface Ready {
  url: string
  gemini?: { port: number; discoveryFiles: string[] }
  hooks?: { plugin: string }
}

/** An entry of the record of writes, as far as it matters here; a file that isn't there has no hash. */
interface RecordLine {
  path: string
  how: string
  before: { sha256: string | null }
  written?: { sha256: string | null } | null
}

/** What a decision has made of a file; null: there is none. */
export interface RecordedWrite {
  name: string
  how: 'accepted' | 'rejected' | 'let-through'
  before: string | null
  after: string | null
}

/** The app with a real command line on its PATH, a scripted model, and a page in Chromium. */
export class CliInApp<Home extends CliHome, Seen extends TaskRequest, Script> {
  readonly api: ScriptedApi<Seen, Script>
  readonly place: Home
  readonly page: Page
  readonly info: TestInfo
  ready: Ready | null = null
  /** The words to put before the host. */
  within: readonly string[] = []
  #host: ChildProcess | null = null

  constructor(api: ScriptedApi<Seen, Script>, place: Home, page: Page, info: TestInfo) {
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

  /** The file's text, with byte order mark and line ends. */
  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  exists(name: string): boolean {
    return existsSync(this.path(name))
  }

  /** Where the host keeps settings and the journal. */
  get dataFolder(): string {
    return join(this.place.root, 'data')
  }

  /** What `greenlight record` says of a file in the project, or of everything, the newest first. */
  async record(name?: string): Promise<RecordLine[]> {
    const file = name === undefined ? [] : [this.path(name)]
    const words = ['record', ...file, '--json', '--data-dir', this.dataFolder]
    const { stdout } = await run(process.execPath, [built, ...words], { env: this.place.env })
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as RecordLine]))
  }

  /** Waits until the record holds exactly these writes, the oldest first. */
  async recorded(writes: readonly RecordedWrite[]): Promise<void> {
    const hashOf = (text: string | null) => text && hashContent(text)
    const known = () =>
      this.record().then((lines) =>
        lines.toReversed().map(({ path, how, before, written }) => ({
          ...{ path, how, before: before.sha256 },
          written: written ? written.sha256 : 'nothing',
        })),
      )
    const wanted = writes.map(({ name, how, before, after }) => ({
      ...{ path: this.path(name), how, before: hashOf(before) },
      written: how === 'rejected' ? 'nothing' : hashOf(after),
    }))
    await expect.poll(known).toEqual(wanted)
  }

  /** Puts a program on the PATH of the app's terminals. */
  addProgram(name: string, path: string): void {
    const folder = join(this.place.root, 'bin')
    putOnPath(folder, name, path)
    const paths = this.place.env['PATH'] ?? ''
    if (!paths.startsWith(`${folder}:`)) this.place.env['PATH'] = `${folder}:${paths}`
  }

  /** Starts the host and opens its page. */
  async start(): Promise<void> {
    const words = [...this.within, process.execPath, built, '--headless', '--data-dir', this.dataFolder]
    const [program, ...args] = [...words, this.place.project]
    const host = spawn(program, args, { env: this.place.env, stdio: ['ignore', 'pipe', 'ignore'] })
    this.#host = host
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      host.stdout.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      })
      host.once('exit', (code) => reject(new Error(`the host ended with ${code}`)))
    })
    this.ready = JSON.parse(line) as Ready
    await this.page.goto(this.ready.url)
    await this.page.getByRole('tree', { name: 'Files' }).waitFor()
  }

  /** Ends the host: politely, or as a crash does. Resolves with its exit code when it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const host = this.#host
    this.#host = null
    if (!host || host.exitCode !== null || host.signalCode !== null) return null
    const gone = new Promise<number | null>((resolve) => host.once('exit', resolve))
    host.kill(signal)
    return gone
  }

  /** Opens a profile in a new terminal, the `count`th of its name, without waiting for what it shows. */
  async openTerminal(profile: string, count = 1): Promise<Locator> {
    await this.page.getByRole('button', { name: 'New terminal' }).first().click()
    await this.page.getByRole('menuitem', { name: profile }).click()
    const name = count === 1 ? `Terminal: ${profile}` : `Terminal: ${profile} ${count}`
    return this.page.getByRole('region', { name, exact: true })
  }

  /** Opens a shell in a new terminal. */
  async openShell(): Promise<Locator> {
    const terminal = await this.openTerminal('Shell')
    await expect(screenOf(terminal)).toContainText(/[#$]/)
    return terminal
  }

  /** Types a line into a terminal and sends it. */
  async type(terminal: Locator, line: string): Promise<void> {
    await terminal.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.insertText(line)
    await this.page.keyboard.press('Enter')
  }

  /** Shows the list of all that waits. */
  async pending(): Promise<Locator> {
    const views = this.page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Reviews' }).click()
    return this.page.getByRole('list', { name: 'Pending reviews' })
  }

  /** The review of a file, shown and with its decisions possible. */
  async review(name: string): Promise<Locator> {
    const region = this.page.getByRole('region', { name: `Review: ${this.path(name)}` })
    const asRejected = region.getByRole('button', { name: /^(Reject file|Put back)$/ })
    await expect(asRejected).toBeEnabled({ timeout: patience })
    return region
  }

  /** The request of the model that brings the result of a task's step: 1 is that of its first tool. */
  told(task: string, step: number): Promise<Seen> {
    return this.api.waitFor(
      (request) =>
        request.main && taskOf(request) === task && stepOf(request, this.api.requests, task) === step,
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

  /** Ends all of it; the terminals' screens are kept where the test has failed. */
  async dispose(): Promise<void> {
    if (this.info.status !== this.info.expectedStatus) {
      const screens = await this.page.locator('.xterm-rows').allInnerTexts()
      await this.info.attach('terminals', { body: screens.join('\n\n') })
    }
    await this.stop()
    await this.api.close()
    await this.place.remove()
  }
}

/** What stands on a terminal's screen. */
export function screenOf(terminal: Locator): Locator {
  return terminal.locator('.xterm-rows')
}

/** The task that the newest prompt of a conversation names by a word such as `task-crlf`. */
export function taskOf(request: TaskRequest): string | null {
  return request.everything.match(/task-[a-z]+/g)?.at(-1) ?? null
}

/** How many requests of a task came before this one. */
export function stepOf(request: TaskRequest, all: readonly TaskRequest[], task: string): number {
  return all.filter((other) => other.index < request.index && other.main && taskOf(other) === task).length
}

/** Skips a spec whose command line cannot be had, with the reason. */
export function skipWithout(cli: InstalledCli): void {
  base.skip('skipped' in cli, 'skipped' in cli ? cli.skipped : '')
}
