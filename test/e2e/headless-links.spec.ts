import { expect } from '@playwright/test'
import { button, openShell, terminalScreen, test } from './open-app'

test('a link opens in the browser that shows the page, from a text and from a terminal', async ({ app }) => {
  app.write('guide.md', '[web](https://a.example/)\n')
  await app.start()
  const { page } = app
  const context = page.context()
  await context.route('https://a.example/**', (route) => route.fulfill({ body: 'Here.' }))

  await page.getByRole('treeitem', { name: 'guide.md', exact: true }).dblclick()
  await expect(page.getByRole('textbox', { name: /^Editor: / })).toBeVisible()
  await page.keyboard.press('Control+Shift+v')
  const preview = page.getByRole('document', { name: 'Preview of guide.md' })
  await preview.getByRole('link', { name: 'web' }).click()
  const fromText = context.waitForEvent('page')
  await button(page.getByRole('dialog', { name: 'Open this address in your browser?' }), 'Open').click()
  await (await fromText).waitForURL('https://a.example/')

  await openShell(page)
  // It takes room from the terminal as it comes.
  await expect(page.getByRole('region', { name: 'Trust' })).toBeVisible()
  await page.keyboard.type('clear; printf "see %s\\n" https://a.example/shown')
  await page.keyboard.press('Enter')
  const printed = terminalScreen(page).getByText('see https://a.example/shown', { exact: true })
  await expect(printed).toBeVisible()
  const box = await printed.boundingBox()
  if (!box) throw new Error('the line has no place')
  const at = [box.x + box.width / 2, box.y + box.height / 2] as const
  // A text becomes a link where the pointer is.
  await page.mouse.move(...at)
  await expect(page.locator('.xterm-cursor-pointer')).toBeVisible()
  const fromTerminal = context.waitForEvent('page')
  await page.mouse.click(...at)
  await (await fromTerminal).waitForURL('https://a.example/shown')
})
