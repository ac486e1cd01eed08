import { expect, type Page } from '@playwright/test'
import { listProcesses } from '../../src/main/core/platform/process-tree'
import { type ScriptedApp, test } from '../scripted-agent/scripted-app'

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
  const { pid } = await robo.call<{ pid: number }>('converse', { title: 'A talk with Robo', messages })
  await expect(app.page.getByRole('tab', { name: 'A talk with Robo' })).toBeVisible()
  await expect(field(app.page)).toBeEditable()
  return { robo, pid, page: app.page }
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
  await expect(page.getByText('What waits goes on when you send something.')).toBeVisible()
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
  expect(await alive(third)).toBe(false)
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
