import { expect } from './cli-in-app'
import { tasks, test } from './claude-in-app'

test('a session is read as it goes on, typed into where it runs, and resumed by a message where it does not', async ({
  claude,
}) => {
  claude.api.setScript(tasks({}))
  await claude.start()
  const { page } = claude
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'please do task-first')

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Sessions' }).click()
  const list = page.getByRole('list', { name: 'Sessions' })
  await list.getByRole('button', { name: 'please do task-first', exact: true }).click()
  const log = page.getByRole('log', { name: 'Conversation' })
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
  const item = list.getByRole('button', { name: 'please do task-first', exact: true })
  await expect(item).not.toHaveAccessibleDescription(/Waits for you|Working|Running/)
  await say('now do task-third')
  await expect(log.getByText('task-third is done.')).toBeVisible()
  const resumed = await claude.api.waitFor((request) => request.main && request.latest.includes('task-third'))
  expect(resumed.everything).toContain('task-first is done.')
  await claude.picture('resumed')
})
