import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ApprovalAnswer } from '../../src/shared/approval/approval'
import { test } from '../scripted-agent/scripted-app'
import type { ScriptedAgent } from '../scripted-agent/agent'
import { button, openShell, press, review, runCommand, tab, terminalInput } from './open-app'
import { handOver } from '../../src/main/core/platform/hand-over-client'

const approval = (page: Page): Locator => page.getByRole('group', { name: /^Approval: / })
const command = (page: Page): Locator => approval(page).getByRole('group', { name: 'Command' })
const list = (page: Page): Locator => page.getByRole('list', { name: 'Pending reviews' })

/** Answers what is asked, once it may be answered. */
async function answer(page: Page, name: string): Promise<void> {
  const found = button(approval(page), name)
  await expect(found).toBeEnabled()
  await found.click()
}

test('a command is asked for beside what is worked on, and what the person says is told', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  const robo = await app.scripted()
  const allowed = robo.ask<ApprovalAnswer>('ask', {
    subject: 'npm test \u202egnp.exe',
    why: 'to see',
    folder: app.place.project,
  })
  await expect(approval(page)).toHaveAccessibleName('Approval: Bash')
  await expect(command(page)).toHaveText('npm test \\u{202e}gnp.exe')
  await expect(page.getByRole('status').getByText('Robo wants to run a command')).toBeAttached()
  await expect(page.getByRole('contentinfo', { name: 'Status' }).getByText('1 approval')).toBeVisible()
  await expect(page).toHaveTitle(/^\(1\)/)
  await expect(terminalInput(page)).toBeFocused()
  await answer(page, 'Allow once')
  expect(await allowed.answer).toMatchObject({ kind: 'allowed', option: 'once', by: 'person' })
  await expect(terminalInput(page)).toBeFocused()
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()

  const denied = robo.ask<ApprovalAnswer>('ask', { subject: 'rm -rf build' })
  const reason = approval(page).getByRole('textbox', { name: 'Reason for denying, told to Robo' })
  await reason.fill('use clean')
  await page.waitForFunction(() => document.querySelector('.approval-buttons [aria-disabled=true]') === null)
  await reason.press('Enter')
  await reason.press('Control+Enter')
  await expect(approval(page)).toBeVisible()
  await page.reload()
  await expect(reason).toHaveValue('use clean')
  await answer(page, 'Deny and stop')
  expect(await denied.answer).toEqual({
    kind: 'denied',
    option: 'stop',
    reason: 'use clean',
    stops: true,
    by: 'person',
  })
  await button(page, 'Record').click()
  const record = page.getByRole('list', { name: 'Record' })
  await expect(record.getByRole('listitem')).toHaveCount(2)
  await expect(record.getByRole('listitem').first()).toContainText('Denied by you')
  for (const file of ['approval-record.json', 'logs/greenlight.log']) {
    const text = readFileSync(join(app.place.data, file), 'utf8')
    for (const said of ['rm -rf', 'npm test', 'use clean']) expect(text).not.toContain(said)
  }
})

test('what nobody asks any more stays until it is seen', async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const asked = robo.ask<ApprovalAnswer>('ask', { subject: 'sleep 1' })
  await expect(approval(page)).toBeVisible()
  asked.cancel()
  expect(await asked.answer).toEqual({ kind: 'withdrawn', reason: 'cancelled' })
  await expect(approval(page).getByText('Withdrawn. The agent has taken it back.')).toBeVisible()
  await expect(button(approval(page), 'Allow once')).toHaveCount(0)
  await button(approval(page), 'Dismiss').click()
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()
})

test('what is being written when its question is taken back stays, with the focus, until it is dismissed', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const ask = (subject: string) => robo.ask<ApprovalAnswer>('ask', { subject })
  const one = ask('one')
  const reason = approval(page).getByRole('textbox', { name: 'Reason for denying, told to Robo' })
  await reason.fill('use clean')
  one.cancel()
  await expect(
    approval(page).getByText('Withdrawn. The agent has taken it back. What you wrote'),
  ).toBeVisible()
  await expect(reason).toBeFocused()
  await expect(reason).toHaveValue('use clean')
  await page.keyboard.type(' x\n')
  await page.keyboard.press('Space')
  await expect(reason).toHaveValue('use clean')
  await expect(reason).toHaveJSProperty('selectionStart', 9)
  // What comes meanwhile doesn't take its place, though the person has paused.
  const two = ask('two')
  await expect(page.getByText('1 of 2')).toBeVisible()
  await expect(command(page)).toHaveText('one')
  await expect(reason).toBeFocused()
  // Whoever goes on finds it where it was.
  await button(page, 'Next approval').click()
  await expect(command(page)).toHaveText('two')
  await answer(page, 'Deny')
  expect(await two.answer).toMatchObject({ kind: 'denied' })
  await expect(command(page)).toHaveText('one')
  await expect(reason).toHaveValue('use clean')
  await button(approval(page), 'Dismiss').click()
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()

  // The focus of an empty field stays too: nothing takes the next key for an answer.
  const three = ask('three')
  await reason.focus()
  three.cancel()
  await expect(approval(page).getByText('Withdrawn. The agent has taken it back.')).toBeVisible()
  await expect(reason).toBeFocused()
  await button(approval(page), 'Dismiss').focus()
  await expect(reason).toHaveCount(0)
})

test(
  'an empty form stays when its question is taken back, while the focus goes from one of its fields to another',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    const robo = await app.scripted()
    const field = {
      ...{ help: null, required: false, kind: 'text', lines: 'one', format: 'text' },
      ...{ shortest: null, longest: null, initial: null },
    }
    const fields = ['Name', 'Place'].map((label) => ({ ...field, id: label, label }))
    const asked = robo.ask<ApprovalAnswer>('ask', { kind: 'question', subject: 'Who and where?', fields })
    const box = (name: string) => approval(page).getByRole('textbox', { name, exact: true })
    await box('Name').focus()
    asked.cancel()
    await expect(approval(page).getByText('Withdrawn. The agent has taken it back.')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(box('Place')).toBeFocused()
    await button(approval(page), 'Dismiss').focus()
    await expect(box('Place')).toHaveCount(0)
  },
)

test(
  'a question that waits takes the place of one that nobody asks any more, and the focus stays where it is',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    const robo = await app.scripted()
    await openShell(page)
    const ask = (subject: string) => robo.ask<ApprovalAnswer>('ask', { subject })
    const withdrawn = approval(page).getByText('Withdrawn. The agent has taken it back.')
    const one = ask('one')
    await expect(command(page)).toHaveText('one')
    one.cancel()
    await expect(withdrawn).toBeVisible()
    const two = ask('two')
    await expect(command(page)).toHaveText('two')
    await expect(terminalInput(page)).toBeFocused()
    const three = ask('three')
    const steps = page.getByText(/^\d of \d$/)
    await expect(steps).toBeVisible()

    // Whoever is in the card by keys goes on in the next one; the old one stays in the list, for it wasn't seen.
    await button(approval(page), 'Deny').focus()
    two.cancel()
    await expect(command(page)).toHaveText('three')
    await expect(approval(page)).toBeFocused()
    await button(page, 'Previous approval').click()
    await expect(command(page)).toHaveText('two')
    await expect(withdrawn).toBeVisible()
    await button(page, 'Next approval').click()
    await answer(page, 'Deny')
    expect(await three.answer).toMatchObject({ kind: 'denied' })
  },
)

test('a rule answers by itself, can be changed and removed, and then the person is asked again', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const ask = () => robo.ask<ApprovalAnswer>('ask', { subject: 'npm test', folder: app.place.project })
  const first = ask()
  await answer(page, 'Always allow')
  await first.answer
  expect(await ask().answer).toMatchObject({ kind: 'allowed', by: 'rule' })
  const needsPerson = robo.ask<ApprovalAnswer>('ask', { subject: 'npm test', needsPerson: true })
  await expect(approval(page)).toBeVisible()
  await expect(button(approval(page), 'Always allow')).toHaveCount(0)
  needsPerson.cancel()
  await button(approval(page), 'Dismiss').click()
  await button(page, 'Rules').click()
  const rules = page.getByRole('list', { name: 'Rules' })
  await button(rules, 'Change rule npm test').click()
  await rules.getByRole('textbox', { name: 'Pattern' }).fill('npm *')
  await rules.getByRole('combobox', { name: 'Answer' }).selectOption('Deny')
  await button(rules, 'Save rule').click()
  await expect(button(rules, 'Remove rule npm *')).toBeVisible()
  expect(await ask().answer).toMatchObject({ kind: 'denied', by: 'rule' })
  await button(rules, 'Remove rule npm *').click()
  await expect(page.getByText('No rules yet')).toBeVisible()
  const again = ask()
  await button(page, 'Waiting (1)').click()
  await answer(page, 'Deny')
  expect(await again.answer).toMatchObject({ kind: 'denied', by: 'person' })
})

test(
  'a rule is made from scratch, and says so where it could fit nothing',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    const robo = await app.scripted()
    await runCommand(page, 'Show approvals')
    await button(page, 'Rules').click()
    await button(page, 'New rule').click()
    const made = page.getByRole('group', { name: 'New rule' })
    const pattern = made.getByRole('textbox', { name: 'Pattern' })
    await expect(pattern).toBeFocused()
    await expect(button(made, 'Save rule')).toBeDisabled()
    await made.getByRole('combobox', { name: 'What' }).selectOption('Fetch an address')
    await pattern.fill('example.com/*')
    await button(made, 'Save rule').click()
    await expect(made.getByRole('alert')).toContainText('Begin with a scheme and a host')
    await pattern.fill('https://example.com/*')
    await made.getByRole('combobox', { name: 'Folder' }).selectOption('Everywhere')
    await button(made, 'Save rule').click()
    await expect(made).toHaveCount(0)
    await expect(button(page, 'New rule')).toBeFocused()
    const rule = page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
    await expect(rule).toContainText('Allow every agent to fetch, everywhere:')
    const fetch = (subject: string) => robo.ask<ApprovalAnswer>('ask', { kind: 'fetch', subject })
    expect(await fetch('https://example.com/a').answer).toMatchObject({ kind: 'allowed', by: 'rule' })
    // Whoever writes a rule is not taken from it by what comes, and what is written stays.
    await button(page, 'New rule').click()
    await expect(pattern).toBeFocused()
    await page.keyboard.type('half a ')
    const other = fetch('https://example.org/a')
    await expect(button(page, 'Waiting (1)')).toBeVisible()
    await page.keyboard.type('command')
    await expect(pattern).toHaveValue('half a command')
    await button(page, 'Waiting (1)').click()
    await answer(page, 'Deny')
    expect(await other.answer).toMatchObject({ kind: 'denied', by: 'person' })
    await button(page, 'Rules').click()
    await expect(pattern).toHaveValue('half a command')
  },
)

test(
  'a rule for the session ends with it, or with the connection of an agent without sessions',
  { tag: '@long' },
  async ({ app }) => {
    await app.start()
    const { page } = app
    const ask = (robo: ScriptedAgent) => robo.ask<ApprovalAnswer>('ask', { subject: 'npm test' })
    const allow = async (robo: ScriptedAgent, words: string) => {
      const asked = ask(robo)
      await expect(approval(page)).toContainText(words)
      await answer(page, 'Allow for session')
      expect(await asked.answer).toMatchObject({ kind: 'allowed', by: 'person' })
      expect(await ask(robo).answer).toMatchObject({ kind: 'allowed', by: 'rule' })
    }
    const first = await app.scripted({ session: 's1' })
    await allow(first, 'adds a rule for exactly this, until this session ends')
    const second = await app.scripted({ agent: 'Robo 2' })
    await allow(second, 'adds a rule for exactly this, until Robo 2 disconnects')
    await button(page, 'Rules').click()
    const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
    await expect(rules).toHaveCount(2)
    await first.call('endSession', {})
    await expect(rules).toHaveCount(1)
    second.close()
    await expect(page.getByText('No rules yet')).toBeVisible()
    await button(page, 'Waiting').click()
    const again = ask(first)
    await answer(page, 'Deny')
    expect(await again.answer).toMatchObject({ kind: 'denied', by: 'person' })
  },
)

test('what was filled in is left to the terminal only by a second press', async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const asked = robo.ask<ApprovalAnswer>('ask', {
    subject: 'npm test',
    options: [
      { id: 'no', label: 'Deny', leadsTo: { kind: 'deny', stops: false } },
      { id: 'terminal', label: 'Ask in the terminal', leadsTo: { kind: 'leave' } },
    ],
  })
  const reason = approval(page).getByLabel('Reason for denying, told to Robo')
  await reason.fill('Not before lunch')
  await answer(page, 'Ask in the terminal')
  await expect(approval(page).getByRole('alert')).toHaveText(
    'What you filled in here isn’t passed on. Copy it if you need it, then press the button again.',
  )
  await expect(reason).toHaveValue('Not before lunch')
  await answer(page, 'Ask in the terminal')
  await expect(approval(page)).toHaveCount(0)
  await asked.answer
})

test('after a restart the record says who asked what kind when and what was answered by whom, and that the rest is not kept', async ({
  app,
}) => {
  await app.start()
  const robo = await app.scripted()
  const ask = () => robo.ask<ApprovalAnswer>('ask', { subject: 'npm test', folder: app.place.project })
  const first = ask()
  await answer(app.page, 'Always allow')
  await first.answer
  await ask().answer
  await app.stop()
  await app.start()
  const { page } = app
  await runCommand(page, 'Show approvals')
  await button(page, 'Record').click()
  const entries = page.getByRole('list', { name: 'Record' }).getByRole('listitem')
  await expect(entries).toHaveCount(2)
  await expect(entries.nth(0)).toContainText('Robo: Run a command')
  await expect(entries.nth(0)).toContainText('Allowed by a rule')
  await expect(entries.nth(0)).toContainText(`Allow Robo to run, by Bash, in ${app.place.project}: npm test`)
  await expect(entries.nth(0).getByRole('time')).toBeVisible()
  await expect(entries.nth(1)).toContainText('Allowed by you')
  await expect(entries.nth(1)).toContainText(`Bash · ${app.place.project}`)
  await expect(page.getByText('they are shown here until Greenlight quits')).toBeVisible()
})

test('a denial that cannot be recorded is told to the person and not to the agent, and can be tried again', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const record = join(app.place.data, 'approval-record.json')
  // What the disk refuses, for everybody: a folder stands where the file shall be.
  mkdirSync(record)
  const denied = robo.ask<ApprovalAnswer>('ask', { subject: 'rm -rf build' })
  await answer(page, 'Deny')
  await expect(approval(page).getByRole('alert')).toContainText(
    'The answer couldn’t be recorded, so it wasn’t given.',
  )
  await expect(command(page)).toHaveText('rm -rf build')
  rmSync(record, { recursive: true })
  await answer(page, 'Deny')
  expect(await denied.answer).toMatchObject({ kind: 'denied', by: 'person' })
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()
})

test('nothing counts in its first 400 ms, also where one card takes the place of another', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const first = robo.ask<ApprovalAnswer>('ask', { subject: 'one' })
  await expect(button(approval(page), 'Allow once')).toBeEnabled()
  const second = robo.ask<ApprovalAnswer>('ask', { subject: 'two' })
  await expect(page.getByText('1 of 2')).toBeVisible()
  await expect(button(approval(page), 'Allow once')).toBeEnabled()
  // As soon as the second stands there the same button is pressed, by the mouse and by keys.
  await page.evaluate(() => {
    const find = () =>
      [...document.querySelectorAll<HTMLElement>('.approval button')].find(
        (one) => one.textContent === 'Allow once',
      )
    const counts = { pressed: 0 }
    Object.assign(window, { counts })
    new MutationObserver(() => {
      if (document.querySelector('.approval-subject')?.textContent !== 'two' || counts.pressed > 0) return
      counts.pressed++
      const press = { bubbles: true, cancelable: true }
      find()?.dispatchEvent(new PointerEvent('pointerdown', press))
      find()?.dispatchEvent(new MouseEvent('click', { ...press, detail: 1 }))
      find()?.click()
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await answer(page, 'Allow once')
  expect(await first.answer).toMatchObject({ kind: 'allowed' })
  await expect(command(page)).toHaveText('two')
  expect(
    await page.evaluate(() => (window as unknown as { counts: { pressed: number } }).counts.pressed),
  ).toBe(1)
  await answer(page, 'Deny')
  expect(await second.answer).toMatchObject({ kind: 'denied' })
})

test('reviews and approvals are one queue', async ({ app }) => {
  const path = app.write('one.txt', 'before\n')
  await app.start()
  const { page } = app
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: /^Reviews/ })
    .click()
  const robo = await app.scripted()
  const change = robo.ask<{ kind: string }>('propose', { path, proposed: 'after\n' })
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  const asked = robo.ask<ApprovalAnswer>('ask', { subject: 'npm test' })
  await expect(list(page).getByRole('listitem')).toHaveCount(2)
  await expect(list(page).getByRole('listitem', { name: 'Bash, Robo' })).toContainText('npm test')
  await expect(
    page.getByRole('contentinfo', { name: 'Status' }).getByText('1 review, 1 approval'),
  ).toBeVisible()
  await expect(review(page)).toBeVisible()
  await press(page, 'Accept file')
  expect(await change.answer).toMatchObject({ kind: 'accepted' })
  await answer(page, 'Allow once')
  expect(await asked.answer).toMatchObject({ kind: 'allowed' })
})

test('a form is filled in and checked; a plan is drawn', { tag: '@long' }, async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const choices = ['red', 'blue'].map((value) => ({ value, label: value, help: null }))
  const asked = robo.ask<ApprovalAnswer>('ask', {
    kind: 'question',
    subject: 'How shall it be?',
    fields: [
      {
        ...{
          id: 'name',
          label: 'Name',
          help: 'Short',
          required: true,
          kind: 'text',
          lines: 'one',
          format: 'text',
        },
        ...{ shortest: 2, longest: null, initial: null },
      },
      {
        id: 'one',
        label: 'Colour',
        help: null,
        required: true,
        kind: 'choice',
        choices,
        allowsOther: false,
        initial: null,
      },
      {
        ...{
          id: 'some',
          label: 'Others',
          help: null,
          required: false,
          kind: 'choices',
          choices,
          allowsOther: true,
        },
        ...{ fewest: null, most: 2, initial: [] },
      },
      { id: 'sure', label: 'Sure', help: null, required: false, kind: 'boolean', initial: false },
    ],
  })
  await expect(approval(page).getByText('How shall it be?')).toBeVisible()
  await answer(page, 'Allow once')
  await expect(approval(page).getByText('Fill this in.')).toBeVisible()
  await expect(approval(page).getByText('Choose one.')).toBeVisible()
  const name = approval(page).getByRole('textbox', { name: 'Name (required)' })
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill('Ann')
  await approval(page).getByRole('radio', { name: 'blue' }).check()
  await approval(page).getByRole('checkbox', { name: 'red' }).check()
  await approval(page).getByRole('textbox', { name: 'Something else for Others' }).fill('green')
  await approval(page).getByRole('checkbox', { name: 'Sure' }).check()
  await name.press('Enter')
  await answer(page, 'Allow once')
  expect(await asked.answer).toMatchObject({
    kind: 'allowed',
    values: { name: 'Ann', one: 'blue', some: ['red', 'green'], sure: true },
  })
  const plan = robo.ask<ApprovalAnswer>('ask', { kind: 'plan', subject: '# Steps\n\n1. <b>First</b>' })
  await expect(approval(page).getByRole('heading', { name: 'Steps' })).toBeVisible()
  await expect(approval(page).getByText('<b>First</b>')).toBeVisible()
  await answer(page, 'Deny')
  await plan.answer
})

test('a question is put in the window that has its folder, and ends with the app that it was asked in', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  const other = join(app.place.base, 'other')
  mkdirSync(other)
  const handed = await handOver(app.place.data, { folders: [other] })
  const second = await page.context().newPage()
  await second.goto(String(handed?.ok && handed.value.ready?.['url']))
  await expect(second.getByRole('treeitem').or(second.getByText('empty')).first()).toBeVisible()
  const robo = await app.scripted()
  const asked = robo.ask<ApprovalAnswer>('ask', { subject: 'npm test', folder: other })
  await expect(approval(second)).toBeVisible()
  await expect(approval(page)).toHaveCount(0)
  const ended = asked.answer.catch((error: Error) => error.message)
  await app.crashAndStart()
  expect(await ended).toBe('the connection is gone')
  await expect(tab(app.page, 'Approvals')).toHaveCount(0)
  expect((await app.scripted()) !== robo).toBe(true)
})

test('25 at once are answered by keys, one after the other', { tag: '@long' }, async ({ app }) => {
  await app.start()
  const { page } = app
  const robo = await app.scripted()
  const all = Array.from({ length: 25 }, (_, index) =>
    robo.ask<ApprovalAnswer>('ask', { subject: `step ${index + 1}` }),
  )
  await expect(page.getByText('1 of 25')).toBeVisible()
  await expect(page.getByRole('main').or(page.locator('body')).first()).toBeVisible()
  for (const [index, { answer: told }] of all.entries()) {
    await expect(command(page)).toHaveText(`step ${index + 1}`)
    const allow = button(approval(page), 'Allow once')
    await expect(allow).not.toBeFocused()
    await allow.focus()
    await expect(allow).toBeEnabled()
    await page.keyboard.press('Enter')
    expect(await told).toMatchObject({ kind: 'allowed' })
  }
  await expect(page.getByText('No agent is waiting for an answer')).toBeVisible()
})
