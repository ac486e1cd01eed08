import type { Locator, Page } from '@playwright/test'
import type { Approval } from '../../src/shared/approval/approval'
import { expect, test } from './harness'

const approval = (page: Page): Locator => page.getByRole('group', { name: /^Approval: / })
const command = (page: Page): Locator => approval(page).getByRole('group', { name: 'Command' })
const focused = (page: Page): Locator => page.locator(':focus')

const ask = (page: Page, id: string) =>
  page.evaluate((id) => {
    const approval: Approval = {
      id,
      askedAt: Date.now(),
      state: { kind: 'waiting' },
      problem: null,
      question: {
        requester: { dialect: 'claude-ide', connection: 'c1', agent: 'Claude', call: id },
        ...{
          kind: 'run',
          title: 'Run a command',
          subject: `step ${id}`,
          tool: 'Bash',
          folder: null,
          path: null,
        },
        ...{ why: null, fields: [], needsPerson: false },
        options: [
          { id: 'once', label: 'Allow once', leadsTo: { kind: 'allow', remembers: null } },
          { id: 'deny', label: 'Deny', leadsTo: { kind: 'deny', stops: false } },
        ],
      },
    }
    const { host } = window
    host.approvals = [...host.approvals, approval]
    host.emit('approvals', { kind: 'put', approval })
  }, id)

/** Two questions wait. The first is answered by keys, and the page is told only when the result is called. */
async function answerFirst(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    window.host.answerTold = new Promise((resolve) =>
      addEventListener('tell-answer', () => resolve(), { once: true }),
    )
  })
  await ask(page, 'one')
  await expect(command(page)).toHaveText('step one')
  await ask(page, 'two')
  await expect(page.getByText('1 of 2')).toBeVisible()
  const allow = approval(page).getByRole('button', { name: 'Allow once' })
  await allow.focus()
  await expect(allow).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(command(page)).toHaveText('step two')
  return async () => {
    const calls = () =>
      page.evaluate(() => window.host.calls.filter(({ name }) => name === 'approvals.answer').length)
    expect(await calls()).toBe(1)
    await page.evaluate(async () => {
      dispatchEvent(new Event('tell-answer'))
      // The answer goes through the channel; two frames later what follows from it has been drawn.
      for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve))
    })
  }
}

test.describe('when an approval’s answer arrives after the next card is shown', () => {
  test('whoever is in that card by keys stays where they are in it', async ({ open }) => {
    const page = await open('scene=folder')
    const tell = await answerFirst(page)
    const reason = approval(page).getByRole('textbox', { name: /^Reason for denying/ })
    await reason.focus()
    await page.keyboard.type('not ')
    await tell()
    await expect(reason).toBeFocused()
    await page.keyboard.type('now')
    await expect(reason).toHaveValue('not now')
  })

  test('whoever has gone to another pane by keys is not pulled back', async ({ open }) => {
    const page = await open('scene=folder')
    const tell = await answerFirst(page)
    await page.keyboard.press('F6')
    await expect(focused(page)).toHaveCount(1)
    const where = await focused(page).elementHandle()
    expect(await approval(page).locator(':focus').count()).toBe(0)
    await tell()
    expect(await where?.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('whoever has gone nowhere is led into that card', async ({ open }) => {
    const page = await open('scene=folder')
    const tell = await answerFirst(page)
    await tell()
    await expect(approval(page)).toBeFocused()
  })
})
