import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { button, mod, notices, type OpenApp, press, proposedText, review, test } from './open-app'
import { linesWith } from './thirty-lines'
import { root } from './running-host'

const before = linesWith([])
const proposed = linesWith([3, 15])

const comments = (page: Page) => review(page).getByRole('region', { name: 'Comments' })
const field = (page: Page, place: string) => page.getByRole('textbox', { name: `Comment on ${place}` })

async function ask(app: OpenApp, text = proposed) {
  const path = app.write('list.txt', before)
  await app.start()
  const agent = await app.agent()
  const answer = agent.openDiff(path, text)
  const { page } = app
  await expect(button(review(page), 'Accept change 1')).toBeVisible()
  return { path, agent, answer, page }
}

test('a comment on a change by its button and on a line by keys, told with the decision', async ({ app }) => {
  const { page, path, agent, answer } = await ask(app)
  await button(review(page), 'Comment on change 1').click()
  await expect(field(page, 'line 3')).toBeFocused()
  await page.keyboard.type('Why capitals?')
  // Enter with Mod is no decision from here.
  await page.keyboard.press(`${mod}+Enter`)
  await expect(proposedText(page)).toBeFocused()
  await expect(review(page)).toBeVisible()

  await proposedText(page).locator('.cm-line').getByText('LINE 15', { exact: true }).click()
  await page.keyboard.press(`${mod}+Alt+M`)
  await expect(field(page, 'line 15')).toBeFocused()
  await page.keyboard.type('Keep this one.')
  await page.keyboard.press('Escape')
  await expect(proposedText(page)).toBeFocused()
  await expect(comments(page).getByText('2 comments for Claude, told with your answer')).toBeVisible()

  // A reload loses nothing.
  await app.reload()
  await expect(field(page, 'line 3')).toHaveValue('Why capitals?')
  await expect(field(page, 'line 15')).toHaveValue('Keep this one.')

  await press(page, 'Reject file')
  expect(await answer).toEqual(['DIFF_REJECTED'])
  // Its agent has no terminal here, so the person reads what was not sent.
  await expect(notices(page).getByText(`The user’s comments on ${path}`)).toBeVisible()

  void agent.openDiff(path, linesWith([3]))
  const earlier = comments(page).getByRole('group', { name: 'What you said before' })
  // Each beside what became of it: line 3 is proposed again, line 15 isn't.
  await expect(earlier.getByRole('listitem').nth(0)).toHaveText(
    /^line 3, still there *LINE 3 *Why capitals\?$/,
  )
  await expect(earlier.getByRole('listitem').nth(1)).toHaveText(/^no longer there *LINE 15 *Keep this one\.$/)
  await button(earlier, 'line 3, still there').click()
  await expect(proposedText(page).locator('.cm-line').getByText('LINE 3', { exact: true })).toBeInViewport()
  await button(comments(page), 'Dismiss').click()
  await expect(comments(page)).toHaveCount(0)
})

test(
  'a comment moves with its line, and one on the file has none; both can be deleted',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = await ask(app)
    const tools = review(page).getByRole('toolbar', { name: 'Changes' })
    await button(review(page), 'Comment on change 2').click()
    await expect(field(page, 'line 15')).toBeFocused()
    await page.keyboard.type('here')
    await page.keyboard.press('Escape')
    await expect(page.locator('.gl-commented')).toHaveCount(1)
    await proposedText(page).getByText('line 1', { exact: true }).click()
    await page.keyboard.press('Home')
    await page.keyboard.type('new\n')
    await expect(field(page, 'line 16')).toHaveValue('here')
    await button(tools, 'Comment').click()
    await page.getByRole('menuitem', { name: 'On the file' }).click()
    await expect(field(page, 'the file')).toBeFocused()
    await page.keyboard.type('all of it')
    await expect(comments(page).getByRole('listitem')).toHaveCount(2)
    for (const place of ['the file', 'line 16']) {
      await button(comments(page), `Delete the comment on ${place}`).click()
      await expect(proposedText(page)).toBeFocused()
    }
    await expect(comments(page)).toHaveCount(0)
  },
)

test('a screenshot of comments', { tag: '@long' }, async ({ app, host }) => {
  const screens = join(root, 'test-results', 'screens')
  mkdirSync(screens, { recursive: true })
  const { page } = await ask(app)
  await button(review(page), 'Comment on change 1').click()
  await expect(field(page, 'line 3')).toBeFocused()
  await page.keyboard.type('Why capitals?')
  await page.keyboard.press('Escape')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await page.mouse.move(700, 899)
    await page.screenshot({
      path: join(screens, `${host}-comments-${colorScheme}.png`),
      animations: 'disabled',
    })
  }
  await page.setViewportSize({ width: 640, height: 800 })
  await page.screenshot({ path: join(screens, `${host}-comments-narrow.png`), animations: 'disabled' })
})
