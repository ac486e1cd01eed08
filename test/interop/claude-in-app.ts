import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, type Locator } from '@playwright/test'
import { press } from '../e2e/open-app'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { CliInApp, expect, screenOf, skipWithout, stepOf, taskOf, patience } from './cli-in-app'
import { installClaudeCode } from './install-cli'
import { withInEtc } from './own-etc'
import {
  type Reply,
  type Script,
  type SeenRequest,
  inOrder,
  say,
  startMessagesApi,
  use,
} from './messages-api'

/** A permission mode, as the setting names it. */
export type PermissionMode = 'manual' | 'plan' | 'acceptEdits' | 'auto' | 'bypassPermissions'

/** The app with the real Claude Code on its PATH, a scripted model, and a page in Chromium. */
export class ClaudeInApp extends CliInApp<ClaudeHome, SeenRequest, Script> {
  /** Changes settings before the host starts. */
  setSettings(settings: Record<string, unknown>): void {
    mkdirSync(this.dataFolder, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.dataFolder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
  }

  /**
   * Has Claude Code start in a mode, with its changes asked about by hooks. Its own question about a mode that asks about
   * none by itself is answered already. Before the host starts. `more`: other settings of the app.
   */
  gateIn(mode: PermissionMode, more: Record<string, unknown> = {}): void {
    // As root it refuses to go without permission checks anywhere else.
    this.place.env['IS_SANDBOX'] = '1'
    this.setSettings({ claudePermissionMode: mode, ...more })
    const settings = { skipDangerousModePermissionPrompt: true }
    writeFileSync(join(this.place.config, 'settings.json'), JSON.stringify(settings))
    this.setState({ bypassPermissionsModeAccepted: true })
  }

  /** Puts an organisation's settings where the app and the command line look for them. Before the host starts. */
  manage(settings: Record<string, unknown>): void {
    const files = { 'claude-code/managed-settings.json': JSON.stringify(settings) }
    const own = withInEtc(files, join(this.place.root, 'own-etc'))
    base.skip('skipped' in own, 'skipped' in own ? own.skipped : '')
    if ('prefix' in own) this.within = own.prefix
  }

  /** Adds to what the command line notes for itself in `.claude.json`. Before the host starts. */
  setState(more: Record<string, unknown>): void {
    const file = join(this.place.config, '.claude.json')
    const known = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...known, ...more }))
  }

  /** Trusts the project before the host starts. */
  trustProject(): void {
    this.trust(this.place.project)
  }

  /** Trusts a folder and nothing else before the host starts. */
  trust(folder: string): void {
    mkdirSync(this.dataFolder, { recursive: true, mode: 0o700 })
    const trusted = { version: 1, folders: [{ path: folder, mayRun: true }] }
    writeFileSync(join(this.dataFolder, 'trusted-folders.json'), JSON.stringify(trusted), { mode: 0o600 })
  }

  /** The process ids of the command lines that run, as they note them themselves. */
  get pids(): number[] {
    const folder = join(this.place.config, 'sessions')
    if (!existsSync(folder)) return []
    return readdirSync(folder).flatMap((name) =>
      /^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
    )
  }

  /** The ids of the project's recorded sessions. */
  get sessions(): string[] {
    const folder = join(this.place.config, 'projects')
    if (!existsSync(folder)) return []
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(
      (name) => /([\da-f-]{36})\.jsonl$/.exec(name)?.[1] ?? [],
    )
  }

  /** Opens Claude Code in a new terminal and waits until it has connected and shows its prompt. */
  async openClaude(connected = 1): Promise<Locator> {
    const terminal = await this.openTerminal('Claude Code', connected)
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

  /**
   * Types a prompt into a terminal as a paste and sends it. What comes while the command line goes from one question to
   * the next is dropped by it, and so typed again.
   */
  async prompt(terminal: Locator, text: string): Promise<void> {
    await expect(async () => {
      await terminal.locator('.xterm-helper-textarea').focus()
      await this.page.keyboard.insertText(text)
      await expect(screenOf(terminal)).toContainText(text, { timeout: 10_000 })
    }).toPass({ timeout: patience })
    await this.page.keyboard.press('Enter')
  }

  /**
   * Answers the question in a terminal by the key of an option, whose words are `option`. A key that comes within some
   * 100 ms of the question's drawing is dropped (measured with 2.1.330), so it is pressed until the question is gone.
   */
  async answer(terminal: Locator, key: string, option: string): Promise<void> {
    await expect(screenOf(terminal)).toContainText(option)
    await expect(async () => {
      await terminal.locator('.xterm-helper-textarea').focus()
      await this.page.keyboard.press(key)
      await expect(screenOf(terminal)).not.toContainText(option, { timeout: 5_000 })
    }).toPass({ timeout: patience })
  }

  /** Shows the review of a file among several, once its decisions are possible. */
  async reviewInTab(name: string): Promise<Locator> {
    const tab = this.page.getByRole('tab', { name: name.replace(/^.*\//, ''), exact: true })
    // The one of the review before may be found while it is going away.
    await expect(async () => {
      await tab.click({ timeout: 5_000 })
      await expect(this.page.getByRole('region', { name: `Review: ${this.path(name)}` })).toBeVisible({
        timeout: 2_000,
      })
    }).toPass({ timeout: patience })
    return this.review(name)
  }

  /** Accepts a file whole, as it stands in its review. */
  async accept(name: string): Promise<void> {
    await this.review(name)
    await press(this.page, 'Accept file')
  }

  /** The request of the model that brings the result of a task's step: 1 is that of the reading, 2 of the first edit. */
  override told(task: string, step = 2): Promise<SeenRequest> {
    return super.told(task, step)
  }
}

/**
 * A model that knows tasks by a word in the newest prompt, such as `task-crlf`: it does the steps of that task one
 * after another, then says "NAME is done." Each conversation may do several tasks, and several may run at once.
 */
export function tasks(steps: Record<string, readonly Reply[]>): Script {
  return (request, before) => {
    const task = taskOf(request)
    if (!request.main || task === null) return say('ok')
    return steps[task]?.[stepOf(request, before, task)] ?? say(`${task} is done.`)
  }
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
    skipWithout(cli)
    if ('skipped' in cli) return
    const api = await startMessagesApi(inOrder(say('ok')))
    const place = await makeClaudeHome(api.url)
    place.env['SHELL'] = '/bin/sh'
    const claude = new ClaudeInApp(api, place, page, info)
    claude.addProgram('claude', cli.path)
    await provide(claude)
    await claude.dispose()
  },
})
