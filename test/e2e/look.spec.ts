import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import {
  type OpenApp,
  button,
  mod,
  openShell,
  press,
  proposedText,
  review,
  terminalScreen,
  test,
} from './open-app'
import { root } from './running-host'

const screens = join(root, 'test-results', 'screens')

/** What a person of ours works on: a module with room for three changes. */
const base = `import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A person's cart: what they chose, and how much of it. */
export interface Cart {
  lines: { article: string; count: number; price: number }[]
  discount: number
}

export async function loadCart(folder: string): Promise<Cart> {
  const text = await readFile(join(folder, 'cart.json'), 'utf8')
  return JSON.parse(text) as Cart
}

/** The sum in cents. */
export function totalOf(cart: Cart): number {
  let total = 0
  for (const line of cart.lines) {
    total += line.count * line.price
  }
  return total - cart.discount
}

/** How many articles there are. */
export function countOf(cart: Cart): number {
  return cart.lines.length
}

${Array.from({ length: 30 }, (_, index) => `export const rate${index} = ${(index * 7) % 20} / 100`).join('\n')}

export function formatTotal(cart: Cart): string {
  return '$' + totalOf(cart) / 100
}
`
const proposed = base
  .replace("'cart.json'), 'utf8')", "'cart.json'), { encoding: 'utf8' })")
  .replace(
    '  return total - cart.discount\n',
    '  // A discount never makes the sum negative.\n  return Math.max(0, total - cart.discount)\n',
  )
  .replace('return cart.lines.length', 'return cart.lines.reduce((sum, line) => sum + line.count, 0)')
  .replace("return '$' + totalOf(cart) / 100", 'return `$${(totalOf(cart) / 100).toFixed(2)}`')

/** A project with a file that an agent wants to change, and a terminal. */
async function prepare(app: OpenApp) {
  const path = app.write('src/cart.ts', base)
  app.write('src/index.ts', "export * from './cart'\n")
  app.write('README.md', '# Shop\n\nA small shop.\n')
  app.write('package.json', '{\n  "name": "shop"\n}\n')
  app.write('notes/ideas.md', '- a basket for gifts\n')
  await app.start()
  const { page } = app
  await page.getByRole('treeitem', { name: 'src' }).click()
  await page.getByRole('treeitem', { name: 'cart.ts' }).dblclick()
  await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toBeFocused()
  await openShell(page)
  await page.keyboard.type('git status --short\n')
  await expect(terminalScreen(page)).toContainText('src/')
  return { page, path, agent: await app.agent() }
}

test('the names that people, scripts and tests hold on to', async ({ app }) => {
  const { page, path, agent } = await prepare(app)
  await expect(page.getByRole('tree', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: 'cart.ts' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'cart.ts' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Terminal: / })).toBeVisible()
  await button(page, 'New terminal').click()
  for (const name of ['Shell', 'Claude Code', 'Gemini CLI'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(button(page, 'New terminal')).toBeFocused()

  void agent.openDiff(path, proposed)
  const region = page.getByRole('region', { name: `Review: ${path}` })
  await expect(region).toBeVisible()
  for (const name of ['Accept file', 'Reject file']) await expect(button(region, name)).toBeVisible()
  const toolbar = region.getByRole('toolbar', { name: 'Changes' })
  for (const name of ['Previous change', 'Next change', 'Side by side'])
    await expect(button(toolbar, name)).toBeVisible()
  await expect(button(toolbar, 'Side by side')).toHaveAttribute('aria-pressed', 'false')
  for (const name of ['Accept change 1', 'Reject change 1']) await expect(button(region, name)).toBeVisible()

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  const list = page.getByRole('list', { name: 'Pending reviews' })
  await expect(list.getByRole('listitem', { name: 'cart.ts, Claude' })).toBeVisible()
  await expect(button(page, 'Accept all')).toBeVisible()
  await expect(button(page, 'Reject all')).toBeVisible()

  await page.keyboard.press(`${mod}+Shift+P`)
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Claude: / }).click()
  await expect(page.getByRole('region', { name: 'Connections' })).toBeVisible()
  await button(page, 'Settings').click()
  await expect(page.getByRole('region', { name: 'Settings' })).toBeVisible()
  await page.keyboard.press(`${mod}+W`)

  agent.kill()
  for (const name of ['Keep as my change', 'Save as patch', 'Discard'])
    await expect(button(region, name)).toBeVisible()
})

test(
  'no tooltip stands where a menu or a dialog has given the focus back',
  { tag: '@long' },
  async ({ app }) => {
    for (const name of ['a.txt', 'b.txt']) app.write(name, 'one\n')
    await app.start()
    const { page } = app
    for (const name of ['a.txt', 'b.txt']) {
      await page.getByRole('treeitem', { name, exact: true }).dblclick()
      await expect(page.getByRole('textbox', { name: `Editor: ${app.path(name)}` })).toBeFocused()
    }
    const one = page.getByRole('tab', { name: 'a.txt' })
    await one.focus()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(one).toBeFocused()
    await page.keyboard.press(`${mod}+Shift+P`)
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(one).toBeFocused()
    await expect(page.getByRole('tooltip')).toHaveCount(0)
    // Going about by keys brings the words.
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tooltip')).toHaveCount(1)
  },
)

test('a screenshot of each main state', { tag: '@long' }, async ({ app, host }) => {
  mkdirSync(screens, { recursive: true })
  const shot = async (page: Page, name: string) => {
    // Nothing that was pointed at: the pointer would leave its mark.
    await page.mouse.move(700, 899)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(screens, `${host}-${name}.png`), animations: 'disabled' })
  }
  const { page, path, agent } = await prepare(app)
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, '2-folder-and-editor')
  void agent.openDiff(path, proposed)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  await expect(button(review(page), 'Accept file')).toBeEnabled()
  await expect(review(page).locator('.gl-removed-word').first()).toBeVisible()
  await shot(page, '3-review-unified')
  await button(review(page), 'Side by side').click()
  await expect(page.locator('.gl-side-a')).toBeVisible()
  await shot(page, '4-review-side-by-side')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, '5-review-side-by-side-dark')
  await button(review(page), 'Side by side').click()
  await expect(page.locator('.gl-side-a')).toHaveCount(0)
  await shot(page, '6-review-unified-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await press(page, 'Accept change 1')
  await press(page, 'Reject change 2')
  await proposedText(page).getByText('reduce').click()
  await page.keyboard.press('End')
  await page.keyboard.insertText(' // all of them')
  await expect(review(page).getByText('Edited', { exact: true })).toBeVisible()
  await shot(page, '7-review-decided')
  await page.setViewportSize({ width: 800, height: 900 })
  await expect(review(page)).toBeVisible()
  await shot(page, '8-narrow')
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByRole('button', { name: /^Claude: / }).click()
  await expect(page.getByRole('region', { name: 'Connections' })).toBeVisible()
  await shot(page, '9-connections')
  await button(page, 'Settings').click()
  await expect(page.getByRole('region', { name: 'Settings' })).toBeVisible()
  await shot(page, '10-settings')
  await page.keyboard.press(`${mod}+W`)
  agent.kill()
  await expect(button(review(page), 'Keep as my change')).toBeVisible()
  await shot(page, '10-orphan')
  await page.keyboard.press(`${mod}+Shift+P`)
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await shot(page, '11-palette')
})

test('a screenshot of a window without a folder', { tag: '@long' }, async ({ app, host }) => {
  mkdirSync(screens, { recursive: true })
  await app.start([])
  await expect(button(app.page, 'Open a folder …')).toBeVisible()
  await app.page.screenshot({ path: join(screens, `${host}-1-empty.png`), animations: 'disabled' })
})
