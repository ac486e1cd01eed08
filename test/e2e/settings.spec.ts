import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { button, mod, notices, tab, test } from './open-app'

const settings = (page: Page) => page.getByRole('region', { name: 'Settings', exact: true })
const keys = (page: Page) => page.getByRole('region', { name: 'Keyboard shortcuts' })

/** Runs a command of the palette by some letters of its title. */
async function runCommand(page: Page, letters: string): Promise<void> {
  await page.keyboard.press(`${mod}+Shift+P`)
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await palette.getByRole('combobox').fill(letters)
  // What Enter runs is the option that is chosen, which comes a moment after the list.
  await expect(palette.getByRole('option', { selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
}

test('the form and settings.json are one: searched, changed, reset, with comments kept and errors told', async ({
  app,
}) => {
  app.write('app.ts', 'const a = 1\n')
  await app.start()
  const { page } = app
  const file = join(app.place.data, 'settings.json')
  const stored = () => readFileSync(file, 'utf8')
  await page.keyboard.press(`${mod}+,`)
  await settings(page).getByLabel('Theme', { exact: true }).selectOption('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // A change of one setting leaves the others.
  await settings(page).getByLabel('Search settings').fill('wrap long')
  await expect(settings(page).getByLabel('Theme', { exact: true })).toBeHidden()
  await settings(page).getByRole('switch', { name: 'Wrap long lines' }).click()
  await expect.poll(() => JSON.parse(stored())).toEqual({ theme: 'dark', reviewWrap: true })
  await settings(page).getByLabel('Search settings').fill('')
  await button(settings(page), 'Only changed').click()
  await expect(settings(page).getByRole('switch')).toHaveCount(1)
  await button(settings(page), 'Reset Wrap long lines').click()
  await expect.poll(stored).not.toContain('reviewWrap')
  await button(settings(page), 'Only changed').click()

  // Only in this folder, and nothing of it in the project.
  await button(settings(page), 'Only in project').click()
  await expect(settings(page).getByLabel('Theme', { exact: true })).toBeHidden()
  await settings(page).getByLabel('Changes', { exact: true }).selectOption('side-by-side')
  await expect(settings(page).getByText('Only here')).toBeVisible()
  await button(settings(page), 'Everywhere').click()
  await expect(settings(page).getByText('project has its own value')).toBeVisible()
  expect(stored()).not.toContain('side-by-side')
  expect(readFileSync(join(app.place.data, 'folder-settings.json'), 'utf8')).toContain('side-by-side')

  // As JSON: what is wrong is marked while it is typed, and after saving nothing of it holds.
  await button(settings(page), 'Open as JSON').click()
  const text = page.getByRole('textbox', { name: /^Editor: .*settings\.json$/ })
  await text.click()
  await page.keyboard.press(`${mod}+A`)
  await page.keyboard.insertText('{\n  // mine\n  "theme": "light",\n  "editorFontSize": 99\n}\n')
  const mark = page.locator('.cm-lint-marker-error')
  await expect(mark).toBeVisible()
  await mark.hover()
  await expect(page.getByText('editorFontSize is a whole number from 8 to 32.')).toBeVisible()
  await text.click()
  await page.keyboard.press(`${mod}+S`)
  await expect(
    notices(page).getByText(/^settings\.json holds as it was before.* Line 4, column 21: /),
  ).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.keyboard.press(`${mod}+A`)
  await page.keyboard.insertText('{\n  // mine\n  "theme": "light"\n}\n')
  await page.keyboard.press(`${mod}+S`)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

  // The form keeps the comment.
  await tab(page, 'Settings').click()
  await settings(page).getByLabel('Editor text size', { exact: true }).fill('16')
  await expect.poll(stored).toContain('"editorFontSize": 16')
  expect(stored()).toContain('// mine')

  // What is imported is taken whole or not at all.
  const choose = async (content: string) =>
    page.getByLabel('Settings file').setInputFiles({
      name: 'mine.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  await choose('{ "theme": "dark", "editorFontSize": "large" }')
  await expect(notices(page).getByText(/Nothing was imported\. Line 1, column 38/)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await choose('{ "theme": "dark", "editorFontSize": 18 }')
  await expect(notices(page).getByText('2 settings imported from mine.json.')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('keys are changed by pressing them, conflicts are named, recent commands come first', async ({
  app,
}) => {
  app.write('app.ts', 'const a = 1\n')
  await app.start()
  const { page } = app
  const files = page.getByRole('tree', { name: 'Files' })
  await runCommand(page, 'keybshortc')
  await expect(keys(page)).toBeVisible()
  const row = keys(page).getByRole('listitem', { name: 'Toggle side bar', exact: true })
  const change = button(row, 'Change the key of Toggle side bar')
  await change.click()
  // While a new key is waited for, no key of a command does anything, and what types text is refused.
  await page.keyboard.press(`${mod}+J`)
  await expect(row).toContainText(/also means .Toggle terminals/)
  await expect(page.getByRole('region', { name: 'Terminals' }).or(button(page, 'New terminal'))).toBeVisible()
  await change.click()
  await page.keyboard.press('x')
  await expect(row).toContainText('This key types text.')
  await page.keyboard.press(`${mod}+Alt+B`)
  await expect(row.getByText('also means')).toHaveCount(0)
  await expect(change).toBeFocused()
  // The keys are the host's: they are others when it has said so.
  await expect(row).toContainText(/Alt\+B|⌥⌘B/)

  await page.keyboard.press(`${mod}+B`)
  await expect(files).toBeVisible()
  await page.keyboard.press(`${mod}+Alt+B`)
  await expect(files).toBeHidden()
  // The same data in the list of shortcuts, and kept over a reload.
  await page.reload()
  await expect(button(page, 'New terminal')).toBeVisible()
  await page.keyboard.press('F1')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list.getByRole('listitem').filter({ hasText: 'Toggle side bar' })).toContainText(/Alt\+B|⌥⌘B/)
  await button(list, 'Change keys …').click()
  await button(keys(page), 'Reset all · 1').click()
  await expect(button(keys(page), 'Reset all · 1')).toHaveCount(0)
  await page.keyboard.press(`${mod}+B`)
  await expect(files).toBeVisible()

  await page.keyboard.press(`${mod}+Shift+P`)
  const palette = page.getByRole('dialog', { name: 'Commands' })
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    /Keyboard shortcuts/,
  ])
})
