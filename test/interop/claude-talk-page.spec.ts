import { existsSync } from 'node:fs'
import { bash, converse, field, reviewOf, said, withMore } from './claude-conversing'
import { editOf, readOf, tasks, test } from './claude-in-app'
import { expect, patience } from './cli-in-app'
import { say } from './messages-api'

/** Conversations without a terminal, through the page. What needs no page is in claude-talk.test.ts. */

test('stopped from the composer in the middle of a command', async ({ claude }) => {
  // Else what the command wrote is a review, which comes in front of the button at some moment.
  claude.setSettings({ reviewUnasked: false })
  const begun = claude.path('begun')
  claude.api.setScript(
    tasks({
      'task-long': [bash(`touch ${begun}; sleep 20`)],
    }),
  )
  await converse(claude, 'do task-long', withMore('Allowed tools', 'Bash(touch *)\nBash(sleep *)'))
  await expect(() => expect(existsSync(begun)).toBe(true)).toPass({ timeout: patience })
  await claude.page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(said(claude)).toContainText('Interrupted')
  await field(claude).fill('do task-other')
  await field(claude).press('Enter')
  await expect(said(claude)).toContainText('task-other is done.')
})

test('after the app was killed in the middle of a turn nothing is left running, and its tab comes back and goes on', async ({
  claude,
}) => {
  claude.write('app.ts', 'one\n')
  const path = claude.path('app.ts')
  claude.api.setScript(
    tasks({ 'task-kill': [readOf(path), editOf(path, 'one', 'ONE')], 'task-after': [say('Here again.')] }),
  )
  await converse(claude, 'do task-kill')
  await reviewOf(claude, 'app.ts')
  const [pid = 0] = claude.pids
  await claude.stop('SIGKILL')
  await expect(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH')).toPass({ timeout: patience })
  expect(claude.read('app.ts')).toBe('one\n')
  await claude.start()
  const { page } = claude
  await page.getByRole('tab', { name: 'do task-kill' }).click()
  await expect(said(claude)).toContainText('do task-kill')
  await expect(page.getByText('Claude ended when Greenlight did.')).toBeVisible()
  await page.getByRole('button', { name: 'Restart' }).click()
  await expect(field(claude)).toBeEditable()
  await field(claude).fill('do task-after')
  await field(claude).press('Enter')
  await expect(said(claude)).toContainText('Here again.')
})
