import { expect, type Locator, type Page } from '@playwright/test'
import { button, mod, tab, test } from './open-app'

const right = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Open files and reviews on the right', exact: true })
const left = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Open files and reviews', exact: true })
const file = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true })

/** The names of a side's tabs in their order. */
const names = (strip: Locator): Promise<string[]> =>
  strip.getByRole('tab').evaluateAll((tabs) => tabs.map((one) => one.getAttribute('aria-label') ?? ''))

/** Opens a file to stay, and waits for its editor. */
async function open(page: Page, name: string, path: string): Promise<Locator> {
  await file(page, name).dblclick()
  const editor = page.getByRole('textbox', { name: `Editor: ${path}` }).first()
  await expect(editor).toBeVisible()
  return editor
}

async function menu(page: Page, name: string, item: string): Promise<void> {
  await tab(page, name).first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('tabs: preview, pinned, closed and reopened, split in two, and the file of an agent', async ({
  app,
}) => {
  const a = app.write('a.txt', 'one\ntwo\nthree\n')
  for (const name of ['b.txt', 'c.txt']) app.write(name, `${name}\n`)
  await app.start()
  const { page } = app

  // A single press is a preview, which the next one replaces; typing keeps it.
  await file(page, 'b.txt').click()
  await expect(tab(page, 'b.txt')).toBeVisible()
  await file(page, 'c.txt').click()
  await expect(tab(page, 'b.txt')).toHaveCount(0)
  await page.getByRole('textbox', { name: `Editor: ${app.path('c.txt')}` }).click()
  await page.keyboard.type('typed ')
  await expect(tab(page, 'c.txt')).toHaveAccessibleDescription(/modified/)
  await file(page, 'b.txt').click()
  await open(page, 'a.txt', a)
  await expect.poll(() => names(left(page))).toEqual(['c.txt', 'a.txt'])

  // Pinned ones stand first and stay, and what is unsaved stays too.
  await open(page, 'b.txt', app.path('b.txt'))
  await menu(page, 'a.txt', 'Pin')
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt', 'b.txt'])
  await menu(page, 'a.txt', 'Close others')
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt'])
  await expect(
    page.getByRole('region', { name: 'Notices' }).getByText('One file has unsaved text and stays open.'),
  ).toBeVisible()
  await tab(page, 'c.txt').click()
  await page.keyboard.press(`${mod}+s`)
  await button(page, 'Close c.txt').click()
  await tab(page, 'a.txt').click()
  await page.keyboard.press(`${mod}+Shift+T`)
  await expect.poll(() => names(left(page))).toEqual(['a.txt', 'c.txt'])

  // The same file on both sides: what is typed in one stands in the other, and either may be closed.
  await tab(page, 'a.txt').click()
  await page.keyboard.press(`${mod}+\\`)
  await expect.poll(() => names(right(page))).toEqual(['a.txt'])
  const both = page.getByRole('textbox', { name: `Editor: ${a}` })
  await expect(both).toHaveCount(2)
  await expect(both.nth(1)).toBeFocused()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('right ')
  await expect(both.nth(0)).toContainText('right one')
  await page.keyboard.press(`${mod}+1`)
  await expect(both.nth(0)).toBeFocused()
  await page.keyboard.press(`${mod}+Home`)
  await page.keyboard.type('left ')
  await expect(both.nth(1)).toContainText('left right one')

  // An agent is told of one open file, and its own comes to the side that is worked in.
  const agent = await app.agent()
  const listed = await agent.call('getOpenEditors', {})
  const editors = (JSON.parse(listed.content[0]?.text ?? '') as { tabs: { label: string }[] }).tabs
  expect(editors.map(({ label }) => label).toSorted()).toEqual(['a.txt', 'c.txt'])
  await agent.call('openFile', { filePath: app.path('b.txt'), preview: true, makeFrontmost: true })
  await expect.poll(() => names(left(page))).toContain('b.txt')
  await expect(both).toHaveCount(1)

  await button(right(page).locator('..'), 'Close a.txt').click()
  await expect(right(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tab(page, 'a.txt').click()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('a.txt')).toBe('left right one\ntwo\nthree\n')
})
