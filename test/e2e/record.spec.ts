import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page, expect } from '@playwright/test'
import { type OpenApp, button, press, review, runCommand, test } from './open-app'
import { linesWith } from './thirty-lines'
import { root } from './running-host'

const before = linesWith([])
const proposed = linesWith([3, 15])

const record = (page: Page) => page.getByRole('region', { name: 'Record of writes' })
const entry = (page: Page, name: string) => record(page).getByRole('listitem', { name })

async function showRecord(page: Page): Promise<void> {
  await runCommand(page, 'Show the record of writes')
  await expect(record(page)).toBeVisible()
}

/** An agent has had one change accepted in part, and another one rejected. */
async function decide(app: OpenApp) {
  const path = app.write('list.txt', before)
  app.write('notes.txt', 'one\n')
  await app.start()
  const agent = await app.agent()
  const { page } = app
  const answer = agent.openDiff(path, proposed)
  await press(page, 'Reject change 2')
  await press(page, 'Accept file')
  const [, text = ''] = await answer
  writeFileSync(path, text)
  await expect(review(page)).toHaveCount(0)
  const other = agent.openDiff(app.path('notes.txt'), 'one\na needle in it\n')
  await press(page, 'Reject file')
  await other
  await expect(review(page)).toHaveCount(0)
  return { page, path, agent, written: text }
}

test('what was decided is found, compared, put back and reopened', async ({ app }) => {
  const { page, path, written } = await decide(app)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  await button(page, 'Record of writes').click()
  const accepted = entry(page, 'list.txt, Claude, Accepted')
  const rejected = entry(page, 'notes.txt, Claude, Rejected')
  await expect(record(page).getByRole('list', { name: 'Today' }).getByRole('listitem')).toHaveCount(2)

  const search = record(page).getByRole('searchbox', { name: 'Search the record' })
  await search.fill('needle')
  await expect(accepted).toHaveCount(0)
  await expect(rejected).toBeVisible()
  await search.fill('nowhere')
  await expect(record(page).getByText('Nothing on record has these words')).toBeVisible()
  await search.press('Escape')
  await expect(search).toHaveValue('')
  await expect(accepted).toBeVisible()

  await accepted.getByRole('button', { expanded: false }).click()
  await expect(accepted).toContainText('Written, but not as proposed.')
  await button(accepted, 'Show what was proposed for list.txt').click()
  const comparison = page.getByRole('region', { name: /^Comparison: / })
  await expect(comparison.getByText('2 changes', { exact: true })).toBeVisible()
  await button(accepted, 'Show what was written to list.txt').click()
  await expect(comparison.getByText('1 change', { exact: true })).toBeVisible()

  expect(readFileSync(path, 'utf8')).toBe(written)
  await button(accepted, 'Put back list.txt').press('Enter')
  await expect(accepted).toContainText('Taken back')
  expect(readFileSync(path, 'utf8')).toBe(before)
  // The button has gone, and the focus is still there.
  await expect(accepted.locator(':focus')).toHaveCount(1)
  await expect(button(accepted, 'Put back list.txt')).toHaveCount(0)

  await rejected.getByRole('button', { expanded: false }).click()
  await button(rejected, 'Reopen notes.txt').click()
  await expect(button(review(page), 'Keep as my change')).toBeVisible()
  await expect(rejected).toContainText('Taken back')
})

test('it is there after a restart, and a file that has changed since isn’t put back', async ({ app }) => {
  const { page: first, path } = await decide(app)
  await showRecord(first)
  await app.stop()
  await app.start()
  const { page } = app
  await showRecord(page)
  const accepted = entry(page, 'list.txt, Claude, Accepted')
  await accepted.getByRole('button', { expanded: false }).click()
  writeFileSync(path, 'mine\n')
  await button(accepted, 'Put back list.txt').click()
  await expect(record(page).getByRole('alert')).toContainText('has changed since')
  expect(readFileSync(path, 'utf8')).toBe('mine\n')
})

test('it is exported as JSON lines, with texts only if asked', { tag: '@long' }, async ({ app, host }) => {
  test.skip(host === 'electron', 'the shell asks where to save')
  const { page, path } = await decide(app)
  await showRecord(page)
  const lines = async (item: string) => {
    const coming = page.waitForEvent('download')
    await button(record(page), 'Export the record').click()
    await page.getByRole('menuitem', { name: item }).click()
    const file = await (await coming).path()
    const text = readFileSync(file, 'utf8')
    return { text, lines: text.trimEnd().split('\n') }
  }
  const plain = await lines('Without texts')
  expect(plain.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { path: app.path('notes.txt'), how: 'rejected', written: null },
    { path, how: 'accepted', by: { kind: 'person' } },
  ])
  expect(plain.text).not.toContain('needle')
  expect((await lines('With texts')).text).toContain('needle')
})

test('a screenshot of it', { tag: '@long' }, async ({ app, host }) => {
  const screens = join(root, 'test-results', 'screens')
  mkdirSync(screens, { recursive: true })
  const { page } = await decide(app)
  await showRecord(page)
  const accepted = entry(page, 'list.txt, Claude, Accepted')
  await accepted.getByRole('button', { expanded: false }).click()
  await button(accepted, 'Show what was written to list.txt').click()
  await expect(page.getByRole('region', { name: /^Comparison: / }).getByText('1 change')).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await page.mouse.move(700, 899)
    await page.screenshot({
      path: join(screens, `${host}-record-${colorScheme}.png`),
      animations: 'disabled',
    })
  }
  await page.setViewportSize({ width: 640, height: 800 })
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  await page.screenshot({ path: join(screens, `${host}-record-narrow.png`), animations: 'disabled' })
})
