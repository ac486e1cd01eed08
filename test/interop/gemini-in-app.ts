import { test as base, type Locator, type Page, type TestInfo } from '@playwright/test'
import { type BareClaude, startBareClaude } from './bare-claude'
import { CliInApp, expect, patience, screenOf, skipWithout, stepOf, taskOf } from './cli-in-app'
import { type GeminiReply, type GeminiScript, type SeenPrompt, startGeminiApi } from './gemini-api'
import { type GeminiHome, makeGeminiHome } from './gemini-home'
import { installGeminiCli } from './install-cli'

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

/** The app with Gemini CLI or Qwen Code on its PATH, a scripted model, and a page in Chromium. */
export class GeminiInApp extends CliInApp<GeminiHome, SeenPrompt, GeminiScript> {
  /** Opens Gemini CLI in a new terminal and waits until it has connected and takes a prompt. */
  async openGemini(connected = 1): Promise<Locator> {
    const terminal = await this.openTerminal('Gemini CLI', connected)
    await expect(screenOf(terminal)).toContainText(promptLine)
    await this.connected(connected)
    return terminal
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

  /**
   * Takes away what stands in the prompt: two lines at most, for an Escape that a busy command line reads together with
   * the Enter after it makes a line break of both.
   */
  async empty(terminal: Locator): Promise<void> {
    await terminal.locator('.xterm-helper-textarea').focus()
    for (const key of ['Control+u', 'Backspace', 'Control+u']) {
      await this.page.keyboard.press(key)
      await moveHand()
    }
    await expect(screenOf(terminal)).toContainText(promptLine, { timeout: 10_000 })
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
  override told(task: string, step = 1): Promise<SeenPrompt> {
    return super.told(task, step)
  }
}

/**
 * Runs Gemini CLI in a terminal outside of the app, which it finds by the discovery files alone, and which it outlives;
 * `send` types a prompt there and sends it, once it stands there.
 */
export async function withGeminiOutside(
  gemini: GeminiInApp,
  run: (outside: BareClaude, send: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const cli = await installGeminiCli()
  if ('skipped' in cli) throw new Error(cli.skipped)
  const outside = startBareClaude({
    path: process.execPath,
    args: [cli.path],
    cwd: gemini.place.project,
    // In a container it would look for the app outside of it, were it not told otherwise.
    env: { ...gemini.place.env, COLORTERM: 'truecolor', REMOTE_CONTAINERS: '1' },
  })
  const send = async (text: string) => {
    outside.type(text)
    await outside.waitForScreen((screen) => screen.includes(text), patience)
    await moveHand()
    outside.type('\r')
  }
  try {
    await outside.waitForScreen(promptLine, patience)
    await gemini.connected(1)
    await run(outside, send)
  } finally {
    await gemini.info.attach('terminal outside of the app', { body: outside.screen() })
    await outside.kill()
  }
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
    await gemini.dispose()
  }
}
