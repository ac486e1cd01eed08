import type { Locator, Page } from '@playwright/test'
import { expect, test } from './harness'

const all = (page: Page): Locator => page.getByRole('region', { name: 'All reviews' })
const card = (page: Page, name: string): Locator =>
  all(page).getByRole('region', { name: `Review: /home/ada/project/${name}`, exact: true })
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const calls = (page: Page) => page.evaluate(() => window.reviewHost.calls)

async function ready(found: Locator): Promise<void> {
  await expect(button(found, 'Accept file')).toBeEnabled()
}

test('cards in order, each with its heading, as high as its text', async ({ open }) => {
  const page = await open('state=three&all')
  await expect(all(page).getByRole('heading', { level: 2 })).toHaveText('3 files · +6 −6')
  await expect(all(page).getByRole('heading', { level: 3 })).toHaveText(['one.txt', 'two.txt', 'three.txt'])
  await ready(card(page, 'one.txt'))
  const isWhole = await card(page, 'one.txt')
    .locator('.gl-review-text')
    .evaluate((text) => text.scrollHeight <= text.clientHeight + 1)
  expect(isWhole).toBe(true)
})

test('one filled button: the card that the person works in, then the one that takes its place', async ({
  open,
}) => {
  const page = await open('state=three&all')
  const filled = all(page).locator('.button-primary')
  await ready(card(page, 'one.txt'))
  await expect(filled).toHaveCount(1)
  await expect(card(page, 'one.txt').locator('.button-primary')).toHaveCount(1)
  await button(card(page, 'two.txt'), 'Fold two.txt').click()
  await expect(filled).toHaveCount(1)
  await expect(card(page, 'two.txt').locator('.button-primary')).toHaveCount(1)
  await page.evaluate(() => window.reviewHost.close('r2', 'Withdrawn.'))
  await expect(card(page, 'three.txt').locator('.button-primary')).toHaveCount(1)
  await expect(filled).toHaveCount(1)
})

test('whoever presses another card while a decision is on its way stays there', async ({ open }) => {
  const page = await open('state=three&all')
  await ready(card(page, 'one.txt'))
  await page.evaluate(() => (window.reviewHost.delay = 500))
  await button(card(page, 'one.txt'), 'Reject file').click()
  await button(card(page, 'three.txt'), 'Fold three.txt').click()
  await expect(card(page, 'one.txt')).toHaveCount(0)
  await expect(all(page).locator('.button-primary')).toHaveCount(1)
  await expect(card(page, 'three.txt').locator('.button-primary')).toHaveCount(1)
})

test('the cards that remain can be decided after one has gone', async ({ open }) => {
  const page = await open('state=three&all')
  await ready(card(page, 'two.txt'))
  await page.evaluate(() => window.reviewHost.close('r1', 'Withdrawn.'))
  await expect(card(page, 'one.txt')).toHaveCount(0)
  for (const name of ['two.txt', 'three.txt']) {
    await card(page, name).evaluate((found) => found.scrollIntoView())
    await ready(card(page, name))
    await button(card(page, name), 'Reject file').click()
    await expect(card(page, name)).toHaveCount(0)
  }
  expect((await calls(page)).map(({ name }) => name)).toEqual(['review.reject', 'review.reject'])
})

/** Takes a review away, and presses what has come under the pointer at once, before the page has drawn a frame. */
async function pressWhatComes(page: Page, gone: string, at: { x: number; y: number }, name: string) {
  return page.evaluate(
    ([id, x, y, wanted]) =>
      new Promise<string>((resolve) => {
        const list = document.querySelector('.gl-cards')
        if (!list) throw new Error('there are no cards')
        const press = () => {
          const target = document.elementFromPoint(x, y)?.closest('button')
          if (target?.getAttribute('aria-label') !== wanted) return
          seeing.disconnect()
          const at = { bubbles: true, cancelable: true, clientX: x, clientY: y, detail: 1 }
          target.dispatchEvent(new PointerEvent('pointerdown', at))
          target.dispatchEvent(new MouseEvent('click', at))
          const card = target.closest('[aria-label^="Review: "]')
          resolve(card?.getAttribute('aria-label') ?? '')
        }
        const seeing = new MutationObserver(press)
        seeing.observe(list, { childList: true })
        window.reviewHost.close(id, 'Withdrawn.')
      }),
    [gone, at.x, at.y, name] as const,
  )
}

test('a button that has come under the pointer cannot be pressed at once, and can later', async ({
  open,
}) => {
  const page = await open('state=three&all')
  await ready(card(page, 'one.txt'))
  await ready(card(page, 'two.txt'))
  const box = await button(card(page, 'one.txt'), 'Reject file').boundingBox()
  if (!box) throw new Error('the button has no place')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const pressed = await pressWhatComes(page, 'r1', at, 'Reject file')
  expect(pressed).toBe('Review: /home/ada/project/two.txt')
  // Nothing was decided, for the card below waits.
  expect(await calls(page)).toEqual([])
  await ready(card(page, 'two.txt'))
  await page.mouse.click(at.x, at.y)
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.reject', params: { id: 'r2' } }])
})

test('a card that slides down because the list became shorter is not pressed at once either', async ({
  open,
}) => {
  const page = await open('state=three&all')
  await page.setViewportSize({ width: 1280, height: 500 })
  await ready(card(page, 'one.txt'))
  await button(card(page, 'two.txt'), 'Fold two.txt').click()
  await card(page, 'two.txt').evaluate((found) => found.scrollIntoView())
  await ready(card(page, 'two.txt'))
  const [before, after, isWaiting] = await page.evaluate(
    () =>
      new Promise<[number, number, boolean]>((resolve) => {
        const list = document.querySelector('.gl-cards')
        const two = list?.querySelector('[aria-label$="/two.txt"]')
        if (!list || !two) throw new Error('there is no card')
        const top = two.getBoundingClientRect().top
        const seeing = new MutationObserver(() => {
          seeing.disconnect()
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              const button = two.querySelector('[aria-label="Reject file"]')
              const isDisabled = button?.getAttribute('aria-disabled') === 'true'
              resolve([top, two.getBoundingClientRect().top, isDisabled])
            }),
          )
        })
        seeing.observe(list, { childList: true })
        window.reviewHost.close('r3', 'Withdrawn.')
      }),
  )
  expect(after).toBeGreaterThan(before)
  expect(isWaiting).toBe(true)
  await ready(card(page, 'two.txt'))
})

test('a mark folds a card, is kept by the host, and ends when the file changes below', async ({ open }) => {
  const page = await open('state=three&all')
  const mark = card(page, 'one.txt').getByRole('checkbox', { name: 'Viewed one.txt' })
  await expect(card(page, 'one.txt').getByText('LINE 3', { exact: true })).toBeVisible()
  await mark.click()
  await expect(mark).toBeChecked()
  await expect(all(page).getByText('1 of 3 viewed')).toBeVisible()
  await expect(card(page, 'one.txt').getByText('LINE 3', { exact: true })).toBeHidden()
  await expect
    .poll(() => page.evaluate(() => window.reviewHost.layout['reviews.viewed']))
    .toEqual({ r1: '1000001 fresh' })
  await button(card(page, 'one.txt'), 'Unfold one.txt').click()
  await expect(card(page, 'one.txt').getByText('LINE 3', { exact: true })).toBeVisible()
  await expect(mark).toBeChecked()
  await page.evaluate(() => window.reviewHost.change('r1', { isStale: true }))
  await expect(mark).not.toBeChecked()
})

test('the focus stays in the scroll when a card goes away with it, and in no card', async ({ open }) => {
  const page = await open('state=three&all')
  await button(card(page, 'two.txt'), 'Fold two.txt').focus()
  await page.evaluate(() => window.reviewHost.close('r2', 'Withdrawn.'))
  await expect(card(page, 'two.txt')).toHaveCount(0)
  await expect(all(page)).toBeFocused()
  await page.keyboard.press('Control+Enter')
  expect(await calls(page)).toEqual([])
})

test('by keyboard: keys act on the card with the focus, then on the next; after the last the focus goes back', async ({
  open,
}) => {
  const page = await open('state=three&all')
  const terminal = page.getByRole('textbox', { name: 'Terminal' })
  await ready(card(page, 'two.txt'))
  await terminal.focus()
  await card(page, 'two.txt').focus()
  await page.keyboard.press('F7')
  await page.keyboard.press('Control+Shift+Y')
  await expect(card(page, 'two.txt').getByText('Accepted', { exact: true })).toBeVisible()
  // The one below, although the first has waited longer; what is pressed at once does not decide it.
  await card(page, 'three.txt').evaluate((found) =>
    found.addEventListener(
      'focus',
      () => {
        const enter = { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
        found.dispatchEvent(new KeyboardEvent('keydown', enter))
      },
      { once: true },
    ),
  )
  await page.keyboard.press('Control+Shift+Backspace')
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.reject', params: { id: 'r2' } }])
  await expect(card(page, 'three.txt')).toBeFocused()
  await ready(card(page, 'three.txt'))
  await page.keyboard.press('Control+Enter')
  await expect(card(page, 'one.txt')).toBeFocused()
  await ready(card(page, 'one.txt'))
  await page.keyboard.press('Control+Enter')
  await expect(terminal).toBeFocused()
  expect((await calls(page)).map(({ params }) => params)).toMatchObject([
    { id: 'r2' },
    { id: 'r3' },
    { id: 'r1' },
  ])
})

test('after a decision by mouse the focus goes back where it was, and the next card is the current one', async ({
  open,
}) => {
  const page = await open('state=three&all')
  const terminal = page.getByRole('textbox', { name: 'Terminal' })
  await ready(card(page, 'two.txt'))
  await terminal.focus()
  await button(card(page, 'two.txt'), 'Reject file').click()
  await expect(card(page, 'two.txt')).toHaveCount(0)
  await expect(terminal).toBeFocused()
  await expect(card(page, 'three.txt').locator('.button-primary')).toHaveCount(1)
})

test('a thousand reviews: only those near what is visible have texts, and what was worked in is kept', async ({
  open,
}) => {
  const page = await open('state=many&all')
  const texts = all(page).locator('.cm-editor')
  await ready(card(page, 'src/part-0/file-0.txt'))
  await expect(all(page).getByRole('heading', { level: 2 })).toHaveText(/^1\u202f000 files/)
  expect(await texts.count()).toBeLessThan(12)
  await button(card(page, 'src/part-1/file-1.txt'), 'Accept change 1').click()
  await expect(card(page, 'src/part-1/file-1.txt').getByText('Accepted', { exact: true })).toBeVisible()
  for (const i of [500, 999]) {
    const there = card(page, `src/part-${i % 10}/file-${i}.txt`)
    await there.evaluate((found) => found.scrollIntoView())
    await ready(there)
    await expect.poll(() => texts.count()).toBeLessThan(16)
    const { top, bottom } = await there.evaluate((found) => found.getBoundingClientRect())
    expect(top < 860 && bottom > 0).toBe(true)
  }
  const worked = card(page, 'src/part-1/file-1.txt')
  await expect(worked.locator('.cm-editor')).toHaveCount(1)
  await worked.evaluate((found) => found.scrollIntoView())
  await worked.getByRole('button', { name: 'Undo change 1' }).click()
  await expect(button(worked, 'Accept change 1')).toBeVisible()
})

test('several command lines of one agent are told apart in the list', async ({ open }) => {
  const page = await open('state=two-clis')
  const items = page.getByRole('list', { name: 'Pending reviews' }).getByRole('listitem')
  await expect(items).toHaveCount(3)
  await expect(items.nth(0)).toContainText('Claude, in “Claude Code”')
  await expect(items.nth(1)).toContainText('Queued, 2nd in line')
  await expect(items.nth(1)).toContainText('Claude, in “Claude Code 2”')
  await expect(items.nth(2)).toContainText('Queued, 3rd in line')
  await expect(items.nth(2)).toContainText('Claude, pid 4713')
  await expect(items.nth(2)).toHaveAccessibleName('one.txt, Claude')
})
