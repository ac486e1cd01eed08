import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { button, notices, type OpenApp, runCommand, test } from './open-app'

const bar = (page: Page) => page.getByRole('region', { name: 'Trust', exact: true })
const status = (page: Page) => page.getByRole('contentinfo', { name: 'Status' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Trusted folders' })
/** What is kept, by the end of each path. */
function kept(app: OpenApp): [path: string, mayRun: boolean][] {
  const file = join(app.place.data, 'trusted-folders.json')
  if (!existsSync(file)) return []
  const { folders } = JSON.parse(readFileSync(file, 'utf8')) as {
    folders: { path: string; mayRun: boolean }[]
  }
  return folders.map(({ path, mayRun }) => [path.slice(app.place.base.length), mayRun])
}

async function listTrusted(page: Page): Promise<void> {
  await runCommand(page, 'Trusted folders')
  // Enter once more would trust nothing.
  await expect(button(dialog(page), 'Done')).toBeFocused()
}

test('a new folder is asked about once; what was declined is said, can be changed and taken back', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  await expect(bar(page)).toContainText(app.path('').replace(/\/$/, ''))
  // It takes no focus, and Tab does not come to it before the files.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  const trusts = button(bar(page), 'Trust this folder')
  const isBehind = await trusts.evaluate((element) => {
    const tree = document.querySelector('[role="tree"]')
    return tree !== null && (tree.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  })
  expect(isBehind).toBe(true)
  const [above, below] = [await bar(page).boundingBox(), await page.getByRole('tree').boundingBox()]
  expect(above?.y).toBe(0)
  expect(below?.y ?? 0).toBeGreaterThanOrEqual(above?.height ?? Infinity)

  const declines = button(bar(page), 'Not now')
  await expect(declines).not.toHaveAttribute('aria-disabled', 'true')
  await declines.click()
  await expect(bar(page)).toBeHidden()
  await expect(notices(page)).toContainText('Conversations, hooks and MCP servers stay off in project.')
  await expect.poll(() => kept(app)).toEqual([['/project', false]])

  await app.crashAndStart()
  await expect(button(status(app.page), 'not trusted')).toBeVisible()
  await expect(bar(app.page)).toBeHidden()
  await button(status(app.page), 'not trusted').click()
  await app.page.getByRole('menuitem', { name: 'Trust project' }).click()
  await expect(button(status(app.page), 'not trusted')).toBeHidden()
  await expect.poll(() => kept(app)).toEqual([['/project', true]])

  await listTrusted(app.page)
  await button(dialog(app.page), `Stop trusting ${app.place.project}`).click()
  await expect(button(dialog(app.page), `Trust ${app.place.project}`)).toBeVisible()
  await button(dialog(app.page), 'Done').click()
  // It is not asked about again.
  await expect(button(status(app.page), 'not trusted')).toBeVisible()
  await expect(bar(app.page)).toBeHidden()
  await expect.poll(() => kept(app)).toEqual([['/project', false]])
})

test('a press that began before the bar could be read trusts nothing', async ({ app }) => {
  await app.start()
  // Whoever presses where the bar comes up, in the moment it does.
  await app.page.addInitScript(() => {
    const seeing = new MutationObserver(() => {
      const trusts = document.querySelector('.asking-bar button')
      if (!trusts) return
      seeing.disconnect()
      trusts.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      trusts.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
      document.documentElement.dataset['pressed'] = 'yes'
    })
    seeing.observe(document, { childList: true, subtree: true })
  })
  await app.reload()
  const { page } = app
  await expect(page.locator('html')).toHaveAttribute('data-pressed', 'yes')
  const trusts = button(bar(page), 'Trust this folder')
  await expect(trusts).not.toHaveAttribute('aria-disabled', 'true')
  await trusts.click()
  await expect(bar(page)).toBeHidden()
  await expect.poll(() => kept(app)).toEqual([['/project', true]])
})

test('what lies in a trusted folder is trusted; another one is asked about', async ({ app }) => {
  const within = join(app.place.project, 'within')
  const other = join(app.place.base, 'other')
  for (const folder of [within, other]) mkdirSync(folder)
  await app.start([app.place.project, other])
  const { page } = app
  const trusts = button(bar(page), 'Trust this folder')
  await expect(bar(page)).toContainText(app.place.project)
  await expect(button(status(page), '2 folders not trusted')).toBeVisible()
  await expect(trusts).not.toHaveAttribute('aria-disabled', 'true')
  await trusts.click()
  await expect(bar(page)).toContainText(other)
  await expect(button(status(page), '1 folder not trusted')).toBeVisible()
  await app.stop()
  await app.start([within])
  await expect(app.page.getByRole('tree', { name: 'Files' })).toBeVisible()
  await expect(status(app.page)).not.toContainText('not trusted')
})

test('no conversation is begun before the folder is trusted, and it is said what can be done', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  await runCommand(page, 'New conversation')
  const form = page.getByRole('dialog', { name: 'New conversation' })
  await expect(form.getByRole('alert')).toContainText(`${app.place.project} isn’t trusted`)
  await expect(form.getByRole('alert')).toContainText('Trust it in the status bar of its window')
  await expect(button(form, 'Start conversation')).toBeDisabled()
  await page.keyboard.press('Escape')
  await button(status(page), 'not trusted').click()
  await page.getByRole('menuitem', { name: 'Trust project' }).click()
  await expect(bar(page)).toBeHidden()
  await runCommand(page, 'New conversation')
  await expect(form.getByRole('combobox', { name: 'Permission mode' })).toBeVisible()
  await expect(form).not.toContainText('isn’t trusted')
})

test('the folder of the tour is trusted', { tag: '@long' }, async ({ app }) => {
  await app.start([])
  await button(app.page, 'Take the tour').click()
  await expect(app.page.getByRole('treeitem', { name: 'watering.js' })).toBeVisible()
  await expect(status(app.page)).not.toContainText('not trusted')
  await expect(bar(app.page)).toBeHidden()
})
