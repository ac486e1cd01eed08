import type { Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { countDrawnRows, expect, test } from './harness'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const options = (page: Page, list: string) => page.getByRole('listbox', { name: list }).getByRole('option')
const calls = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => window.stage.calls.filter((call) => call.name === wanted).map(({ params }) => params),
    name,
  )
const caretTo = (page: Page, at: number) =>
  page.getByLabel('Message', { exact: true }).evaluate((field: HTMLTextAreaElement, to) => {
    field.focus()
    field.setSelectionRange(to, to)
  }, at)
const caret = (page: Page) =>
  page.getByLabel('Message', { exact: true }).evaluate((field: HTMLTextAreaElement) => field.selectionStart)
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Pastes or drops files, as the browser hands them over. */
async function bring(
  page: Page,
  how: 'paste' | 'drop',
  files: { name: string; type: string; data: string }[],
  text = '',
) {
  await page.getByLabel('Message', { exact: true }).evaluate(
    (field, given) => {
      const transfer = new DataTransfer()
      if (given.text !== '') transfer.setData('text/plain', given.text)
      for (const { name, type, data } of given.files) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type }))
      }
      const more = { bubbles: true, cancelable: true }
      if (given.how === 'paste')
        field.dispatchEvent(new ClipboardEvent('paste', { ...more, clipboardData: transfer }))
      else {
        field.dispatchEvent(new DragEvent('dragover', { ...more, dataTransfer: transfer }))
        field.dispatchEvent(new DragEvent('drop', { ...more, dataTransfer: transfer }))
      }
    },
    { how, files, text },
  )
}

test('@ lists files, names in open files and sub-agents, and what is taken stands where it was typed', async ({
  open,
}) => {
  const page = await open('scene=rich')
  const reviewer = { name: 'reviewer', detail: 'Looks through changes', state: 'plain' as const, acts: [] }
  await page.evaluate(
    (entry) => window.stage.drive({ parts: [{ id: 'agents', label: 'Agents', entries: [entry] }] }),
    reviewer,
  )
  await message(page).click()
  await page.keyboard.type('Look at @')
  await expect(options(page, 'Mentions')).toHaveText([
    /^pump\.ts/,
    /^thermostat\.ts/,
    /^a plan\.md/,
    /^agent-reviewer/,
  ])
  await page.keyboard.type('pu')
  await expect(options(page, 'Mentions')).toHaveText([/^pump\.ts/])
  await page.keyboard.press('Enter')
  await expect(message(page)).toHaveValue('Look at @src/pump.ts ')
  expect(await calls(page, 'send')).toEqual([])
  await page.keyboard.type('and @plan')
  await expect(options(page, 'Mentions')).toHaveText([/^a plan\.md/])
  await page.keyboard.press('Tab')
  await expect(message(page)).toHaveValue('Look at @src/pump.ts and @"docs/a plan.md" ')
  await message(page).fill('See  too.')
  await caretTo(page, 4)
  await page.keyboard.type('@hea')
  await expect(options(page, 'Mentions')).toHaveText([/^heatSlowly.*pump\.ts, line 12/])
  await options(page, 'Mentions').click()
  await expect(message(page)).toHaveValue('See heatSlowly (@src/pump.ts#L12)  too.')
  expect(await caret(page)).toBe('See heatSlowly (@src/pump.ts#L12) '.length)
  await page.keyboard.type('@thermo')
  await expect(options(page, 'Mentions')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(options(page, 'Mentions')).toHaveCount(0)
  await message(page).fill('me@example.org')
  await expect(options(page, 'Mentions')).toHaveCount(0)
})

test('the arrow keys go through what was said only at the very start and end, and back to what was being written', async ({
  open,
}) => {
  const page = await open('scene=long&items=40')
  await message(page).click()
  await page.keyboard.type('mine')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('second line')
  await page.keyboard.press('ArrowUp')
  // In the first line, but not at its start.
  await expect(message(page)).toHaveValue('mine\nsecond line')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  const newest = await message(page).inputValue()
  expect(newest).toMatch(/^Question \d+/)
  await page.keyboard.press('ArrowUp')
  const older = await message(page).inputValue()
  expect(older).toMatch(/^Question \d+/)
  expect(older).not.toBe(newest)
  await page.keyboard.press('ArrowDown')
  await expect(message(page)).toHaveValue(newest)
  await page.keyboard.press('ArrowDown')
  await expect(message(page)).toHaveValue('mine\nsecond line')
  expect(await caret(page)).toBe('mine\nsecond line'.length)
  await page.keyboard.press('ArrowDown')
  await expect(message(page)).toHaveValue('mine\nsecond line')
  // What was recalled and then changed is the person's own, and so is what was there before: neither replaces the other.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('x')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await expect(message(page)).toHaveValue(`x${newest}`)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowDown')
  await expect(message(page)).toHaveValue('mine\nsecond line')
  await page.keyboard.press('ArrowDown')
  await expect(message(page)).toHaveValue(`x${newest}`)
  await page.keyboard.press('Enter')
  // What was being written before it was brought back is not lost.
  await expect(message(page)).toHaveValue('mine\nsecond line')
})

test('pictures are pasted and dropped, shown, checked, taken out and sent', async ({ open }) => {
  const page = await open('scene=rich')
  const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('listitem')
  const real = { name: 'pump.png', type: 'image/png', data: png }
  await bring(page, 'paste', [real])
  // A session in a terminal takes none.
  await expect(pictures).toHaveCount(0)
  await page.evaluate(() => window.stage.drive())
  await bring(page, 'paste', [real])
  await expect(pictures).toHaveCount(1)
  await expect(page.getByRole('img', { name: 'pump.png' })).toBeVisible()
  await bring(page, 'paste', [real], 'text beside it')
  await expect(pictures).toHaveCount(1)
  await bring(page, 'drop', [
    { ...real, name: 'two.png' },
    { name: 'fake.png', type: 'image/png', data: btoa('no') },
  ])
  await expect(pictures).toHaveCount(2)
  await expect(
    page.getByText('fake.png isn’t a PNG, JPEG, GIF or WebP picture. Convert it, then add it again.').first(),
  ).toBeVisible()
  await bring(page, 'drop', [{ name: 'a.txt', type: 'text/plain', data: btoa('no') }])
  await expect(page.locator('.composer-fault')).toHaveText(
    'Only pictures can be dropped here. Mention other files with @.',
  )
  await button(page, 'Remove pump.png').click()
  await expect(pictures).toHaveCount(1)
  // A picture needs no words.
  await page.evaluate(() => {
    window.stage.sendHeld = new Promise((resolve) => (window.deliver = resolve))
  })
  await button(page, 'Send').click()
  // What is added while it is being sent stays.
  await bring(page, 'paste', [{ ...real, name: 'late.png' }])
  await expect(pictures).toHaveCount(2)
  await page.evaluate(() => window.deliver())
  await expect(pictures).toHaveCount(1)
  await expect(page.getByRole('img', { name: 'late.png' })).toBeVisible()
  expect(await calls(page, 'sent')).toEqual([
    { text: '', pictures: [{ mediaType: 'image/png', data: png }], withContext: true },
  ])
})

test('what goes with a message is shown and can be left out of one', async ({ open }) => {
  const page = await open('scene=rich')
  const sent = async () =>
    (await calls(page, 'sent')).map((one) => (one as { withContext: boolean }).withContext)
  await page.evaluate(() =>
    window.stage.shared.setState({ words: { words: 'pump.ts, lines 3–9', all: 'Goes with your message' } }),
  )
  await expect(page.getByText('pump.ts, lines 3–9')).toBeVisible()
  await message(page).fill('one')
  await button(page, 'Leave out selection and open files').click()
  await expect(page.getByText('pump.ts, lines 3–9')).toHaveCount(0)
  await message(page).press('Enter')
  await expect(message(page)).toHaveValue('')
  await expect(page.getByText('pump.ts, lines 3–9')).toBeVisible()
  await message(page).fill('two')
  await button(page, 'Leave out selection and open files').click()
  await button(page, 'Add selection and open files').click()
  await message(page).press('Enter')
  await expect(message(page)).toHaveValue('')
  expect(await sent()).toEqual([false, true])

  // Left out while a message is on its way, it is left out of the next.
  await page.evaluate(() => {
    window.stage.sendHeld = new Promise((resolve) => (window.deliver = resolve))
  })
  await message(page).fill('three')
  await message(page).press('Enter')
  await expect(button(page, 'Send')).toBeDisabled()
  await button(page, 'Leave out selection and open files').click()
  await page.evaluate(() => window.deliver())
  await expect(message(page)).toHaveValue('')
  await message(page).fill('four')
  await message(page).press('Enter')
  await expect.poll(sent).toEqual([false, true, true, false])
})

test('a key that composes a character neither sends, chooses nor recalls', async ({ open }) => {
  const page = await open('scene=long&items=40')
  await message(page).click()
  const press = (key: string) =>
    page.getByLabel('Message', { exact: true }).evaluate((field, name) => {
      const composing = new KeyboardEvent('keydown', {
        key: name,
        isComposing: true,
        bubbles: true,
        cancelable: true,
      })
      field.dispatchEvent(composing)
    }, key)
  await press('ArrowUp')
  await expect(message(page)).toHaveValue('')
  await page.keyboard.type('@pu')
  await expect(options(page, 'Mentions')).toHaveCount(1)
  await press('Enter')
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('@pu')
  expect(await calls(page, 'send')).toEqual([])
})

test('an earlier message is changed in the field, beside the draft, and sent as another conversation', async ({
  open,
}) => {
  const page = await open('scene=long&items=40')
  const edit = page
    .getByRole('article')
    .filter({ hasText: /Question \d+/ })
    .getByRole('button', { name: 'Edit and ask again' })
    .last()
  await expect(button(page, 'Edit and ask again')).toHaveCount(0)
  await message(page).fill('my draft')
  await page.evaluate(() => window.stage.drive())
  await edit.click()
  await expect(message(page)).toBeFocused()
  await expect(message(page)).toHaveValue(/^Question \d+/)
  await expect(page.getByText(/Sending it starts a new conversation from there/)).toBeVisible()
  await message(page).fill('A better')
  await page.keyboard.press('Escape')
  await expect(message(page)).toHaveValue('my draft')
  await edit.click()
  await expect(message(page)).toHaveValue('A better')
  await message(page).fill('A better question')
  await message(page).press('Enter')
  await expect(message(page)).toHaveValue('my draft')
  await edit.click()
  await expect(message(page)).toHaveValue(/^Question \d+/)
  await page.keyboard.press('Escape')
  expect(await calls(page, 'fork')).toEqual([{ before: expect.any(String), text: 'A better question' }])
  expect(await calls(page, 'send')).toEqual([])

  // What is typed while it is on its way stays, beside the draft.
  await page.evaluate(() => {
    window.stage.sendHeld = new Promise((resolve) => (window.deliver = resolve))
  })
  await edit.click()
  await message(page).fill('Once more')
  await message(page).press('Enter')
  await page.keyboard.type(', and the lock')
  await expect(button(page, 'Send')).toBeDisabled()
  await page.evaluate(() => window.deliver())
  await expect(message(page)).toHaveValue('my draft\n, and the lock')
  await page
    .getByRole('article')
    .filter({ hasText: /Question \d+/ })
    .getByRole('button', { name: 'Rewind files to before this' })
    .last()
    .click()
  expect(await calls(page, 'rewind')).toHaveLength(1)
})

test('a picture, a mention and a suggestion draw no row of the conversation', async ({ open }) => {
  const page = await open('scene=rich&density=summary')
  await page.evaluate(() => window.stage.drive({ context: { used: 1, size: 2 } }))
  await message(page).click()
  await countDrawnRows(page)
  await page.keyboard.type('Look at @pu')
  await expect(options(page, 'Mentions')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await bring(page, 'paste', [{ name: 'a.png', type: 'image/png', data: png }])
  await expect(page.getByRole('img', { name: 'a.png' })).toBeVisible()
  expect(await page.evaluate(() => window.asked)).toBe(0)
})

for (const theme of ['light', 'dark']) {
  test(`all of a driven conversation can be used by everybody, ${theme}`, async ({ open }) => {
    const page = await open(`scene=long&items=40&theme=${theme}`)
    await page.evaluate(() => {
      const acts = [{ id: 'reconnect', label: 'Reconnect' }]
      window.stage.drive({
        context: { used: 170_000, size: 200_000 },
        isUnresponsive: true,
        switches: [{ id: 'review', label: 'Review changes', help: 'Every change is shown.', isOn: true }],
        tasks: [{ id: 't', title: 'npm run dev', startedAt: Date.now() - 4000 }],
        parts: [
          {
            ...{ id: 'mcp', label: 'MCP servers' },
            entries: [
              { name: 'weather', detail: 'connected', state: 'good', acts: [] },
              { name: 'tickets', detail: 'It ended.', state: 'bad', acts },
              { name: 'mail', detail: 'off', state: 'off', acts: [] },
            ],
          },
        ],
      })
      window.stage.shared.setState({ words: { words: 'pump.ts', all: 'Goes with your message: pump.ts' } })
    })
    await bring(page, 'paste', [{ name: 'pump.png', type: 'image/png', data: png }])
    const check = async () => expect(await accessibilityFaults(page)).toEqual([])
    await check()
    await button(page, 'Tools and servers, 1 problem').click()
    await button(page, 'Reconnect: tickets').click()
    expect(await calls(page, 'act')).toEqual([{ part: 'mcp', entry: 'tickets', act: 'reconnect' }])
    await check()
    await page.keyboard.press('Escape')
    await expect(button(page, 'Tools and servers, 1 problem')).toBeFocused()
    await button(page, /^Context 85% full, 170k of 200k tokens$/).click()
    await expect(page.getByText('170\u202f000 of 200\u202f000')).toBeVisible()
    await check()
    await page.keyboard.press('Escape')
    await button(page, '1 task').click()
    await check()
    await button(page, 'Stop: npm run dev').click()
    expect(await calls(page, 'stopTask')).toEqual(['t'])
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Review changes' }).click()
    expect(await calls(page, 'switch')).toEqual([{ id: 'review', on: false }])
    await button(page, 'End process').click()
    expect(await calls(page, 'end')).toHaveLength(1)
    await page.getByRole('article').last().hover()
    await button(page, 'Edit and ask again').last().click()
    await check()
  })
}
