import type { Locator, Page } from '@playwright/test'
import { expect, test } from './harness'

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'
const proposed = 'one\n2\nthree\nfour\n5\nsix\n7\n'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const region = (page: Page) => page.getByRole('region', { name: /^Review: / })
const editor = (page: Page) => page.getByRole('textbox', { name: /^Proposed text of / })
const result = (page: Page) => page.evaluate(() => window.reviewHost.result('r1'))
const reference = (page: Page) => page.evaluate(() => window.reviewHost.reference('r1'))
const calls = (page: Page) => page.evaluate(() => window.reviewHost.calls)
const status = (page: Page) => page.getByRole('status')

/** Holds the page's clock, so that a busy machine changes nothing about what passes within 400 ms. */
async function holdClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 60_000)
}

/** Waits until the review may be decided. */
async function ready(page: Page): Promise<void> {
  await expect(button(page, 'Reject file')).not.toHaveAttribute('aria-disabled', 'true')
}

async function typeAfter(page: Page, text: string, typed: string): Promise<void> {
  await page
    .locator('.cm-line', { hasText: new RegExp(`^${text}$`) })
    .first()
    .click()
  await page.keyboard.press('End')
  await page.keyboard.type(typed)
}

test('accepts, rejects and edits by mouse, and undoes each', async ({ open }) => {
  const page = await open('state=small')
  await button(page, 'Accept change 1').click()
  await expect(page.getByText('Accepted', { exact: true })).toBeVisible()
  await expect.poll(() => reference(page)).toBe('one\n2\nthree\nfour\nfive\nsix\nseven\n')
  expect(await result(page)).toBe(proposed)

  await button(page, 'Reject change 2').click()
  await expect.poll(() => result(page)).toBe('one\n2\nthree\nfour\nfive\nsix\n7\n')
  await expect(button(page, 'Accept file')).toContainText('2 of 3 changes')

  await typeAfter(page, '7', '!')
  await expect.poll(() => result(page)).toBe('one\n2\nthree\nfour\nfive\nsix\n7!\n')
  await expect(page.getByText('Edited', { exact: true })).toBeVisible()

  await button(page, 'Undo change 2').click()
  await expect.poll(() => result(page)).toBe('one\n2\nthree\nfour\n5\nsix\n7!\n')
  await button(page, 'Undo change 1').click()
  await expect.poll(() => reference(page)).toBe(base)

  await button(page, 'Accept file').click()
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.accept', params: { id: 'r1' } }])
  expect(await result(page)).toBe('one\n2\nthree\nfour\n5\nsix\n7!\n')
})

test('decides by keyboard and goes on to the next change', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await editor(page).focus()
  await page.keyboard.press('F7')
  await expect(page.getByText('1 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+Y')
  await expect(status(page)).toHaveText(/Change 1 accepted. 2 changes left/)
  await expect(page.getByText('2 of 3', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+Shift+D')
  await expect.poll(() => result(page)).toBe('one\n2\nthree\nfour\nfive\nsix\n7\n')
  await page.keyboard.press('Shift+F7')
  await page.keyboard.press('F7')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.accept' }])
})

test('decides the first change by the first key, if it is in sight', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await editor(page).focus()
  await page.keyboard.press('Control+Shift+Y')
  await expect(status(page)).toHaveText(/Change 1 accepted. 2 changes left/)
  await expect(page.getByText('2 of 3', { exact: true })).toBeVisible()

  // Scrolled away, it is shown first.
  await page.goto(page.url().replace('small', 'thousand'))
  await ready(page)
  await editor(page).focus()
  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 20_000)
  await expect(button(page, 'Accept change 1')).toBeHidden()
  await page.keyboard.press('Control+Shift+Y')
  await expect(status(page)).toHaveText(/Change 1 of/)
  await expect(button(page, 'Accept change 1')).toBeVisible()
})

test('rejects the file by keyboard', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await editor(page).focus()
  await page.keyboard.press('Control+Shift+Backspace')
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.reject' }])
})

test('works its buttons by keyboard, and the focus stays at the change', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await button(page, 'Reject change 2').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => result(page)).toBe('one\n2\nthree\nfour\nfive\nsix\n7\n')
  await expect(button(page, 'Undo change 2')).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect.poll(() => result(page)).toBe(proposed)
  await expect(button(page, 'Accept change 2')).toBeVisible()
})

test('undoes and redoes decisions and typing in one history', async ({ open }) => {
  const page = await open('state=small')
  await typeAfter(page, '2', 'x')
  await button(page, 'Accept change 2').click()
  await button(page, 'Reject change 3').click()
  await expect.poll(() => result(page)).toBe('one\n2x\nthree\nfour\n5\nsix\nseven\n')
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expect.poll(() => result(page)).toBe('one\n2x\nthree\nfour\n5\nsix\n7\n')
  await page.keyboard.press('Control+z')
  await expect.poll(() => reference(page)).toBe(base)
  await page.keyboard.press('Control+z')
  await expect.poll(() => result(page)).toBe(proposed)
  for (let i = 0; i < 3; i++) await page.keyboard.press('Control+y')
  await expect.poll(() => result(page)).toBe('one\n2x\nthree\nfour\n5\nsix\nseven\n')
  expect(await reference(page)).toBe('one\ntwo\nthree\nfour\n5\nsix\nseven\n')
})

test('never shifts the numbers, and counts a change of the person as one more', async ({ open }) => {
  const page = await open('state=small')
  await button(page, 'Accept change 1').click()
  await expect(button(page, 'Accept change 2')).toBeVisible()
  await expect(button(page, 'Accept change 3')).toBeVisible()
  await typeAfter(page, 'three', ' and more')
  await expect(page.getByText('Yours', { exact: true })).toBeVisible()
  await expect(button(page, 'Reject change 4')).toBeVisible()
  await button(page, 'Reject change 4').click()
  await expect.poll(() => result(page)).toBe(proposed)
  await expect(button(page, 'Accept change 3')).toBeVisible()
  await button(page, 'Undo change 1').click()
  await expect(button(page, 'Accept change 1')).toBeVisible()
})

test('keeps draft, history and place when it goes side by side and back', async ({ open }) => {
  const page = await open('state=thousand&bare')
  const scroller = page.locator('.gl-review-text')
  await ready(page)
  await scroller.evaluate((element) => (element.scrollTop = 9000))
  const top = () =>
    page.evaluate(() => {
      const y = document.querySelector('.gl-review-text')?.getBoundingClientRect().top ?? 0
      const line = [...document.querySelectorAll('.gl-side-b .cm-line')].find(
        (element) => element.getBoundingClientRect().bottom > y + 10,
      )
      return line?.textContent ?? ''
    })
  await expect.poll(top).toContain('value')
  const number = await page.locator('.gl-side-b .gl-bar-accept').nth(2).getAttribute('aria-label')
  await page.getByRole('button', { name: number ?? '', exact: true }).click()
  await expect
    .poll(() =>
      page.evaluate(() => window.reviewHost.hunks('r1').some((hunk) => hunk.decision.kind === 'accepted')),
    )
    .toBe(true)
  const before = await top()
  await button(page, 'Side by side').click()
  await expect(page.locator('.gl-side-a')).toBeVisible()
  await expect.poll(top).toBe(before)
  await expect(button(page, 'Side by side')).toHaveAttribute('aria-pressed', 'true')
  await button(page, 'Side by side').click()
  await expect(page.locator('.gl-side-a')).toHaveCount(0)
  await expect.poll(top).toBe(before)
  await editor(page).focus()
  await page.keyboard.press('Control+z')
  await expect
    .poll(() =>
      page.evaluate(() => window.reviewHost.hunks('r1').every((hunk) => hunk.decision.kind === 'undecided')),
    )
    .toBe(true)
})

test('aligns equal lines side by side', async ({ open }) => {
  const page = await open('state=open&layout=side-by-side&bare')
  await ready(page)
  const heights = (side: string) =>
    page
      .locator(`.gl-side-${side} .cm-line`)
      .evaluateAll((lines) =>
        lines.map((line) => [line.textContent, Math.round(line.getBoundingClientRect().top)] as const),
      )
  const areAligned = () =>
    expect
      .poll(async () => {
        const [a, b] = [await heights('a'), new Map(await heights('b'))]
        const equal = a.filter(([text]) => text !== '' && text !== '}' && b.has(text))
        return { many: equal.length > 12, off: equal.filter(([text, top]) => b.get(text) !== top) }
      })
      .toEqual({ many: true, off: [] })
  await expect(button(page, 'Accept change 3')).toBeVisible()
  await areAligned()
  // No bar stands over a line, however long that is.
  const covered = await page.locator('.gl-side-b').evaluate((side) => {
    const lines = [...side.querySelectorAll('.cm-line')].map((line) => line.getBoundingClientRect())
    return [...side.querySelectorAll('.gl-bar')]
      .map((bar) => bar.getBoundingClientRect())
      .filter((bar) => lines.some((line) => line.top < bar.bottom - 1 && line.bottom > bar.top + 1)).length
  })
  expect(covered).toBe(0)
  await button(page, 'Accept change 3').click()
  await expect(page.locator('.gl-side-a .gl-folded-accepted')).toBeVisible()
  await areAligned()
})

test('cannot be decided before it has been visible for 400 ms', async ({ open }) => {
  const page = await open('state=small&hidden')
  const seen = await page.evaluate(async () => {
    window.show('r1')
    const frame = () => new Promise(requestAnimationFrame)
    const find = () => document.querySelector<HTMLButtonElement>('button[aria-label="Accept file"]')
    while (!document.querySelector('.cm-line')) await frame()
    const shownAt = performance.now()
    while (!find()) await frame()
    const isDisabled = find()?.getAttribute('aria-disabled')
    find()?.click()
    while (find()?.getAttribute('aria-disabled') === 'true') await frame()
    return { isDisabled, waited: performance.now() - shownAt, calls: window.reviewHost.calls.length }
  })
  expect(seen.isDisabled).toBe('true')
  expect(seen.calls).toBe(0)
  // A frame may lie between what this loop sees and what the review sees.
  expect(seen.waited).toBeGreaterThan(370)
  await button(page, 'Accept file').click()
  await expect.poll(() => calls(page)).toHaveLength(1)
})

test('starts waiting anew when it is hidden and shown, and ignores keys meanwhile', async ({
  page,
  open,
}) => {
  await page.clock.install()
  await open('state=small')
  await ready(page)
  await holdClock(page)
  await page.evaluate(() => window.activate(false))
  await page.evaluate(() => window.activate(true))
  await editor(page).focus()
  await page.keyboard.press('Control+Enter')
  await page.clock.runFor(350)
  await expect(button(page, 'Accept file')).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await page.clock.resume()
  await ready(page)
  expect(await calls(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => calls(page)).toHaveLength(1)
})

test('does not count a press that began before it was ready', async ({ page, open }) => {
  await page.clock.install()
  await open('state=small')
  const box = await button(page, 'Accept file').boundingBox()
  if (!box) throw new Error('no button')
  await ready(page)
  await page.mouse.move(box.x + 20, box.y + 10)
  await holdClock(page)
  await page.evaluate(() => window.activate(false))
  await page.evaluate(() => window.activate(true))
  await page.mouse.down()
  await page.clock.resume()
  await ready(page)
  await page.mouse.up()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await calls(page)).toEqual([])
})

test('starts waiting anew when others change the text that is shown, not when the person does', async ({
  page,
  open,
}) => {
  await page.clock.install()
  await open('state=small')
  await ready(page)
  await holdClock(page)
  const accept = button(page, 'Accept file')
  await typeAfter(page, '2', '!')
  await page.clock.runFor(100)
  await expect.poll(() => result(page)).toContain('2!\n')
  await expect(accept).not.toHaveAttribute('aria-disabled', 'true')

  await page.evaluate(() => window.reviewHost.rebase('r1', 'zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n'))
  await expect(editor(page)).toContainText('zero')
  await expect(accept).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await page.clock.runFor(350)
  await expect(status(page)).toHaveText('notes.txt has changed. Check it again.')
  await expect(accept).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+Shift+Y')
  await button(page, 'Accept change 1').click({ force: true })
  await accept.click({ force: true })
  await page.clock.runFor(100)
  await expect(accept).not.toHaveAttribute('aria-disabled', 'true')
  expect(await calls(page)).toEqual([])
  const hunks = await page.evaluate(() => window.reviewHost.hunks('r1'))
  expect(hunks.map(({ decision }) => decision.kind)).toEqual(['undecided', 'undecided', 'undecided'])
  await page.clock.resume()
  await accept.click()
  await expect.poll(() => calls(page)).toHaveLength(1)
})

test('does not accept what others changed between the press and its sending', async ({ page, open }) => {
  await page.clock.install()
  await open('state=small')
  await ready(page)
  await page.evaluate(() => (window.reviewHost.delay = 80))
  await holdClock(page)
  await typeAfter(page, '2', '!')
  await page.keyboard.press('Control+Enter')
  await page.evaluate(() => window.reviewHost.rebase('r1', 'zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n'))
  await expect(editor(page)).toContainText('zero')
  await page.clock.resume()
  await expect(region(page).getByText('The review has changed.')).toBeVisible()
  expect(await calls(page)).toEqual([])
  expect(await result(page)).toContain('2!\n')
  await button(page, 'Accept file').click()
  await expect.poll(() => calls(page)).toHaveLength(1)
})

test('ignores held keys and composing', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await editor(page).focus()
  const press = (more: { repeat?: boolean; isComposing?: boolean; keyCode?: number }) =>
    editor(page).evaluate((element, init) => {
      element.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          ctrlKey: true,
          bubbles: true,
          cancelable: true,
          ...init,
        }),
      )
    }, more)
  await press({ repeat: true })
  await press({ isComposing: true })
  await press({ keyCode: 229 })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await calls(page)).toEqual([])
  await press({})
  await expect.poll(() => calls(page)).toHaveLength(1)
})

test('takes no focus by itself, ignores keys without it, and gives it back', async ({ open }) => {
  const page = await open('state=small&hidden')
  const terminal = page.getByRole('textbox', { name: 'Terminal' })
  await terminal.focus()
  await page.evaluate(() => window.show('r1'))
  await ready(page)
  await expect(terminal).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+Shift+Backspace')
  expect(await calls(page)).toEqual([])
  await button(page, 'Accept change 1').click()
  await expect(terminal).not.toBeFocused()
  await button(page, 'Accept file').click()
  await expect(terminal).toBeFocused()
  await expect(status(page)).toHaveText(/Accepted notes.txt/)
})

test('sends nothing when the last change is decided, and offers no accepting of nothing', async ({
  open,
}) => {
  const page = await open('state=small')
  for (const number of [1, 2, 3]) await button(page, `Reject change ${number}`).click()
  await expect.poll(() => result(page)).toBe(base)
  const accept = button(page, 'Accept file')
  await expect(accept).toBeDisabled()
  await expect(accept).toHaveAccessibleDescription(/You rejected every change/)
  await accept.click({ force: true })
  await editor(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(status(page)).toHaveText(/You rejected every change/)
  expect(await calls(page)).toEqual([])
})

test('rejects with a note', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await button(page, 'More ways to reject').click()
  await page.getByRole('menuitem', { name: 'Reject with a note…' }).click()
  await page.getByRole('textbox', { name: 'Note for Claude' }).fill('Keep the words')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => calls(page))
    .toMatchObject([{ name: 'review.reject', params: { note: 'Keep the words' } }])
})

test('a rewind says to before which message, and what it deletes', async ({ open }) => {
  const page = await open('state=rewind')
  const one = region(page)
  await expect(one.getByText('Rewind to before “Make the invoice a class, and test it”')).toBeVisible()
  await expect(one.getByText('Deletes the file', { exact: true })).toBeVisible()
  await expect(one.getByText('Accepting this change deletes the file.')).toBeVisible()
  await ready(page)
  await expect(button(page, 'More ways to reject')).toHaveCount(0)
  await button(page, 'Accept file').click()
  await expect.poll(() => calls(page)).toContainEqual(expect.objectContaining({ name: 'review.accept' }))
})

test('a field for a note takes the focus once, and not again when something changes', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await button(page, 'More ways to reject').click()
  await page.getByRole('menuitem', { name: 'Reject with a note…' }).click()
  await expect(page.getByRole('textbox', { name: 'Note for Claude' })).toBeFocused()
  const terminal = page.getByRole('textbox', { name: 'Terminal' })
  await terminal.focus()
  await page.evaluate(() => window.reviewHost.change('r1', { isReadOnly: true }))
  await expect(region(page).getByText('Read-only')).toBeVisible()
  await expect(terminal).toBeFocused()
})

test('decides nothing out of a field', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await button(page, 'More ways to reject').click()
  await page.getByRole('menuitem', { name: 'Reject with a note…' }).click()
  const note = page.getByRole('textbox', { name: 'Note for Claude' })
  await note.press('Control+Enter')
  await note.press('Control+Shift+Backspace')
  await note.fill('No')
  await note.press('Control+Enter')
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.reject', params: { note: 'No' } }])
})

test('takes offered edits over once', async ({ open }) => {
  const page = await open('state=offered')
  await ready(page)
  await button(page, 'Apply your edits').click()
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.takeOffered' }])
  await expect(button(page, 'Apply your edits')).toHaveCount(0)
})

test('keeps the draft by Mod+S and says so', async ({ open }) => {
  const page = await open('state=small')
  await typeAfter(page, '2', 'x')
  await page.keyboard.press('Control+s')
  await expect(region(page).getByText('Draft kept. Nothing is written until you accept.')).toBeVisible()
  expect(await result(page)).toContain('2x')
  expect(await calls(page)).toEqual([])
})

test('loses no typing to a lost link, and none to a file that changes on disk', async ({ open }) => {
  const page = await open('state=small')
  await typeAfter(page, '2', 'a')
  await page.evaluate(() => window.reviewHost.disconnect())
  await page.keyboard.type('bc')
  await page.evaluate(() => window.reviewHost.connect())
  await expect.poll(() => result(page)).toContain('2abc\n')
  await page.evaluate(() => (window.reviewHost.delay = 60))
  await page.keyboard.type('d')
  await page.evaluate(() => window.reviewHost.rebase('r1', 'zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n'))
  await page.keyboard.type('e')
  await expect.poll(() => result(page)).toBe('zero\none\n2abcde\nthree\nfour\n5\nsix\n7\n')
  await expect(editor(page)).toContainText('2abcde')
  await expect(page.getByText('File has changed')).toBeVisible()
  for (let i = 0; i < 8; i++) await page.keyboard.press('Control+z')
  await expect.poll(() => result(page)).toBe('zero\none\n2\nthree\nfour\n5\nsix\n7\n')
})

test('accepts what was typed a moment before', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await page.evaluate(() => (window.reviewHost.delay = 80))
  await typeAfter(page, '2', 'last')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => calls(page)).toMatchObject([{ name: 'review.accept' }])
  expect(await result(page)).toContain('2last\n')
})

test('shows a failure as a sentence and stays', async ({ open }) => {
  const page = await open('state=small')
  await ready(page)
  await page.evaluate(() => window.reviewHost.disconnect())
  await button(page, 'Accept file').click()
  await expect(region(page).getByText(/Greenlight isn’t connected/)).toBeVisible()
})

for (const layout of ['unified', 'side-by-side']) {
  test(`goes to the change in a long line: ${layout}`, async ({ open }) => {
    const page = await open(`state=minified&layout=${layout}`)
    await ready(page)
    await editor(page).focus()
    await page.keyboard.press('F7')
    for (const [marked, word] of [
      ['.gl-added-word', 'mended'],
      ['.gl-removed-word', 'f2500'],
    ] as const) {
      await expect(page.locator(marked)).toHaveText(word)
      await expect(page.locator(marked)).toBeInViewport({ ratio: 1 })
    }
  })
}

test('folds and unfolds unchanged lines and long removals', async ({ open }) => {
  const page = await open('state=removal&bare')
  await button(page, 'Show 11\u202f960 more removed lines of change 1').click()
  await expect(page.getByText('const value1999 =')).toBeAttached()
  await page.goto(page.url().replace('removal', 'open'))
  await button(page, 'Show 10 unchanged lines').click()
  await expect(page.getByText('readonly customer: string')).toBeVisible()
  await button(page, 'Fold unchanged lines').click()
  await button(page, 'Fold unchanged lines').click()
  await expect(button(page, 'Show 10 unchanged lines')).toBeVisible()
})

test('shows a decided change again without undoing it', async ({ open }) => {
  const page = await open('state=small')
  await button(page, 'Reject change 1').click()
  await expect(page.locator('.cm-line', { hasText: /^two$/ })).toHaveCount(0)
  await button(page, 'Show change 1').click()
  await expect(page.locator('.cm-line', { hasText: /^two$/ })).toBeVisible()
  // Above what was kept stands what was rejected.
  const rejected = page.getByRole('group', { name: 'What was rejected' })
  await expect(rejected).toHaveText('2')
  await button(page, 'Hide change 1').click()
  await expect(page.locator('.cm-line', { hasText: /^two$/ })).toHaveCount(0)
  await expect(rejected).toHaveCount(0)
})

test('answers for an agent that is gone', async ({ open }) => {
  const page = await open('state=orphaned')
  await expect(button(page, 'Accept file')).toHaveCount(0)
  await button(page, 'Save as patch').click()
  await expect(region(page).getByText(/Saved as .*invoice.ts.patch/)).toBeVisible()
  await button(page, 'Discard').click()
  await button(page, 'Discard my edits too').click()
  await expect
    .poll(() => calls(page))
    .toMatchObject([{ name: 'review.savePatch' }, { name: 'review.discard' }])
})

test('fetches long texts in pieces', async ({ open }) => {
  const page = await open('state=huge&bare')
  await button(page, 'Reject change 1').click()
  await expect
    .poll(() => page.evaluate(() => window.reviewHost.hunks('r1')[0]?.decision.kind))
    .toBe('rejected')
  const lengths = await page.evaluate(() => [
    window.reviewHost.result('r1').length,
    window.reviewHost.reference('r1').length,
  ])
  expect(lengths[0]).toBeGreaterThan(3_000_000)
  expect(lengths[1]).toBe((lengths[0] ?? 0) + 2 * 9_999)
})

test('lists pending reviews oldest first and decides all after asking', async ({ open }) => {
  const page = await open('state=open')
  const list = page.getByRole('list', { name: 'Pending reviews' })
  const names = () =>
    list.getByRole('listitem').evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')))
  await expect.poll(names).toEqual(['invoice.ts, Claude', 'dates.ts, Gemini', 'notes.md, Claude'])
  await button(page, 'Accept all').click()
  await expect(page.getByText('Write the changes to 2 files in this folder?')).toBeVisible()
  await button(page, 'Cancel').click()
  expect(await calls(page)).toEqual([])
  await button(page, 'Accept all').click()
  await button(page, 'Accept 2 files').click()
  await expect.poll(() => calls(page)).toEqual([{ name: 'review.acceptAll', params: ['r1', 'r2'] }])
  await expect.poll(names).toEqual(['notes.md, Claude'])
  await button(page, 'Undo accepted tax.ts').click()
  await expect(status(page)).toHaveText(/tax.ts is as it was/)
})

test('says what to expect when there is nothing', async ({ open }) => {
  const page = await open('state=none')
  await expect(page.getByText('Nothing to review')).toBeVisible()
  await expect(page.getByText('Proposed changes appear here before they’re written.')).toBeVisible()
})

test('says it whole above a long list of what was decided, whose rows tell files of one name apart', async ({
  open,
}) => {
  const page = await open('state=nothing')
  await expect(page.getByText('Nothing to review')).toBeInViewport({ ratio: 1 })
  const words = page.getByText('Proposed changes appear here before they’re written.')
  await expect(words).toBeInViewport({ ratio: 1 })
  const decided = page.getByRole('list', { name: 'Recently decided' }).getByRole('listitem')
  await expect(decided.nth(3)).toContainText('src/part3')
})

test('composes characters without losing or doubling them', async ({ open }) => {
  const page = await open('state=small')
  const line: Locator = page.locator('.cm-line', { hasText: /^2$/ })
  await line.click()
  await page.keyboard.press('End')
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  await session.send('Input.insertText', { text: '日本' })
  await expect.poll(() => result(page)).toBe('one\n2日本\nthree\nfour\n5\nsix\n7\n')
})

declare global {
  interface Window {
    release(): void
  }
}

/** Opens a review whose long texts are held back until `window.release`. */
async function openHeld(open: (query: string) => Promise<Page>, query: string): Promise<Page> {
  const page = await open(`${query}&offline`)
  await page.evaluate(() => {
    window.reviewHost.held = new Promise((resolve) => (window.release = resolve))
    window.reviewHost.connect()
  })
  return page
}

/** Where each line, number and bar that can be seen stands, and what it says. */
function look(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scroller = document.querySelector('.gl-review-text')
    const bottom = scroller?.getBoundingClientRect().bottom ?? 0
    const parts = document.querySelectorAll(
      '.cm-line, .gl-fold, .gl-removed-line, .gl-bar, .cm-gutterElement',
    )
    return [...parts]
      .map((part) => ({ part, box: part.getBoundingClientRect() }))
      .filter(({ box }) => box.bottom < bottom && box.height > 0)
      .map(
        ({ part, box }) =>
          `${Math.round(box.left)} ${box.top} ${box.height} ${part.className} ${part.textContent}`,
      )
  })
}

for (const how of ['bare', 'bare&unfolded', 'bare&layout=side-by-side']) {
  test(`shows the beginning of a long text as it stays: ${how}`, async ({ open }) => {
    const page = await openHeld(open, `state=huge&${how}`)
    const text = page.locator('.gl-side-b .cm-content')
    await expect(text).toContainText('value9 ')
    // Right after the first frame, over what stands there already.
    await expect(page.locator('.gl-bar-accept').first()).toBeVisible()
    // What was estimated is measured, and both sides are brought to one height, in frames after the first.
    await page.evaluate(async () => {
      const places = () =>
        [...document.querySelectorAll('.cm-gutterElement, .cm-line')]
          .map((part) => part.getBoundingClientRect().top)
          .join()
      for (let still = 0, last = ''; still < 10;) {
        await new Promise(requestAnimationFrame)
        const now = places()
        still = now === last ? still + 1 : 0
        last = now
      }
    })
    const before = await look(page)
    expect(before.length).toBeGreaterThan(40)
    const scrolled = () => page.evaluate(() => document.querySelector('.gl-review-text')?.scrollTop)
    expect(await scrolled()).toBe(0)

    // Nothing can be decided or typed into what is not whole.
    await expect(button(page, 'Accept file')).toHaveCount(0)
    await text.focus()
    await page.keyboard.type('lost')
    await page.evaluate(() => document.querySelector<HTMLElement>('.gl-bar-accept')?.click())
    await expect(text).not.toContainText('lost')
    expect(await look(page)).toEqual(before)

    await page.evaluate(() => window.release())
    await expect(button(page, 'Accept file')).toContainText(/10.000 changes/)
    expect(await look(page)).toEqual(before)
    expect(await scrolled()).toBe(0)
    expect(await page.evaluate(() => window.reviewHost.hunks('r1')[0]?.decision.kind)).toBe('undecided')
  })
}

test('keeps the place that was scrolled to, and takes typing as soon as the text is whole', async ({
  open,
}) => {
  const page = await openHeld(open, 'state=huge&bare')
  await expect(page.locator('.gl-side-b .cm-content')).toContainText('value9 ')
  await page.locator('.gl-review-text').evaluate((scroller) => (scroller.scrollTop = 400))
  const lineAt = () =>
    page.evaluate(() => document.elementFromPoint(300, 400)?.closest('.cm-line, .gl-head')?.textContent)
  await expect.poll(lineAt).toContain('value')
  const line = await lineAt()
  await page.evaluate(() => window.release())
  await expect(button(page, 'Accept file')).toContainText(/10.000 changes/)
  expect(await lineAt()).toBe(line)
  expect(await page.locator('.gl-review-text').evaluate((scroller) => scroller.scrollTop)).toBe(400)

  const before = await result(page)
  await page.locator('.cm-line', { hasText: 'const value38 ' }).click()
  await page.keyboard.press('Home')
  await page.keyboard.type('kept ')
  await expect.poll(() => result(page)).toBe(before.replace('const value38 ', 'kept const value38 '))
})

test('takes over what the host did to the text while its beginning was shown', async ({ open }) => {
  const page = await openHeld(open, 'state=huge&bare')
  await expect(page.locator('.gl-side-b .cm-content')).toContainText('value9 ')
  await page.evaluate(() => {
    const { reviewHost } = window
    reviewHost.rebase('r1', `// new first line\n${reviewHost.reference('r1')}`)
    window.release()
  })
  await expect(page.locator('.gl-side-b .cm-content')).toContainText('// new first line')
  await expect(button(page, 'Accept file')).toContainText(/10.000 changes/)
  await button(page, 'Reject change 1').click()
  await expect
    .poll(() => page.evaluate(() => window.reviewHost.hunks('r1')[0]?.decision.kind))
    .toBe('rejected')
})
