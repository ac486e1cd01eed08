import { readFileSync } from 'node:fs'
import { type ClaudeInApp, tasks, test } from './claude-in-app'
import {
  answer,
  approval,
  approveChangedPlan,
  bash,
  commentOnPlan,
  converse,
  field,
  inMode,
  planning,
  shown,
} from './claude-conversing'
import { expect } from './cli-in-app'
import { use } from './messages-api'

/** What the real command line asks in a conversation without a terminal, answered on the cards in the page. */

/** Shows the conversation's tab and says something. */
async function prompt(claude: ClaudeInApp, text: string): Promise<void> {
  await claude.page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
  await field(claude).fill(text)
  await field(claude).press('Enter')
}

test('a command is allowed once, for the session or always, denied with a reason, and ends the turn', async ({
  claude,
}) => {
  claude.api.setScript(
    tasks({
      'task-once': [bash('touch once.txt'), bash('touch once.txt')],
      'task-session': [bash('touch session.txt'), bash('touch session.txt')],
      'task-always': [bash('touch always.txt'), bash('touch always.txt')],
      'task-denied': [bash('touch denied.txt')],
      'task-stopped': [bash('touch stopped.txt')],
    }),
  )
  await converse(claude, 'do task-once')
  await expect(await shown(claude)).toContainText('Make a file')
  await expect(approval(claude)).toContainText(claude.path('once.txt'))
  await claude.picture('command')
  await answer(claude, 'touch once.txt', 'Allow once')
  await claude.told('task-once', 1)
  expect(claude.exists('once.txt')).toBe(true)
  // Once is once.
  await answer(claude, 'touch once.txt', 'Allow once')
  await claude.told('task-once', 2)

  await prompt(claude, 'do task-session')
  await answer(claude, 'touch session.txt', 'Allow for session')
  await claude.told('task-session', 2)
  expect(claude.exists('.claude/settings.local.json')).toBe(false)

  await prompt(claude, 'do task-always')
  await answer(claude, 'touch always.txt', 'Always allow here')
  await claude.told('task-always', 2)
  expect(claude.read('.claude/settings.local.json')).toContain('Bash(touch always.txt)')

  await prompt(claude, 'do task-denied')
  const denial = await shown(claude)
  await denial.getByRole('textbox', { name: 'Reason for denying, told to Claude' }).fill('Use make instead.')
  await answer(claude, 'touch denied.txt', 'Deny')
  const denied = await claude.told('task-denied', 1)
  expect(denied.results).toEqual([expect.objectContaining({ text: 'Use make instead.', isError: true })])
  expect(claude.exists('denied.txt')).toBe(false)

  await prompt(claude, 'do task-stopped')
  await answer(claude, 'touch stopped.txt', 'Deny and stop')
  await claude.page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
  await expect(claude.page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0)
  expect(claude.exists('stopped.txt')).toBe(false)
  expect(claude.requestsOf('task-stopped')).toBe(1)

  // The rules that it keeps are shown beside ours.
  await claude.page.getByRole('tab', { name: 'Approvals' }).click()
  await claude.page.getByRole('button', { name: 'Rules', exact: true }).click()
  const rules = claude.page.getByRole('list', { name: 'Rules of Claude' })
  await expect(rules).toContainText('Bash(touch session.txt)')
  await expect(rules).toContainText('Bash(touch always.txt)')
  await claude.picture('rules')
})

test('a question is answered by what it offers and in own words', async ({ claude }) => {
  const options = (...labels: string[]) => labels.map((label) => ({ label, description: `${label} it is` }))
  const questions = [
    { question: 'Which colour?', header: 'Colour', options: options('Red', 'Blue'), multiSelect: false },
    { question: 'Which parts?', header: 'Parts', options: options('Roof', 'Door'), multiSelect: true },
  ]
  claude.api.setScript(tasks({ 'task-ask': [use({ name: 'AskUserQuestion', input: { questions } })] }))
  await converse(claude, 'do task-ask')
  const card = await shown(claude)
  await card.getByRole('radio', { name: 'Blue' }).check()
  await card.getByRole('checkbox', { name: 'Roof' }).check()
  await card.getByRole('textbox', { name: 'Something else for Which parts?' }).fill('a chimney')
  await claude.picture('question')
  await answer(claude, 'Which colour?', 'Answer')
  const told = await claude.told('task-ask', 1)
  expect(told.results[0]?.text).toContain('"Which colour?"="Blue"')
  expect(told.results[0]?.text).toContain('"Which parts?"="Roof, a chimney"')
})

test(
  'a plan goes back with comments, and is approved as the person changed it, in the mode they chose',
  { tag: '@long' },
  async ({ claude }) => {
    claude.api.setScript(planning())
    await converse(claude, 'do task-plan', inMode('Plan'))
    const { page } = claude
    await commentOnPlan(claude)
    await approval(claude)
      .getByRole('textbox', { name: 'Reason for denying, told to Claude' })
      .fill('Nearly.')
    await claude.picture('plan')
    await answer(claude, 'Turn the pump on', 'Keep planning')
    const rejected = await claude.told('task-plan', 2)
    expect(rejected.results[0]).toMatchObject({
      text: 'Nearly.\n\nLine 4, “2. Turn the pump on”: Only below 20 °C.',
      isError: true,
    })

    const changed = await approveChangedPlan(claude)
    const approved = await claude.told('task-plan', 3)
    expect(approved.results[0]?.text).toContain('(edited by user)')
    expect(approved.results[0]?.text).toContain('Turn the pump on below 20 °C')
    const [, saved = ''] = /saved to: (\S+\.md)/.exec(approved.results[0]?.text ?? '') ?? []
    expect(readFileSync(saved, 'utf8')).toBe(changed)
    await page.getByRole('tab').filter({ hasNotText: 'Approvals' }).first().click()
    await expect(page.getByRole('combobox', { name: 'Permission mode' })).toHaveValue('acceptEdits')
  },
)
