import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import {
  button,
  mod,
  notices,
  openShell,
  press,
  proposedText,
  review,
  terminalInput,
  terminalScreen,
  test,
  typeAfter,
} from './open-app'
import { linesWith } from './thirty-lines'

const before = linesWith([])
const proposed = linesWith([3, 15, 27])

const notice = (page: Page, text: string) => notices(page).getByText(text)

test('the main job: accept one change, reject one, correct one', async ({ app }) => {
  const path = app.write('src/list.txt', before)
  await app.start()
  const { page } = app
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  await page.getByRole('treeitem', { name: 'src' }).click()
  await expect(page.getByRole('treeitem', { name: 'list.txt' })).toBeVisible()

  await openShell(page)
  await page.keyboard.type('echo "port:$CLAUDE_CODE_SSE_PORT:"\n')
  await expect(terminalScreen(page)).toContainText(/port:\d+:/)
  await expect(page.getByRole('button', { name: 'Claude: not connected' })).toBeVisible()
  const agent = await app.agent()
  await expect(page.getByRole('button', { name: 'Claude: 1 connected' })).toBeVisible()

  const answer = agent.openDiff(path, proposed)
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  await expect(terminalInput(page)).toBeFocused()
  await expect(terminalScreen(page)).toBeVisible()

  await press(page, 'Accept change 1')
  await press(page, 'Reject change 2')
  await typeAfter(page, 'LINE 27', ' corrected')
  await expect(button(review(page), 'Accept file')).toContainText('2 of 3 changes')
  expect(app.read('src/list.txt')).toBe(before)
  await press(page, 'Accept file')
  const accepted = linesWith([3, 27]).replace('LINE 27', 'LINE 27 corrected')
  expect(await answer).toEqual(['FILE_SAVED', accepted])
  // The agent writes; the app does not.
  expect(app.read('src/list.txt')).toBe(before)
  await expect(terminalInput(page)).toBeFocused()

  writeFileSync(path, accepted)
  await expect(notice(page, 'list.txt accepted and written.')).toBeVisible()
  await expect(review(page)).toHaveCount(0)
  await expect(terminalInput(page)).toBeFocused()
  await notices(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => app.read('src/list.txt')).toBe(before)
})

test('the main job by keyboard alone', async ({ app }) => {
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  await page.keyboard.press(`${mod}+Shift+P`)
  await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')).toBeFocused()
  await page.keyboard.type('New terminal: Shell')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^New terminal: Shell/)
  await page.keyboard.press('Enter')
  await expect(terminalInput(page)).toBeFocused()
  const agent = await app.agent()
  const answer = agent.openDiff(path, proposed)
  await expect(button(review(page), 'Accept file')).toBeEnabled()
  await expect(terminalInput(page)).toBeFocused()
  // While the terminal has the focus, the review's keys are the terminal's.
  await page.keyboard.press(`${mod}+Shift+Y`)
  await expect(page.getByText('Accepted', { exact: true })).toHaveCount(0)

  await page.keyboard.press('Shift+F6')
  await expect(proposedText(page)).toBeFocused()
  await page.keyboard.press('F7')
  await expect(review(page).getByText('1 of 3')).toBeVisible()
  await page.keyboard.press(`${mod}+Shift+Y`)
  await expect(review(page).getByText('2 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press(`${mod}+Shift+D`)
  await expect(review(page).getByText('3 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.type(' corrected')
  await page.keyboard.press(`${mod}+Enter`)
  const accepted = linesWith([3, 27]).replace('LINE 27', 'LINE 27 corrected')
  expect(await answer).toEqual(['FILE_SAVED', accepted])
  await expect(terminalInput(page)).toBeFocused()
  writeFileSync(path, accepted)
  await expect(notice(page, 'list.txt accepted and written.')).toBeVisible()
  await page.keyboard.press('F6')
  await expect(terminalInput(page)).not.toBeFocused()
})
