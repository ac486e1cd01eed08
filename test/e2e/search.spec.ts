import { type Page, expect } from '@playwright/test'
import { button, mod, press, review, tab, test } from './open-app'

const panel = (page: Page) => page.getByRole('region', { name: 'Search', exact: true })
const results = (page: Page) => panel(page).getByRole('tree', { name: 'Results' })

test('goes to a file by letters of its path, and to a line of it', async ({ app }) => {
  app.write('.gitignore', 'made/\n')
  app.write('src/main/review-desk.ts', 'one\ntwo\nthree\n')
  app.write('src/main/other.ts', 'other\n')
  app.write('made/review-desk.js', 'made\n')
  await app.start()
  const { page } = app
  const dialog = page.getByRole('dialog', { name: 'Go to file' })
  const field = dialog.getByRole('combobox')
  const options = dialog.getByRole('option')

  await page.keyboard.press(`${mod}+p`)
  await expect(field).toBeFocused()
  await field.fill('revdesk:2:3')
  await expect(options).toHaveCount(1)
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await expect(options.first().locator('mark').first()).toHaveText('rev')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('src/main/review-desk.ts')}` })
  await expect(editor).toBeFocused()
  await expect(page.getByText('Ln 2, Col 3')).toBeVisible()

  await page.keyboard.press(`${mod}+p`)
  await field.fill('other')
  await page.keyboard.press('Enter')
  await expect(tab(page, 'other.ts')).toHaveAttribute('aria-selected', 'true')

  // What was open before is first; a file that git ignores comes when it is asked for.
  await page.keyboard.press(`${mod}+p`)
  await expect(options.first()).toContainText('review-desk.ts')
  await field.fill('deskjs')
  await expect(dialog.getByText('No matching files')).toBeVisible()
  await dialog.getByRole('switch', { name: 'Include ignored files' }).click()
  await expect(options.first()).toContainText('review-desk.js')
  // A file that came to be since is there as soon as it is looked for.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  app.write('src/brand-new.ts', '')
  await page.keyboard.press(`${mod}+p`)
  await field.fill('brandnew')
  await expect(options.first()).toContainText('brand-new.ts')
})

test('searches the folder, and what is replaced is reviewed before it is written', async ({ app }) => {
  app.write('.gitignore', 'made.txt\n')
  app.write('a.txt', 'first line\nlet count = 1\ncounts\n')
  app.write('sub/b.txt', 'Count me\n')
  app.write('made.txt', 'count\n')
  await app.start()
  const { page } = app
  await page.keyboard.press(`${mod}+Shift+f`)
  const field = panel(page).getByRole('textbox', { name: 'Search text' })
  await expect(field).toBeFocused()
  await page.keyboard.type('count')
  await expect(panel(page).getByText('3 hits in 2 files')).toBeVisible()
  await button(panel(page), 'Match case').click()
  await button(panel(page), 'Whole words').click()
  await expect(panel(page).getByText('1 hit in 1 file', { exact: true })).toBeVisible()
  await button(panel(page), 'Match case').click()
  await expect(panel(page).getByText('2 hits in 2 files')).toBeVisible()

  // A hit is selected in its editor.
  await results(page).getByRole('treeitem', { name: 'Line 2: let count = 1' }).click()
  const editor = page.getByRole('textbox', { name: `Editor: ${app.path('a.txt')}` })
  await expect(editor).toBeFocused()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('count')

  // Text that is not saved is searched as it stands. Put in as one, so that it is taken back as one.
  await page.keyboard.insertText('Count Count')
  await field.fill('count ')
  await field.press('Enter')
  await expect(results(page).getByRole('treeitem', { name: /^a\.txt.*unsaved$/ })).toBeVisible()
  await editor.focus()
  await page.keyboard.press(`${mod}+z`)
  await page.keyboard.press(`${mod}+s`)
  await expect(tab(page, 'a.txt')).not.toHaveAccessibleDescription(/modified/)

  await button(panel(page), 'Regular expression').click()
  await field.fill('(co')
  await expect(panel(page).getByText(/isn’t a valid regular expression/)).toBeVisible()
  await field.fill('(c)ount')
  await button(panel(page), 'Replace too').click()
  await panel(page).getByRole('textbox', { name: 'Replacement' }).fill('am$1ount')
  await expect(
    results(page).getByRole('treeitem', { name: 'Line 2: let count = 1, becomes amcount' }),
  ).toBeVisible()
  await expect(panel(page).getByText('2 hits in 2 files', { exact: true })).toBeVisible()
  await results(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Delete')
  await expect(results(page).getByRole('treeitem', { name: /^b\.txt/ })).toHaveCount(0)
  await button(panel(page), 'Review 1 changed file').click()
  await expect(review(page)).toHaveAccessibleName(`Review: ${app.path('a.txt')}`)
  await expect(review(page)).toContainText('Search and replace')
  expect(app.read('a.txt')).toContain('let count = 1')
  await press(page, 'Accept file')
  await expect.poll(() => app.read('a.txt')).toBe('first line\nlet amcount = 1\ncounts\n')
  expect(app.read('sub/b.txt')).toBe('Count me\n')
})
