import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import {
  type MessagesApi,
  type Reply,
  type SeenRequest,
  inOrder,
  say,
  startMessagesApi,
  use,
} from './messages-api'

const built = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'headless.js')

/** The app with the real Claude Code on its PATH, a scripted model, and a page in Chromium. */
export class ClaudeInApp {
  readonly api: MessagesApi
  readonly place: ClaudeHome
  readonly page: Page
  #host: ChildProcess | null = null
  #url = ''

  constructor(api: MessagesApi, place: ClaudeHome, page: Page) {
    this.api = api
    this.place = place
    this.page = page
  }

  /** Path of a file in the project. */
  path(name: string): string {
    return join(this.place.project, name)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  /** Starts the host and opens its page. */
  async start(): Promise<void> {
    const host = spawn(
      process.execPath,
      [built, '--headless', '--data-dir', join(this.place.root, 'data'), this.place.project],
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
    await expect(
      this.page.getByRole('button', { name: new RegExp(`^Claude: ${connected} connected`) }),
    ).toBeVisible({
      timeout: 40_000,
    })
    await expect(terminal.locator('.xterm-rows')).toContainText('❯', { timeout: 40_000 })
    return terminal
  }

  /** Types a prompt into a terminal as a paste and sends it. */
  async prompt(terminal: Locator, text: string): Promise<void> {
    await terminal.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.insertText(text)
    await expect(terminal.locator('.xterm-rows')).toContainText(text)
    await this.page.keyboard.press('Enter')
  }

  /** The review of a file, open and with its decisions possible. */
  async review(name: string): Promise<Locator> {
    const region = this.page.getByRole('region', { name: `Review: ${this.path(name)}` })
    await expect(region.getByRole('button', { name: 'Reject file' })).toBeEnabled({ timeout: 40_000 })
    return region
  }

  /** The model's next turn, which brings the result of what it asked. */
  results(turn: number): Promise<SeenRequest> {
    return this.api.waitFor((request) => request.main && request.turn === turn, 40_000)
  }

  async dispose(): Promise<void> {
    await this.stop()
    await this.api.close()
    await this.place.remove()
  }
}

/** A model that reads a file, then does `steps` one after another, then says it is done. */
export function readThen(path: string, ...steps: readonly Reply[]) {
  return inOrder(use({ name: 'Read', input: { file_path: path } }), ...steps, say('All done here.'))
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
  claude: async ({ page }, provide) => {
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
    const claude = new ClaudeInApp(api, place, page)
    await provide(claude)
    await claude.dispose()
  },
})

export { expect } from '@playwright/test'
