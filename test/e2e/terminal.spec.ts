import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import {
  button,
  mod,
  openShell,
  prompts,
  runCommand,
  tab,
  terminalInput,
  terminalScreen,
  test,
} from './open-app'

const terminals = (page: Page): Locator => page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab')

/** Types a line into the terminal that has the focus. */
async function run(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line)
  await page.keyboard.press('Enter')
}

/** Waits until the terminal shows a line that is exactly this. */
async function shows(page: Page, line: string): Promise<void> {
  await expect(terminalScreen(page).getByText(line, { exact: true }).last()).toBeVisible()
}

test('a shell runs in the folder, tells how it ended, and is started again in the same tab', async ({
  app,
}) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'echo "in $(pwd) with $TERM_PROGRAM"; exit 3')
  await shows(page, `in ${app.place.project} with Greenlight`)
  await expect(page.getByText('Exited with code 3')).toBeVisible()
  await button(page, 'Restart').click()
  await expect(page.getByText('Exited with code 3')).toBeHidden()
  await expect(terminals(page)).toHaveCount(1)
  await prompts(page)
  await terminalInput(page).focus()
  await run(page, 'echo once $((6 * 7))')
  await shows(page, 'once 42')
  // What the first run put out is still there.
  await shows(page, `in ${app.place.project} with Greenlight`)
})

test('ten thousand lines outlive a reload, and the program does not notice', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'number=7; for i in $(seq 1 9000); do echo "line $i."; done')
  await shows(page, 'line 9000.')
  await app.reload()
  await shows(page, 'line 9000.')
  await button(page, 'Find in terminal').click()
  await page.getByRole('textbox', { name: 'Find in terminal' }).fill('line 123.')
  await expect(page.getByRole('search').getByText('1 of 1', { exact: true })).toBeVisible()
  await shows(page, 'line 123.')
  // The current match has the colour of one, though it is also selected.
  await expect(page.locator('.xterm-selection > div').first()).toHaveCSS(
    'background-color',
    'rgb(255, 207, 92)',
  )
  await page.keyboard.press('Escape')
  await expect(terminalInput(page)).toBeFocused()
  await run(page, 'echo still $number')
  await shows(page, 'still 7')
})

test('a terminal is renamed in a dialog as wide as its field needs', { tag: '@long' }, async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await runCommand(page, 'Rename terminal')
  const dialog = page.getByRole('dialog', { name: 'Rename terminal' })
  const field = dialog.getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  const [outer, inner] = [await dialog.boundingBox(), await field.boundingBox()]
  expect((inner?.x ?? 0) - (outer?.x ?? 0)).toBeGreaterThanOrEqual(16)
  expect(inner?.width).toBeGreaterThan((outer?.width ?? 0) * 0.8)
  await field.fill('server')
  await page.keyboard.press('Enter')
  await expect(terminals(page).filter({ hasText: 'server' })).toBeVisible()
})

test('a path with a line in the output opens the editor there', async ({ app }) => {
  app.write(
    'src/deep/part.ts',
    Array.from({ length: 200 }, (_, index) => `const c${index + 1} = 0\n`).join(''),
  )
  await app.start()
  const { page } = app
  await openShell(page)
  // It takes room from the terminal as it comes.
  await expect(page.getByRole('region', { name: 'Trust' })).toBeVisible()
  await run(page, 'clear; echo "error in src/deep/part.ts:120:7 and more"')
  const line = terminalScreen(page).getByText('error in src/deep/part.ts:120:7 and more', { exact: true })
  await expect(line).toBeVisible()
  const box = await line.boundingBox()
  if (!box) throw new Error('the line has no place')
  const width = box.width / 'error in src/deep/part.ts:120:7 and more'.length
  const at = { x: box.x + width * 15, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  await expect(page.locator('.xterm-cursor-pointer')).toBeVisible()
  await page.mouse.click(at.x, at.y)
  await expect(tab(page, 'part.ts')).toBeVisible()
  await expect(page.getByText('const c120 = 0')).toBeVisible()
})

test('what is selected is copied, and pasted as pasted', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  // It takes room from the terminal as it comes.
  await expect(page.getByRole('region', { name: 'Trust' })).toBeVisible()
  await run(page, 'clear; printf "\\033[?2004h"; echo marked; cat -v')
  await shows(page, 'marked')
  const marked = await terminalScreen(page).getByText('marked', { exact: true }).boundingBox()
  if (!marked) throw new Error('the line has no place')
  await page.mouse.dblclick(marked.x + 10, marked.y + marked.height / 2)
  await expect(page.locator('.xterm-selection div')).not.toHaveCount(0)
  await page.keyboard.press(`${mod}+Shift+C`)
  await terminalInput(page).focus()
  const pasted = terminalScreen(page).getByText('^[[200~marked^[[201~', { exact: true })
  // The clipboard is written in its own time, which no person overtakes.
  await expect(async () => {
    await page.keyboard.press(`${mod}+Shift+V`)
    await page.keyboard.press('Enter')
    await expect(pasted.last()).toBeVisible({ timeout: 3000 })
  }).toPass()
})

test('the program gets every key but the few that the page keeps', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'clear; stty -icanon -echo -isig -ixon; echo ready; cat -v')
  await shows(page, 'ready')
  for (const key of [
    'Control+f',
    'Control+p',
    'Control+b',
    'Control+s',
    'Control+j',
    'F7',
    'Alt+k',
    'Escape',
  ]) {
    await page.keyboard.press(key)
  }
  await page.keyboard.type('.')
  await expect(terminalScreen(page)).toContainText('^F^P^B^S')
  await expect(terminalScreen(page)).toContainText('^[[18~^[k^[.')
  await page.keyboard.press('F6')
  await expect(terminalInput(page)).not.toBeFocused()
})

test('characters that are composed arrive once', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'clear; echo ready; cat')
  await shows(page, 'ready')
  const input = await page.context().newCDPSession(page)
  await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await input.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  await input.send('Input.insertText', { text: '日本' })
  await shows(page, '日本')
  await page.keyboard.press('Enter')
  // Once as typed, once as cat gives it back.
  await expect(terminalScreen(page).getByText('日本', { exact: true })).toHaveCount(2)
})

test('the program follows the size of its place', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(
    page,
    `exec bash -c 'trap "echo size \\$(stty size)." WINCH; clear; echo ready; while :; do sleep 0.05; done'`,
  )
  await shows(page, 'ready')
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect(async () => {
    const told = await terminalScreen(page)
      .getByText(/^size \d+ \d+\.$/)
      .last()
      .textContent({ timeout: 1000 })
    expect(told?.split(' ')[1]).toBe(String(await terminalScreen(page).locator('> div').count()))
  }).toPass()
})

test('tabs, a split pair, another name', { tag: '@long' }, async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await button(page, 'Split terminal').click()
  const right = page.getByRole('region', { name: 'Terminal: Shell 2', exact: true })
  await expect(right).toBeVisible()
  await expect(page.getByRole('region', { name: 'Terminal: Shell', exact: true })).toBeVisible()
  await expect(right.getByRole('textbox', { name: 'Terminal input' })).toBeFocused()
  await run(page, 'echo right $((40 + 2))')
  await expect(right.locator('.xterm-rows')).toContainText('right 42')
  await terminals(page).filter({ hasText: 'Shell 2' }).dblclick()
  await page.getByRole('textbox', { name: 'Title' }).fill('Tests')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Terminal: Tests', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Close terminal Tests', includeHidden: true }).click()
  await expect(terminals(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Terminal: Shell', exact: true })).toBeVisible()
})

test(
  'an agent that is not installed gets a card that says how, and nothing is installed',
  { tag: '@long' },
  async ({ app }) => {
    const folders = (process.env['PATH'] ?? '').split(delimiter)
    test.skip(
      folders.some((folder) => existsSync(join(folder, 'gemini'))),
      'Gemini CLI is installed on this machine',
    )
    await app.start()
    const { page } = app
    await button(page, 'New terminal').click()
    await expect(page.getByRole('menuitem')).toHaveCount(3)
    await page.getByRole('menuitem', { name: 'Gemini CLI', exact: true }).click()
    const card = page.getByRole('region', { name: 'Install Gemini CLI' })
    await expect(card).toContainText('npm install -g @google/gemini-cli')
    await button(card, 'Copy').click()
    await expect(terminals(page)).toHaveCount(0)
    await button(card, 'Close').click()
    await expect(page.getByText('No terminal is open')).toBeVisible()
  },
)

test('a flood leaves the page alive, and Ctrl+C ends it', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await run(page, 'clear; yes "a line of a flood that does not end"; echo over $?')
  // A row of its own: the command as it was typed has the words, too.
  await shows(page, 'a line of a flood that does not end')
  await button(page, 'New terminal').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  // The menu gives the focus back to its button.
  await expect(button(page, 'New terminal')).toBeFocused()
  await terminalInput(page).focus()
  await page.keyboard.press('Control+c')
  // What is typed before the prompt is back may be lost, or be answered on the prompt's own line.
  await expect(terminalScreen(page)).toContainText(/[#$]\s*$/)
  await run(page, 'echo after $((6 * 7))')
  await shows(page, 'after 42')
})
