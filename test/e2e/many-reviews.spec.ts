import { writeFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { button, notices, type OpenApp, openShell, review, tab, terminalInput, test } from './open-app'
import { linesWith } from './thirty-lines'

const proposed = linesWith([3, 15])
const names = Array.from({ length: 25 }, (_, index) => `f${String(index + 1).padStart(2, '0')}.txt`)

const tabs = (page: Page) => page.getByRole('tablist', { name: 'Open files and reviews' }).getByRole('tab')

/** Twenty-five files, and an agent that asks for a change of each and writes what is accepted. */
async function askMany(app: OpenApp, files: readonly string[] = names) {
  for (const name of files) app.write(name, linesWith([]))
  await app.start()
  const { page } = app
  await openShell(page)
  const agent = await app.agent()
  const answers: Promise<string[]>[] = []
  for (const [index, name] of files.entries()) {
    const path = app.path(name)
    answers.push(
      agent.openDiff(path, proposed).then((answer) => {
        if (answer[0] === 'FILE_SAVED') writeFileSync(path, answer[1] ?? '')
        return answer
      }),
    )
    // The order of those that are asked at the same moment is nobody's.
    await expect(page).toHaveTitle(new RegExp(`^\\(${index + 1}\\) `))
  }
  return { page, answers }
}

test('from the fourth on reviews stand in one tab, and the list leads to their cards', async ({
  app,
}, info) => {
  const { page } = await askMany(app)
  await expect(tabs(page)).toHaveText(['f01.txt', 'f02.txt', 'f03.txt', 'Reviews'])
  await expect(review(page)).toHaveAccessibleName(`Review: ${app.path('f01.txt')}`)
  await expect(terminalInput(page)).toBeFocused()
  await page.screenshot({ path: info.outputPath('twenty-five.png') })

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  const list = page.getByRole('list', { name: 'Pending reviews' })
  await button(list, 'f20.txt, Claude').click()
  const card = (name: string) =>
    page
      .getByRole('region', { name: 'All reviews' })
      .getByRole('region', { name: `Review: ${app.path(name)}`, exact: true })
  await expect(card('f20.txt')).toBeFocused()
  await expect(card('f20.txt')).toBeInViewport()
  await expect(button(card('f20.txt'), 'Accept file')).toBeEnabled()
  await button(list, 'f02.txt, Claude').click()
  await expect(card('f02.txt')).toBeFocused()
  await expect(card('f02.txt')).toBeInViewport()
  await page.screenshot({ path: info.outputPath('card.png') })

  // Its own tab is there as well; the keys that its buttons name do what they say.
  await tab(page, 'f03.txt').click()
  await expect(page.getByRole('textbox', { name: `Proposed text of ${app.path('f03.txt')}` })).toBeFocused()
})

test('of many that come at the same moment one comes to the front, and stays there', async ({ app }) => {
  for (const name of names) app.write(name, linesWith([]))
  await app.start()
  const { page } = app
  await page.getByRole('treeitem', { name: 'hello.txt' }).dblclick()
  await expect(tab(page, 'hello.txt')).toBeVisible()
  await openShell(page)
  const agent = await app.agent()
  // Which tabs have been in front, from the first to the last.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      const shown = document
        .querySelector('main [role="tab"][aria-selected="true"]')
        ?.getAttribute('aria-label')
      if (shown && shown !== seen.at(-1)) seen.push(shown)
    }
    look()
    const main = document.querySelector('main')
    if (main) new MutationObserver(look).observe(main, { subtree: true, childList: true, attributes: true })
  })
  for (const name of names) void agent.openDiff(app.path(name), proposed)
  await expect(page).toHaveTitle(/^\(25\) /)
  await expect(tab(page, 'Reviews')).toBeVisible()
  await expect(review(page)).toHaveCount(1)
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen).toHaveLength(2)
  expect(seen).toEqual(['hello.txt', expect.stringMatching(/^f\d\d\.txt$/)])
})

test('all are accepted at once: one notice, which undoes all of it and lies over no terminal', async ({
  app,
}, info) => {
  const { page, answers } = await askMany(app)
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  await button(page, 'Accept all').click()
  await button(page, 'Accept 25 files').click()
  for (const answer of answers) expect(await answer).toEqual(['FILE_SAVED', proposed])
  // What had the focus is gone: the part of the window around it has it.
  await expect(page.locator('[data-pane="side"]:focus')).toBeAttached()
  const told = notices(page).getByText('25 files accepted and written.')
  // It goes by itself, but not while it is pointed at.
  await told.hover()
  await expect(button(notices(page), 'Dismiss')).toHaveCount(1)
  await page.screenshot({ path: info.outputPath('batch.png') })
  const [box, terminal] = [
    await notices(page).boundingBox(),
    await page.getByRole('region', { name: /^Terminal: / }).boundingBox(),
  ]
  if (!box || !terminal) throw new Error('the notice and the terminal are both seen')
  expect(box.y + box.height).toBeLessThanOrEqual(terminal.y)
  await button(notices(page), 'Undo all').click()
  await expect.poll(() => names.filter((name) => app.read(name) === linesWith([])).length).toBe(25)
  await expect(notices(page).getByText('Put back 25 files.')).toBeVisible()
})

test(
  'tabs of one name say their folders, and a menu has those that the strip cannot show',
  { tag: '@long' },
  async ({ app }, info) => {
    const files = ['one/index.ts', 'two/index.ts', ...names.slice(0, 14)]
    for (const name of files) app.write(name, 'text\n')
    await app.start()
    const { page } = app
    for (const folder of ['one', 'two'])
      await page.getByRole('treeitem', { name: folder, exact: true }).click()
    const items = page.getByRole('treeitem', { name: /^(index\.ts|f\d\d\.txt)$/ })
    await expect(items).toHaveCount(files.length)
    for (const item of await items.all()) await item.dblclick()
    // Where the last one's editor takes the focus, a menu would shut.
    await expect(page.getByRole('textbox', { name: `Editor: ${app.path('f14.txt')}` })).toBeFocused()
    await expect(tab(page, 'index.ts one')).toBeAttached()
    await expect(tab(page, 'index.ts two')).toBeAttached()
    await button(page, 'All tabs').click()
    await page.screenshot({ path: info.outputPath('all-tabs.png') })
    await page.getByRole('menuitem', { name: 'f02.txt' }).click()
    await expect(tab(page, 'f02.txt')).toHaveAttribute('aria-selected', 'true')
    await expect(tab(page, 'f02.txt')).toBeInViewport()
    await expect(page.getByRole('textbox', { name: `Editor: ${app.path('f02.txt')}` })).toBeFocused()
  },
)
