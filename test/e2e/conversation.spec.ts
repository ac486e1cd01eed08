import { expect, type Page } from '@playwright/test'
import { putClaudeOnPath, trustFolders } from '../scripted-claude/on-path'
import { runningClaudes } from '../scripted-claude/scripted-claude'
import { button, notices, press, runCommand, test, typeAfter } from './open-app'
import { backFromReview, field, log, pastePicture, say, waiting } from './talk-in-app'

async function begin(page: Page, first: string): Promise<void> {
  await runCommand(page, 'New conversation')
  const form = page.getByRole('dialog', { name: 'New conversation' })
  await form.getByRole('combobox', { name: 'Permission mode' }).selectOption('acceptEdits')
  await form.getByRole('textbox', { name: 'First message' }).fill(first)
  await button(form, 'Start conversation').click()
}

test('a conversation is begun, its change is reviewed before it is written, and what it runs ends with its tab and with the app', async ({
  app,
}) => {
  putClaudeOnPath(app.place)
  trustFolders(app.place, [app.place.project])
  const path = app.write('notes.txt', 'one\n')
  await app.start()
  const { page } = app
  await begin(page, `write ${path} two`)
  await backFromReview(page, 'notes.txt', /^write /)
  await page.getByRole('button', { name: 'Open review' }).last().click()
  expect(app.read('notes.txt')).toBe('one\n')
  await typeAfter(page, 'two', ' and a half')
  await press(page, 'Accept file')
  await page.getByRole('tab', { name: /^write / }).click()
  await expect(log(page)).toContainText('wrote two and a half')
  expect(app.read('notes.txt')).toBe('two and a half\n')

  await pastePicture(page)
  await expect(page.getByRole('img', { name: 'plan.png' })).toBeVisible()
  await say(page, 'wait')
  await expect(log(page).getByRole('img', { name: 'From the conversation' })).toBeVisible()
  await field(page).fill('not now')
  await field(page).press('Enter')
  await expect(waiting(page)).toHaveText([/^not now/])
  await page.getByRole('button', { name: /^Close write /, includeHidden: true }).click()
  const told = notices(page).getByText(/^1 message was still waiting in “write /)
  await expect(told).toBeVisible()
  await expect.poll(() => runningClaudes(app.place.home)).toEqual([])

  await begin(page, 'wait')
  await expect(field(page)).toBeFocused()
  await expect(log(page)).toContainText('waiting')
  expect(runningClaudes(app.place.home)).toHaveLength(1)
  await app.kill()
  await expect.poll(() => runningClaudes(app.place.home)).toEqual([])
})
