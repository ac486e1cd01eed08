import { expect } from '@playwright/test'
import { mod, notices, runCommand, test } from './open-app'

test('a part of the page that can’t be loaded is told, and leaves the rest as it was; a reload brings it', async ({
  app,
}) => {
  app.write('hello.txt', 'hello\n')
  await app.start()
  const { page } = app
  const parts = /new-conversation[^/]*$/
  await page.route(parts, (route) => route.abort())
  await app.reload()
  const told = notices(page).getByText('Part of Greenlight couldn’t be loaded')
  await expect(told).toBeVisible()
  await page.getByRole('treeitem', { name: 'hello.txt' }).dblclick()
  await expect(page.getByRole('textbox', { name: /^Editor: .*hello\.txt$/ })).toBeFocused()
  // The dialog of another part.
  await runCommand(page, 'Go to line')
  await expect(page.getByRole('dialog', { name: 'Go to line' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press(`${mod}+Shift+f`)
  await page.getByRole('textbox', { name: 'Search text' }).fill('hello')
  await expect(page.getByRole('region', { name: 'Search', exact: true }).getByText('hello.txt')).toBeVisible()

  await page.unroute(parts)
  const loaded = page.waitForEvent('load')
  await notices(page).getByRole('button', { name: 'Reload' }).click()
  await loaded
  await expect(page.getByRole('treeitem', { name: 'hello.txt' })).toBeVisible()
  await expect(told).toBeHidden()
  await runCommand(page, 'New conversation')
  await expect(page.getByRole('dialog', { name: 'New conversation' })).toBeVisible()
})
