import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect as expectBase, type Locator, type Page, type TestInfo } from '@playwright/test'
import {
  type GeminiApi,
  type GeminiReply,
  type GeminiScript,
  type SeenPrompt,
  startGeminiApi,
} from './gemini-api'
import { type GeminiHome, makeGeminiHome } from './gemini-home'
import { installGeminiCli, type InstalledCli } from './install-cli'

const built = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'out', 'main', 'headless.js')

/** How long a step of the real command line may take on a busy machine, in milliseconds. */
export const patience = 60_000

/** Playwright's own, as patient as the real command line needs on a busy machine. */
export const expect = expectBase.configure({ timeout: patience })

/**
 * An Enter that comes within 30 ms of a character is a line break of a paste for Gemini CLI, even where the character
 * is drawn already. A person needs longer, in milliseconds.
 */
const handTime = 120

/** Lets the time of a hand pass between a prompt that stands there and its Enter. */
export function moveHand(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, handTime))
}

/** What the command lines show when they take a prompt. */
const promptLine = /Type your message/

/** The ready line, as far as it matters here. */
export interface Ready {
  url: string
  gemini?: { port: number; discoveryFiles: string[] }
}

/** The app with a real command line on its PATH, a scripted model, and a page in Chromium. */
export class GeminiInApp {
  readonly api: GeminiApi
  readonly place: GeminiHome
  readonly page: Page
  readonly info: TestInfo
  ready: Ready | null = null
  #host: ChildProcess | null = null

  constructor(api: GeminiApi, place: GeminiHome, page: Page, info: TestInfo) {
    this.api = api
    this.place = place
    this.page = page
    this.info = info
  }

  /** Path of a file in the project. */
  path(name: string): string {
    return join(this.place.project, name)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** The file's text with its line ends. */
  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  exists(name: string): boolean {
    return existsSync(this.path(name))
  }

  /** Puts a program of Node's on the PATH of the app's terminals. */
  addProgram(name: string, script: string): void {
    const folder = join(this.place.root, 'bin')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`)
    chmodSync(path, 0o755)
    const paths = this.place.env['PATH'] ?? ''
    if (!paths.startsWith(folder)) this.place.env['PATH'] = `${folder}:${paths}`
  }

  /** Starts the host and opens its page. */
  async start(): Promise<void> {
    const args = [built, '--headless', '--data-dir', join(this.place.root, 'data'), this.place.project]
    const host = spawn(process.execPath, args, { env: this.place.env, stdio: ['ignore', 'pipe', 'ignore'] })
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

  /** Ends the host. Resolves with its exit code when it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const host = this.#host
    this.#host = null
    if (!host || host.exitCode !== null || host.signalCode !== null) return null
    const gone = new Promise<number | null>((resolve) => host.once('exit', resolve))
    host.kill(signal)
    return gone
  }

  /** Opens Gemini CLI in a new terminal and waits until it has connected and takes a prompt. */
  async openGemini(connected = 1): Promise<Locator> {
    const { page } = this
    await page.getByRole('button', { name: 'New terminal' }).first().click()
    await page.getByRole('menuitem', { name: 'Gemini CLI' }).click()
    const title = connected === 1 ? 'Terminal: Gemini CLI' : `Terminal: Gemini CLI ${connected}`
    const terminal = page.getByRole('region', { name: title, exact: true })
    await expect(screenOf(terminal)).toContainText(promptLine)
    await this.connected(connected)
    return terminal
  }

  /** Opens a shell in a new terminal. */
  async openShell(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'New terminal' }).first().click()
    await this.page.getByRole('menuitem', { name: 'Shell' }).click()
    const terminal = this.page.getByRole('region', { name: 'Terminal: Shell', exact: true })
    await expect(screenOf(terminal)).toContainText(/[#$]/)
    return terminal
  }

  /** Types a line into a terminal and sends it. */
  async type(terminal: Locator, line: string): Promise<void> {
    await terminal.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.insertText(line)
    await this.page.keyboard.press('Enter')
  }

  /** Waits until so many command lines are connected. */
  async connected(count: number): Promise<void> {
    const name = count === 0 ? 'Gemini: not connected' : new RegExp(`^Gemini: ${count} connected`)
    await expect(this.page.getByRole('button', { name })).toBeVisible()
  }

  /** Types a prompt and sends it, once it stands there: what comes at once is taken for a paste with a line break. */
  async prompt(terminal: Locator, text: string): Promise<void> {
    await expect(screenOf(terminal)).toContainText(promptLine)
    await terminal.locator('.xterm-helper-textarea').focus()
    await this.page.keyboard.insertText(text)
    await expect(screenOf(terminal)).toContainText(text)
    await moveHand()
    if (text.startsWith('/')) {
      // Enter takes what is suggested, which may still be for the first letters: what is typed is meant.
      await this.page.keyboard.press('Escape')
      await moveHand()
    }
    await this.page.keyboard.press('Enter')
  }

  /** The review of a file, shown and with its decisions possible. */
  async review(name: string): Promise<Locator> {
    const region = this.page.getByRole('region', { name: `Review: ${this.path(name)}` })
    await expect(region.getByRole('button', { name: 'Reject file' })).toBeEnabled({ timeout: patience })
    return region
  }

  /** Shows the list of all that waits. */
  async pending(): Promise<Locator> {
    const views = this.page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('button', { name: 'Reviews' }).click()
    return this.page.getByRole('list', { name: 'Pending reviews' })
  }

  /** Types something at the end of the line of the proposed text that is just this word. */
  async typeBehind(review: Locator, word: string, text: string): Promise<void> {
    const proposed = review.getByRole('textbox', { name: /^Proposed text of / })
    await proposed.getByText(word, { exact: true }).click()
    await this.page.keyboard.press('End')
    await this.page.keyboard.type(text)
    await expect(review.getByText('Edited')).toBeVisible()
  }

  /** The request of the model that brings the result of a task's step: 1 is that of its first tool. */
  told(task: string, step = 1): Promise<SeenPrompt> {
    return this.api.waitFor(
      (prompt) => prompt.main && taskOf(prompt) === task && stepOf(prompt, this.api.prompts, task) === step,
      patience,
    )
  }

  /** The requests of a task so far. */
  requestsOf(task: string): number {
    return this.api.prompts.filter((prompt) => prompt.main && taskOf(prompt) === task).length
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
 * after another, then says "NAME is done."
 */
export function tasks(steps: Record<string, readonly GeminiReply[]>): GeminiScript {
  return (prompt, before) => {
    const task = taskOf(prompt)
    if (!prompt.main || task === null) return { text: 'ok' }
    return steps[task]?.[stepOf(prompt, before, task)] ?? { text: `${task} is done.` }
  }
}

function taskOf(prompt: SeenPrompt): string | null {
  return prompt.everything.match(/task-[a-z]+/g)?.at(-1) ?? null
}

function stepOf(prompt: SeenPrompt, all: readonly SeenPrompt[], task: string): number {
  return all.filter((other) => other.index < prompt.index && other.main && taskOf(other) === task).length
}

/** A change of one place. */
export function replaceIn(path: string, from: string, to: string): GeminiReply {
  const args = { file_path: path, old_string: from, new_string: to, instruction: 'Change it.' }
  return { calls: [{ name: 'replace', args }] }
}

/** The whole file anew. */
export function writeTo(path: string, content: string): GeminiReply {
  return { calls: [{ name: 'write_file', args: { file_path: path, content } }] }
}

/** Specs with the real Gemini CLI; skipped with the reason where it cannot be had. */
export const test = base.extend<{ gemini: GeminiInApp }>({
  gemini: async ({ page }, provide, info) => {
    const cli = await installGeminiCli()
    skipWithout(cli)
    if ('skipped' in cli) return
    await useApp(page, info, async (gemini) => {
      gemini.addProgram('gemini', cli.path)
      await provide(gemini)
    })
  },
})

/** Skips a spec whose command line cannot be had, with the reason. */
export function skipWithout(cli: InstalledCli): void {
  base.skip('skipped' in cli, 'skipped' in cli ? cli.skipped : '')
}

/** Gives a spec the app in a home of its own, and clears all of it away. */
export async function useApp(
  page: Page,
  info: TestInfo,
  run: (gemini: GeminiInApp) => Promise<void>,
): Promise<void> {
  info.setTimeout(300_000)
  const api = await startGeminiApi(() => ({ text: 'ok' }))
  const place = await makeGeminiHome(api.url)
  const gemini = new GeminiInApp(api, place, page, info)
  try {
    await run(gemini)
  } finally {
    if (info.status !== info.expectedStatus) {
      const screens = await page.locator('.xterm-rows').allInnerTexts()
      await info.attach('terminals', { body: screens.join('\n\n') })
    }
    await gemini.dispose()
  }
}
