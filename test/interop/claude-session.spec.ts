import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { notices } from '../e2e/open-app'
import { SessionServerClient } from '../session-server-client'
import { startBareClaude } from './bare-claude'
import { type ClaudeInApp, tasks, test } from './claude-in-app'
import { expect, screenOf } from './cli-in-app'
import { installClaudeCode } from './install-cli'

/** Opens the session that began with a prompt, from the list. Gives its messages. */
async function openSession({ page }: ClaudeInApp, prompt: string): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  await page
    .getByRole('list', { name: 'Sessions' })
    .getByRole('button', { name: prompt, exact: true })
    .click()
  return page.getByRole('log', { name: 'Conversation' })
}

/** Words that come for as long as nobody stops them. */
async function* endlessly(): AsyncGenerator<string> {
  for (let count = 0; count < 600; count++) {
    yield `word${count} `
    await new Promise((rest) => setTimeout(rest, 100))
  }
}

test('a session is read as it goes on, typed into where it runs, and resumed by a message where it does not', async ({
  claude,
}) => {
  claude.api.setScript(tasks({}))
  await claude.start()
  const { page } = claude
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'please do task-first')

  const log = await openSession(claude, 'please do task-first')
  await expect(log.getByText('task-first is done.')).toBeVisible()
  await claude.picture('read')

  // In its own terminal of the app.
  const say = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await say('then do task-second')
  await expect(log.getByText('task-second is done.')).toBeVisible()
  expect(claude.requestsOf('task-second')).toBe(1)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')

  // Its process is gone: what is said next brings it back, with all that was said before.
  const [pid = 0] = claude.pids
  process.kill(pid, 'SIGTERM')
  const list = page.getByRole('list', { name: 'Sessions' })
  const item = list.getByRole('button', { name: 'please do task-first', exact: true })
  await expect(item).not.toHaveAccessibleDescription(/Waits for you|Working|Running/)
  await say('now do task-third')
  await expect(log.getByText('task-third is done.')).toBeVisible()
  const resumed = await claude.api.waitFor((request) => request.main && request.latest.includes('task-third'))
  expect(resumed.everything).toContain('task-first is done.')
  await claude.picture('resumed')
})

test(
  'a session of a terminal outside of the app is read as it goes on, and gone on with here as a copy',
  { tag: '@long' },
  async ({ claude }) => {
    claude.api.setScript(tasks({}))
    await claude.start()
    const { page, place } = claude
    const cli = await installClaudeCode()
    if ('skipped' in cli) return
    const outside = startBareClaude({ path: cli.path, cwd: place.project, env: place.env })
    try {
      await outside.waitForScreen(/❯/)
      outside.prompt('please do task-first')
      const log = await openSession(claude, 'please do task-first')
      await expect(log.getByText('task-first is done.')).toBeVisible()
      outside.prompt('then do task-second')
      await expect(log.getByText('task-second is done.')).toBeVisible()
      await expect(page.getByText(/^This session runs in another terminal/)).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAttribute('readonly')
      await claude.picture('outside')

      await expect(page.getByRole('button', { name: 'Resume in a terminal' })).toBeEnabled()
      const list = page.getByRole('list', { name: 'Sessions' })
      const inList = list.getByRole('button', { name: 'please do task-first', exact: true })
      await inList.click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Resume a copy in a terminal' }).click()
      await expect(notices(page).getByText(/a copy/)).toBeVisible()
      const terminal = page.getByRole('region', { name: 'Terminal: Claude Code', exact: true })
      await expect(screenOf(terminal)).toContainText('task-second is done.')
      await claude.connected(1)
      await claude.prompt(terminal, 'now do task-third')
      const asked = await claude.api.waitFor(
        (request) => request.main && request.latest.includes('task-third'),
      )
      expect(asked.everything).toContain('task-first is done.')
      await expect(screenOf(terminal)).toContainText('task-third is done.')
      await expect(page.getByRole('list', { name: 'Sessions' }).locator('.session')).toHaveCount(2)
      // The one outside goes on by itself, and knows nothing of it.
      outside.prompt('at last do task-fourth')
      await expect(log.getByText('task-fourth is done.')).toBeVisible()
      await expect(log.getByText('task-third')).toHaveCount(0)
      const last = await claude.api.waitFor(
        (request) => request.main && request.latest.includes('task-fourth'),
      )
      expect(last.everything).not.toContain('task-third')
      await claude.picture('copy')

      // It has ended there: it goes on here itself.
      await outside.kill()
      const ended = list.locator('.session').filter({ hasNotText: /Waits for you|Working|Running/ })
      await ended.getByRole('button').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Resume in a terminal', exact: true }).click()
      const second = page.getByRole('region', { name: /^Terminal: Claude Code/ }).last()
      await expect(screenOf(second)).toContainText('task-fourth is done.')
    } finally {
      await outside.kill()
    }
  },
)

test(
  'a turn is stopped from the conversation; what another program says arrives in the terminal, or resumes the session',
  { tag: '@long' },
  async ({ claude }) => {
    claude.api.setScript(tasks({ 'task-slow': [{ blocks: [{ type: 'text', text: endlessly() }] }] }))
    claude.trustProject()
    await claude.start()
    const { page } = claude
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'please do task-slow')
    await expect(screenOf(terminal)).toContainText('word5')
    const log = await openSession(claude, 'please do task-slow')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(log.getByText(/interrupted/i).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)

    const { url } = JSON.parse(readFileSync(join(claude.dataFolder, 'session-server.json'), 'utf8')) as {
      url: string
    }
    const token = readFileSync(join(claude.dataFolder, 'session-server.token'), 'utf8').trim()
    const list = async () => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const { sessions } = (await answer.json()) as { sessions: { id: string; isRunning: boolean }[] }
      return sessions
    }
    const [session] = await list()
    const client = new SessionServerClient(
      `${url.replace('http', 'ws')}/${session?.id ?? ''}/subscribe?token=${token}`,
    )
    const say = async (content: string) => {
      const before = client.raw.length
      const acked = () => client.raw.slice(before).find(({ type }) => type === 'ack')
      client.sendMessage(content)
      // It names the line, which comes when it has been read.
      const line = () => client.raw.find(({ type, uuid }) => type === 'user' && uuid === acked()?.uuid)
      await client.until(() => line() !== undefined)
      expect(JSON.stringify(line()?.message)).toContain(content)
    }
    await client.until(({ isConnected }) => isConnected)
    await say('now do task-second')
    await expect(screenOf(terminal)).toContainText('task-second is done.')
    await expect(log.getByText('task-second is done.')).toBeVisible()
    expect(claude.requestsOf('task-second')).toBe(1)

    const [pid = 0] = claude.pids
    process.kill(pid, 'SIGTERM')
    await expect.poll(async () => (await list())[0]?.isRunning).toBe(false)
    await say('then do task-third')
    await expect(log.getByText('task-third is done.')).toBeVisible()
    expect(claude.requestsOf('task-third')).toBe(1)
    expect(client.errors).toEqual([])
    client.close()
  },
)
