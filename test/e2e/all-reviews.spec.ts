import { writeFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import { button, press, review, tab, test, type OpenApp } from './open-app'
import { linesWith } from './thirty-lines'

const proposed = linesWith([3, 15])

const all = (page: Page): Locator => page.getByRole('region', { name: 'All reviews' })
const cards = (page: Page): Locator => all(page).getByRole('region', { name: /^Review: / })
const card = (app: OpenApp, name: string): Locator =>
  all(app.page).getByRole('region', { name: `Review: ${app.path(name)}`, exact: true })

/**
 * Brings a card into sight, and presses a button of it when it may be pressed. A card that moves at that moment refuses
 * the press, as it should: then it is pressed again, until something has come of it.
 */
async function pressOn(found: Locator, name: string, outcome: () => Promise<void>): Promise<void> {
  const pressed = button(found, name)
  await expect(async () => {
    if (await found.isVisible())
      await found.evaluate((element) => element.scrollIntoView(), undefined, { timeout: 5000 })
    // It is gone once a press has counted, however late that is seen.
    if (await pressed.isVisible()) await pressed.click({ timeout: 5000 })
    await outcome()
  }).toPass()
}

/** Three files, and an agent that asks for two changes in each, one after the other. */
async function askThree(app: OpenApp) {
  const names = ['one.txt', 'two.txt', 'three.txt']
  const paths = names.map((name) => app.write(name, linesWith([])))
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const answers: Promise<string[]>[] = []
  for (const [index, path] of paths.entries()) {
    answers.push(agent.openDiff(path, proposed))
    await expect(tab(page, names[index] ?? '')).toBeVisible()
  }
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Reviews' }).click()
  await button(page, 'Review all files').click()
  await expect(cards(page)).toHaveCount(3)
  return { page, agent, paths, answers }
}

test('all reviews in one scroll: decided change by change, marked as viewed, accepted', async ({ app }) => {
  const { page, paths, answers } = await askThree(app)
  await expect(all(page).getByRole('heading', { name: '3 files · +6 −6' })).toBeVisible()
  await expect(all(page).getByRole('heading', { level: 3 })).toHaveText(['one.txt', 'two.txt', 'three.txt'])

  const accept = button(card(app, 'one.txt'), 'Accept file')
  await pressOn(card(app, 'one.txt'), 'Reject change 1', () =>
    expect(accept).toContainText('1 of 2 changes', { timeout: 2000 }),
  )
  await expect(button(card(app, 'two.txt'), 'Accept file')).toContainText('2 changes')
  const undo = button(card(app, 'two.txt'), 'Undo change 2')
  await pressOn(card(app, 'two.txt'), 'Accept change 2', () => expect(undo).toBeVisible({ timeout: 2000 }))

  const viewed = card(app, 'two.txt').getByRole('checkbox', { name: 'Viewed two.txt' })
  await viewed.click()
  await expect(viewed).toBeChecked()
  await expect(card(app, 'two.txt').getByText('LINE 3', { exact: true })).toBeHidden()
  await button(card(app, 'two.txt'), 'Unfold two.txt').click()
  await expect(card(app, 'two.txt').getByText('LINE 3', { exact: true })).toBeVisible()
  await expect(viewed).toBeChecked()

  const waiting = card(app, 'one.txt').getByText(
    /Waiting for .* to write it|Accepted, but .* hasn’t written it/,
  )
  await pressOn(card(app, 'one.txt'), 'Accept file', () => expect(waiting).toBeVisible({ timeout: 2000 }))
  expect(await answers[0]).toEqual(['FILE_SAVED', linesWith([15])])
  writeFileSync(paths[0] ?? '', linesWith([15]))
  await expect(cards(page)).toHaveCount(2)
  await expect(all(page).getByRole('heading', { name: '2 files · +4 −4' })).toBeVisible()
  // The cards that remain have moved; each can be decided once it has stood still for a while.
  await pressOn(card(app, 'three.txt'), 'Reject file', () =>
    expect(card(app, 'three.txt')).toHaveCount(0, { timeout: 2000 }),
  )
  expect((await answers[2])?.[0]).toBe('DIFF_REJECTED')

  // Closing it decides nothing: the last one still asks, in its own tab, with what was decided.
  await tab(page, 'Reviews').click({ button: 'middle' })
  await expect(all(page)).toHaveCount(0)
  await tab(page, 'two.txt').click()
  await expect(review(page).getByText('Accepted', { exact: true })).toBeVisible()
  await press(page, 'Accept file')
  expect(await answers[1]).toEqual(['FILE_SAVED', proposed])
})

test(
  'marks outlive a reload; all are accepted from the head of the scroll',
  { tag: '@long' },
  async ({ app }) => {
    const { page, answers } = await askThree(app)
    await card(app, 'one.txt').getByRole('checkbox', { name: 'Viewed one.txt' }).click()
    await expect(all(page).getByText('1 of 3 viewed')).toBeVisible()
    await page.reload()
    await expect(card(app, 'one.txt').getByRole('checkbox', { name: 'Viewed one.txt' })).toBeChecked()
    await expect(card(app, 'two.txt').getByRole('checkbox', { name: 'Viewed two.txt' })).not.toBeChecked()
    // Where all reviews are shown, so are the buttons for all of them, and nowhere else.
    await expect(button(page, 'Accept all')).toHaveCount(1)
    await button(all(page), 'Accept all').click()
    await button(all(page), 'Accept 3 files').click()
    for (const answer of answers) expect(await answer).toEqual(['FILE_SAVED', proposed])
  },
)
