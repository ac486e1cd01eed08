import { expect, type Page } from '@playwright/test'
import type { ApprovalAnswer } from '../../src/shared/approval/approval'
import { listProcesses } from '../../src/main/core/platform/process-tree'
import { type ScriptedApp, test } from '../scripted-agent/scripted-app'
import { keepTyping } from './open-app'

const alive = async (pid: number) => (await listProcesses()).some((entry) => entry.pid === pid)
const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const waiting = (page: Page) => page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  // Until it is delivered.
  await expect(field(page)).toHaveValue('')
}

/** Opens a conversation of a scripted agent. */
async function converse(app: ScriptedApp, messages = 0) {
  await app.start()
  const robo = await app.scripted()
  const { pid, id } = await robo.call<{ pid: number; id: string }>('converse', {
    title: 'A talk with Robo',
    messages,
  })
  await expect(app.page.getByRole('tab', { name: 'A talk with Robo' })).toBeVisible()
  await expect(field(app.page)).toBeEditable()
  return { robo, pid, id, page: app.page }
}

test('an agent of ours is talked to; its thinking and its tools come as they are written', async ({
  app,
}) => {
  const { page } = await converse(app)
  await say(page, 'hello')
  await expect(log(page)).toContainText('You said: hello')
  await say(page, 'stream 60 200')
  await expect(page.getByRole('button', { name: /^Run, ls/ })).toBeVisible()
  await expect(log(page)).toContainText('First I think.')
  await expect(log(page)).toContainText('piece 59.')
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await page.getByLabel('Mode').selectOption('Plan only')
  await page.reload()
  await expect(page.getByLabel('Mode')).toHaveValue('plan')
  await expect(log(page)).toContainText('piece 59.')
})

test(
  'the agent’s commands are listed as one types, chosen by keys, and closed by Escape',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = await converse(app)
    const open = page.getByRole('combobox', { name: 'Message' })
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    const chosen = async () => {
      const id = await open.getAttribute('aria-activedescendant')
      await expect(options.and(page.locator(`[id="${id}"]`))).toHaveAttribute('aria-selected', 'true')
      return page.locator(`[id="${id}"] .suggestion-name`).textContent()
    }
    await field(page).focus()
    await page.keyboard.type('/')
    await expect(open).toBeFocused()
    await expect(open).toHaveAttribute('aria-expanded', 'true')
    await expect(options).toHaveText([/^\/review/, /^\/compact/, /^\/model/, /^\/commit/])
    expect(await chosen()).toBe('/review')
    await page.keyboard.press('ArrowUp')
    expect(await chosen()).toBe('/commit')
    await page.keyboard.type('m')
    await expect(options).toHaveText([/^\/model/, /^\/compact/, /^\/commit/])
    expect(await chosen()).toBe('/model')
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe('/compact')
    await page.keyboard.press('Enter')
    // It stands in the field; nothing has been sent.
    await expect(field(page)).toHaveValue('/compact ')
    await expect(options).toHaveCount(0)
    await page.keyboard.type('what was said first')
    await page.keyboard.press('Enter')
    await expect(log(page)).toContainText('You said: /compact what was said first')
    await page.keyboard.type('/re')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(options).toHaveCount(0)
    await page.keyboard.type('v')
    await expect(options).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(log(page)).toContainText('You said: /rev')
    // Whoever has typed all of a command sends it by the same key; a slash elsewhere lists nothing.
    await page.keyboard.type('/model')
    await expect(options).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(log(page)).toContainText('You said: /model')
    await page.keyboard.type('a /')
    await expect(field(page)).toHaveValue('a /')
    await expect(options).toHaveCount(0)
    await field(page).fill('/')
    await options.filter({ hasText: '/commit' }).click()
    await expect(field(page)).toHaveValue('/commit ')
    await expect(field(page)).toBeFocused()
  },
)

test('what the agent asks in a conversation is a line in it that leads to its approval', async ({ app }) => {
  const { robo, id, page } = await converse(app)
  const shown = page.getByRole('form', { name: 'Write' }).getByText('Robo wants to run a command: npm test')
  const approvals = page.getByRole('tab', { name: 'Approvals' })
  const back = () => page.getByRole('tab', { name: 'A talk with Robo' }).click()
  const ask = (subject: string, conversation?: string) =>
    robo.ask<ApprovalAnswer>('ask', { subject, conversation })
  // Who types is not taken from the conversation.
  await field(page).focus()
  await page.keyboard.type('half a sentence')
  await keepTyping(page)
  const elsewhere = ask('ls')
  const first = ask('npm test', id)
  const second = ask('npm run build', id)
  await expect(shown).toBeVisible()
  await expect(page.getByText('and 1 more')).toBeVisible()
  await expect(field(page)).toBeFocused()
  await page.getByRole('button', { name: 'Show approval' }).click()
  await expect(approvals).toHaveAttribute('aria-selected', 'true')
  const card = page.getByRole('group', { name: 'Approval: Bash' })
  await expect(card).toBeFocused()
  await expect(card.getByRole('group', { name: 'Command' })).toHaveText('npm test')
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await card.getByRole('button', { name: 'Allow once' }).click()
  expect(await first.answer).toMatchObject({ kind: 'allowed' })
  await back()
  await expect(page.getByText('Robo wants to run a command: npm run build')).toBeVisible()
  second.cancel()
  expect(await second.answer).toMatchObject({ kind: 'withdrawn' })
  await expect(page.getByRole('button', { name: 'Show approval' })).toHaveCount(0)
  elsewhere.cancel()
})

test('while it works messages wait, and are changed, moved, taken back; a stop holds them', async ({
  app,
}, info) => {
  const { page } = await converse(app)
  await say(page, 'stream 100000 200')
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  for (const text of ['one', 'two', 'three']) await say(page, text)
  await expect(waiting(page)).toHaveText(['one', 'two', 'three'])
  await page.screenshot({ path: info.outputPath('queue.png') })
  await page.getByRole('button', { name: 'Earlier: two' }).click()
  await expect(waiting(page)).toHaveText(['two', 'one', 'three'])
  await page.getByRole('button', { name: 'Edit: one' }).click()
  const edited = page.getByRole('textbox', { name: 'Waiting message' })
  await expect(edited).toBeFocused()
  await edited.fill('one, better')
  await edited.press('Enter')
  await expect(waiting(page)).toHaveText(['two', 'one, better', 'three'])
  await page.getByRole('button', { name: 'Take back: three' }).click()
  await expect(field(page)).toHaveValue('three')
  // A reload in the middle keeps the conversation, what waits, and the draft.
  await page.reload()
  await expect(waiting(page)).toHaveText(['two', 'one, better'])
  await expect(field(page)).toHaveValue('three')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByText('Waiting messages are held until you send something.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
  await expect(waiting(page)).toHaveText(['two', 'one, better'])
  await expect(log(page)).not.toContainText('You said: two')
  await field(page).press('Enter')
  await expect(log(page)).toContainText('You said: three')
  await expect(waiting(page)).toHaveCount(0)
  const text = await log(page).textContent()
  const places = ['two', 'one, better', 'three'].map((words) => text?.indexOf(`You said: ${words}`) ?? -1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a process that floods, dies and is killed is told of, and can be started anew', async ({
  app,
}, info) => {
  const { robo, page, pid } = await converse(app)
  await say(page, 'flood 40')
  await expect(log(page)).toContainText('You said: flood 40')
  await say(page, 'die 3')
  await expect(page.getByText('Robo has ended with the error code 3.')).toBeVisible()
  expect(await alive(pid)).toBe(false)
  await expect(field(page)).not.toBeEditable()
  await page.getByRole('button', { name: 'Last words' }).click()
  await expect(page.getByLabel('Last words').last()).toHaveText('these are my last words')
  await page.screenshot({ path: info.outputPath('ended.png') })
  expect(await robo.event('process')).toBe(pid)
  await page.getByRole('button', { name: 'Restart' }).click()
  const second = await robo.event('process')
  await expect(field(page)).toBeEditable()
  process.kill(Number(second), 'SIGKILL')
  await expect(page.getByText('Robo was ended from outside (SIGKILL).')).toBeVisible()
  await page.getByRole('button', { name: 'Restart' }).click()
  const third = Number(await robo.event('process'))
  await say(page, 'back again')
  await expect(log(page)).toContainText('You said: back again')
  await app.stop()
  await expect.poll(() => alive(third)).toBe(false)
})

test('200 pieces a second come into a long conversation, which opens at its end and follows it', async ({
  app,
}) => {
  const { page } = await converse(app, 2000)
  const list = log(page)
  const distance = () => list.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight)
  await expect(list).toContainText('Message 1999 of those before.')
  await expect.poll(distance).toBeLessThan(48)
  await say(page, 'stream 600 200')
  await expect(list).toContainText('piece 100 ')
  // At its end the list follows.
  await expect.poll(distance).toBeLessThan(48)
})
