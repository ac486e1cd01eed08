import { rmSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import {
  answer,
  approval,
  approveChangedPlan,
  bash,
  commentOnPlan,
  planning,
  shown,
} from './claude-conversing'
import { expect, patience, screenOf } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test, writeOf } from './claude-in-app'
import { use } from './messages-api'

/** What the real command line asks in its terminal, asked on the cards in the page as well. */

/** The card of a command, brought to the front: what Claude has written may have its review there. */
async function cardOf(claude: ClaudeInApp, command: string): Promise<Locator> {
  const card = approval(claude).filter({ hasText: command })
  await expect(async () => {
    await claude.page.getByRole('tab', { name: 'Approvals' }).click()
    await expect(card).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: patience })
  return card
}

/** Answers a card, which then goes. */
async function press(card: Locator, option: string): Promise<void> {
  await card.getByRole('button', { name: option, exact: true }).click({ timeout: patience })
  await expect(card).toHaveCount(0)
}

test('a command is allowed here or there: the first answer counts, and the other question closes', async ({
  claude,
}) => {
  claude.api.setScript(
    tasks({
      'task-here': [bash('touch here.txt')],
      'task-there': [bash('touch there.txt && while [ -e there.txt ]; do sleep 0.1; done')],
      'task-no': [bash('touch no.txt')],
      'task-denied': [bash('cat /etc/hostname > denied.txt')],
    }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-here')
  await expect(screenOf(terminal)).toContainText('1. Yes')
  await press(await cardOf(claude, 'touch here.txt'), 'Allow once')
  await claude.told('task-here', 1)
  expect(claude.exists('here.txt')).toBe(true)
  await expect(screenOf(terminal)).not.toContainText('1. Yes')

  await claude.prompt(terminal, 'do task-there')
  const there = await cardOf(claude, 'touch there.txt')
  await claude.answer(terminal, '1', '1. Yes')
  await expect(there).toContainText('It was answered elsewhere.')
  // The command is still at work: it waits until its file is gone.
  await expect.poll(() => claude.exists('there.txt')).toBe(true)
  expect(claude.requestsOf('task-there')).toBe(1)
  rmSync(claude.path('there.txt'))
  await press(there, 'Dismiss')
  await claude.told('task-there', 1)

  await claude.prompt(terminal, 'do task-no')
  const no = await cardOf(claude, 'touch no.txt')
  await expect(screenOf(terminal)).toContainText('1. Yes')
  await expect(async () => {
    await terminal.locator('.xterm-helper-textarea').focus()
    await claude.page.keyboard.press('Escape')
    await expect(no).toContainText('It was answered elsewhere.', { timeout: 5_000 })
  }).toPass({ timeout: patience })
  expect(claude.exists('no.txt')).toBe(false)
  await press(no, 'Dismiss')

  await claude.prompt(terminal, 'do task-denied')
  const denial = await cardOf(claude, 'denied.txt')
  await expect(denial).toContainText('It names places outside the folder: /etc/hostname')
  await claude.picture('beside-the-terminal')
  await denial.getByRole('textbox', { name: 'Reason for denying, told to Claude' }).fill('Not that file.')
  await press(denial, 'Deny')
  const denied = await claude.told('task-denied', 1)
  expect(denied.results).toEqual([expect.objectContaining({ text: 'Not that file.', isError: true })])
  expect(claude.exists('denied.txt')).toBe(false)
})

test('a question of a terminal is answered by its form', async ({ claude }) => {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `${label} it is` }))
  const questions = [{ question: 'Which colour?', header: 'Colour', options, multiSelect: false }]
  claude.api.setScript(tasks({ 'task-ask': [use({ name: 'AskUserQuestion', input: { questions } })] }))
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-ask')
  const card = await shown(claude)
  await card.getByRole('radio', { name: 'Blue' }).check()
  await answer(claude, 'Which colour?', 'Answer')
  const told = await claude.told('task-ask', 1)
  expect(told.results[0]?.text).toContain('"Which colour?"="Blue"')
})

test('a sub-agent in the background asks here first, and its question can be left to the terminal', async ({
  claude,
}) => {
  const input = {
    ...{ description: 'Make a file', prompt: 'do task-sub', subagent_type: 'general-purpose' },
    run_in_background: true,
  }
  claude.api.setScript(
    tasks({ 'task-parent': [use({ name: 'Agent', input })], 'task-sub': [bash('touch sub.txt')] }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-parent')
  const card = await cardOf(claude, 'touch sub.txt')
  await expect(card).toContainText('its terminal asks only after you answer here')
  await expect(screenOf(terminal)).not.toContainText('1. Yes')
  await claude.picture('sub-agent-in-the-background')
  await press(card, 'Ask in the terminal')
  await claude.answer(terminal, '1', '1. Yes')
  await claude.told('task-sub', 1)
  expect(claude.exists('sub.txt')).toBe(true)
})

test('a plan of a terminal goes back with a comment on a line, and is approved as the person changed it', async ({
  claude,
}) => {
  claude.setSettings({ claudePermissionMode: 'plan' })
  claude.api.setScript(planning())
  await claude.start()
  const terminal = await claude.openClaude()
  await claude.prompt(terminal, 'do task-plan')
  await commentOnPlan(claude)
  await claude.picture('plan-of-a-terminal')
  await press(approval(claude), 'Keep planning')
  const rejected = await claude.told('task-plan', 2)
  expect(rejected.results[0]).toMatchObject({
    text: 'Line 4, “2. Turn the pump on”: Only below 20 °C.',
    isError: true,
  })
  await approveChangedPlan(claude)
  const approved = await claude.told('task-plan', 3)
  expect(approved.results[0]?.text).toContain('Turn the pump on below 20 °C')
})

for (const [mode, settings] of [
  ['plan', {}],
  ['default', { reviewWhich: 'mode' }],
] as const) {
  test(`a change that only its terminal asks about in mode ${mode} is asked about here too, and is on record`, async ({
    claude,
  }) => {
    claude.setSettings(settings)
    claude.write('app.ts', 'one\ntwo\n')
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({
        'task-edit': [readOf(path), editOf(path, 'two', 'TWO')],
        'task-new': [writeOf(claude.path('new.ts'), 'new\n')],
      }),
    )
    await claude.start()
    const terminal = await claude.openShell()
    await claude.type(terminal, `CLAUDE_CODE_AUTO_CONNECT_IDE=false claude --permission-mode ${mode}`)
    await expect(screenOf(terminal)).toContainText('❯')
    await claude.prompt(terminal, 'do task-edit')
    const card = await cardOf(claude, 'Edit a file')
    await expect(screenOf(terminal)).toContainText('1. Yes')
    await claude.picture('change-beside-the-terminal')
    await press(card, 'Allow once')
    await claude.told('task-edit')
    expect(claude.read('app.ts')).toBe('one\nTWO\n')

    await claude.prompt(terminal, 'do task-new')
    const denied = await cardOf(claude, 'Write a file')
    await press(denied, 'Deny')
    await claude.told('task-new', 1)
    expect(claude.exists('new.ts')).toBe(false)
    expect(await claude.record()).toMatchObject([{ path, how: 'answered-there' }])
  })
}
