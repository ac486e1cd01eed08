import type { Page } from '@playwright/test'
import { expect, test } from './harness'

/** Pictures of the page's main states, to be looked at; they prove nothing by themselves. */
const shot = (page: Page, name: string) => page.screenshot({ path: `.cache/page-shots/${name}.png` })

test('without a folder', async ({ open }) => {
  const page = await open('scene=empty')
  await page.getByRole('button', { name: 'Open a folder …' }).first().waitFor()
  await shot(page, 'empty')
  await page.getByRole('main').getByRole('button', { name: 'Open a folder …' }).click()
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await shot(page, 'folder-dialog')
})

for (const theme of ['light', 'dark', 'high-contrast'] as const) {
  test(`at work, ${theme}`, async ({ open }) => {
    const page = await open(`scene=work&theme=${theme}`)
    await page.getByRole('textbox', { name: 'Editor:' }).waitFor()
    await page.getByRole('treeitem', { name: 'thermostat.ts' }).waitFor()
    await page.getByText('Thermostat', { exact: false }).first().waitFor()
    await page.locator('.cm-line').nth(10).click()
    await page.waitForFunction(() => document.querySelector('.cm-line span') !== null)
    await shot(page, `work-${theme}`)
    await page.evaluate(() => window.host.openReview('r1'))
    await page.getByRole('region', { name: 'Review:' }).waitFor()
    await page.getByRole('button', { name: 'Reviews', exact: true }).click()
    await page.getByRole('button', { name: 'Connections panel' }).click()
    await page.getByRole('list', { name: 'Connected agents' }).waitFor()
    await page.mouse.move(700, 500)
    await shot(page, `review-${theme}`)
  })
}

test('with colours that the system forces', async ({ open }) => {
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.getByRole('textbox', { name: 'Editor:' }).click()
  await page.evaluate(() => window.host.openReview('r1'))
  await page.getByRole('region', { name: 'Review:' }).waitFor()
  await shot(page, 'forced-colors')
})

test('bars, dialogs and notices', async ({ open }) => {
  const page = await open('scene=work')
  await page.getByRole('textbox', { name: 'Editor:' }).click()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('heat')
  await page.getByText(/of \d|found/).waitFor()
  await page.getByRole('button', { name: 'Replace', exact: true }).first().click()
  await page.evaluate(() => {
    const { host } = window
    const [first] = host.tabs
    const path = first && 'path' in first ? first.path : ''
    host.setMeta(path, { disk: 'conflict', dirty: true })
    host.notify({
      kind: 'info',
      text: 'Claude accepted your correction and wrote thermostat.ts.',
      action: { kind: 'undo-review', label: 'Undo', review: 'r1' },
      passing: false,
    })
    host.notify({
      kind: 'warning',
      text: 'Claude writes without asking in this terminal. Start it with “ask before each change” to review first.',
      action: null,
      passing: false,
    })
    host.notify({
      kind: 'error',
      text: 'notes.txt could not be saved: the disk is full. Free some space and save again.',
      action: { kind: 'open-file', label: 'Open', path },
      passing: false,
    })
  })
  await page.getByText('the disk is full').first().waitFor()
  await shot(page, 'conflict-find-notices')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'thermostat.ts' }).click({ button: 'middle' })
  await page.getByRole('dialog').waitFor()
  await shot(page, 'close-dialog')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Shift+P')
  await page.getByRole('dialog', { name: 'Commands' }).waitFor()
  await shot(page, 'palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('F1')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await shot(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await page.getByRole('region', { name: 'Settings' }).waitFor()
  await shot(page, 'settings')
})

test('names that are hard to show', async ({ open }) => {
  const page = await open('scene=folder')
  for (const name of ['names', 'docs', 'many'])
    await page.getByRole('treeitem', { name, exact: true }).click()
  await page.getByRole('treeitem', { name: 'locked' }).click()
  await page.getByRole('treeitem', { name: 'blank' }).click()
  await page.getByRole('treeitem', { name: 'docs' }).scrollIntoViewIfNeeded()
  await page.getByText('You may not read this folder').waitFor()
  await page.keyboard.press('End')
  await page.locator('.file-tree').evaluate((tree) => (tree.scrollTop = 0))
  await shot(page, 'tree-top')
  await page.locator('.file-tree').evaluate((tree) => (tree.scrollTop = tree.scrollHeight))
  await page.getByRole('treeitem', { name: 'ملف عربي.txt' }).dblclick()
  await page.getByRole('treeitem', { name: /a name that is long/ }).dblclick()
  await page.getByRole('treeitem', { name: /line/ }).first().dblclick()
  await page.evaluate(() =>
    window.host.openFile(`${window.host.window.folders[0]?.path}/docs/mixed-line-ends.txt`, false),
  )
  await page.getByRole('textbox', { name: /mixed/ }).waitFor()
  await shot(page, 'hard-names')
})

test('narrow, and a terminal at the right', async ({ open }) => {
  const page = await open('scene=work')
  await page.getByRole('textbox', { name: 'Editor:' }).waitFor()
  await page.evaluate(() => {
    window.host.settings.terminalPosition = 'right'
    window.host.emit('settings', { terminalPosition: 'right' })
  })
  const beside = (name: string) => page.locator(`#${name}`).evaluate((pane) => pane.getBoundingClientRect().x)
  await expect.poll(() => beside('terminals')).toBeGreaterThan(700)
  await shot(page, 'terminal-right')
  await page.setViewportSize({ width: 700, height: 500 })
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await shot(page, 'narrow-main')
  await page.getByRole('button', { name: 'Files and reviews' }).click()
  await shot(page, 'narrow-side')
  await page.getByRole('button', { name: 'Terminals' }).click()
  await shot(page, 'narrow-terminal')
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.getByRole('tree', { name: 'Files' }).waitFor()
  await expect.poll(() => beside('terminals')).toBeGreaterThan(700)
  await shot(page, 'wide-again')
})

test('states of a file and of the link', async ({ open }) => {
  const page = await open('scene=folder')
  await page.getByRole('tree', { name: 'Files' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length > 3)
  await shot(page, 'folder')
  await page.evaluate(() =>
    window.host.openFile(`${window.host.window.folders[0]?.path}/docs/picture.png`, false),
  )
  await page.getByText('This isn’t a text file').waitFor()
  await page.evaluate(() => window.host.openFile('/somewhere/gone.txt', false))
  await page.getByText('was deleted').waitFor()
  await page.evaluate(() => window.link.cut())
  await page.getByText('Connection to Greenlight lost').waitFor()
  await shot(page, 'lost')
  await page.evaluate(() => window.link.restore())
  await page.getByText('Connection to Greenlight lost').waitFor({ state: 'detached' })
  await page.evaluate(() => window.link.takeAway())
  await page.getByRole('button', { name: 'Use here' }).waitFor()
  await shot(page, 'elsewhere')
  await page.getByRole('button', { name: 'Use here' }).click()
  await page.getByRole('button', { name: 'Use here' }).waitFor({ state: 'detached' })
})
