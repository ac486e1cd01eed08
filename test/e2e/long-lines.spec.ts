import { expect, type Locator } from '@playwright/test'
import { type OpenApp, button, mod, openShell, press, proposedText, review, test } from './open-app'

/** One line of a megabyte with a word in its middle, as a minified file has it. */
const line = (word: string) => `${'const a=1;'.repeat(52_000)}${word}${'let b=2;'.repeat(66_000)}\n`

/** Whether the middle of an element is within the part of the window that shows it. */
async function isInSight(place: Locator): Promise<boolean> {
  return place.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  })
}

test('a change in a line of a megabyte is found, edited and accepted', async ({ app }) => {
  const path = app.write('min.js', line('before'))
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const answer = agent.openDiff(path, line('after'))
  await expect(review(page)).toHaveAccessibleName(`Review: ${path}`)
  const text = proposedText(page)
  await text.focus()
  await page.keyboard.press('F7')
  const mark = text.getByText('after', { exact: true })
  await expect.poll(() => isInSight(mark)).toBe(true)
  await mark.click()
  await page.keyboard.press(`${mod}+End`)
  await page.keyboard.type('// seen')
  await press(page, 'Accept file')
  expect(await answer).toEqual(['FILE_SAVED', `${line('after')}// seen`])
})

test('a line of a megabyte is edited and saved', { tag: '@long' }, async ({ app }) => {
  const path = app.write('min.js', line('same'))
  await app.start()
  const { page } = app
  await page.getByRole('treeitem', { name: 'min.js' }).dblclick()
  await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toBeFocused()
  await page.keyboard.press(`${mod}+End`)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('last()')
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('min.js').length).toBe(line('same').length + 'last()'.length)
  expect(app.read('min.js')).toBe(line('same').replace(/\n$/, 'last()\n'))
})

test(
  'a program that prints a line of a megabyte leaves a terminal that answers',
  { tag: '@long' },
  async ({ app }) => {
    await startWithShell(app)
    const { page } = app
    await page.keyboard.type(`head -c 1000000 /dev/zero | tr '\\0' x; echo; echo "end of $((6 * 7))"\n`)
    const terminal = page.getByRole('region', { name: /^Terminal: / })
    await expect(terminal.locator('.xterm-rows')).toContainText('end of 42')
    await page.keyboard.type('echo "still $((6 * 8))"\n')
    await expect(terminal.locator('.xterm-rows')).toContainText('still 48')
    await expect(button(page, 'New terminal').first()).toBeEnabled()
  },
)

async function startWithShell(app: OpenApp): Promise<void> {
  await app.start()
  await openShell(app.page)
}
