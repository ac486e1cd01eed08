import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { SessionWriter, text as words } from '../conversation-harness/session-writer'
import { putClaudeOnPath, trustFolders } from '../scripted-claude/on-path'
import { holds } from './held-text'
import { recordSession } from './recorded-session'
import { field, log, say } from './talk-in-app'
import {
  button,
  mod,
  openShell,
  press,
  proposedText,
  review,
  runCommand,
  tab,
  terminalInput,
  terminalScreen,
  test,
} from './open-app'

const numbers = Array.from({ length: 30 }, (_, index) => index + 1)
const linesWith = (changed: readonly number[]) =>
  numbers.map((number) => `${changed.includes(number) ? 'LINE' : 'line'} ${number}\n`).join('')
const before = linesWith([])
const proposed = linesWith([3, 15, 27])
/** Change 2 rejected, change 3 corrected. */
const decided = linesWith([3, 27]).replace('LINE 27', 'LINE 27 corrected')

async function decide(page: Page): Promise<void> {
  await press(page, 'Reject change 2')
  await proposedText(page).getByText('LINE 27', { exact: true }).click()
  await page.keyboard.press('End')
  // In one piece, as a paste: so it is in the journal in one piece too.
  await page.keyboard.insertText(' corrected')
}

test('a page that is reloaded amid a review keeps decisions and typed text', async ({ app }) => {
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const answer = agent.openDiff(path, proposed)
  await decide(page)
  await app.reload()
  await expect(proposedText(page).getByText('LINE 27 corrected')).toBeVisible()
  await expect(button(review(page), 'Undo change 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Claude: 1 connected' })).toBeVisible()
  await press(page, 'Accept file')
  expect(await answer).toEqual(['FILE_SAVED', decided])
})

test('a host that is killed amid a review and started again recovers the draft', async ({ app }) => {
  const path = app.write('list.txt', before)
  await app.start()
  const agent = await app.agent()
  void agent.openDiff(path, proposed)
  await decide(app.page)
  await expect.poll(() => holds(join(app.place.data, 'reviews'), ' corrected')).toBe(true)
  await app.crashAndStart()
  const { page } = app
  expect(app.read('list.txt')).toBe(before)
  await tab(page, 'list.txt').click()
  await expect(review(page).getByText('Greenlight can no longer answer Claude.')).toBeVisible()
  await expect(proposedText(page).getByText('LINE 27 corrected')).toBeVisible()
  await expect(button(review(page), 'Undo change 2')).toBeVisible()
  await expect(button(review(page), 'Accept file')).toHaveCount(0)
  await button(review(page), 'Keep as my change').click()
  await expect.poll(() => app.read('list.txt')).toBe(decided)
})

test('a conversation whose host is killed amid a turn comes back in its tab, with its draft, and goes on', async ({
  app,
}) => {
  const { place } = app
  putClaudeOnPath(place)
  trustFolders(place, [place.project])
  const record = new SessionWriter(Date.UTC(2026, 0, 1))
    .prompt('Why is the lamp flickering?')
    .reply('m-1', words('A loose contact.'))
  recordSession(place, '11111111-2222-4333-8444-555555555555', record.records)
  await app.start()
  await runCommand(app.page, 'New conversation')
  const dialog = app.page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('textbox', { name: 'First message' }).fill('wait')
  await button(dialog, 'Start conversation').click()
  await expect(log(app.page)).toContainText('waiting')
  await say(app.page, 'and then this')
  await field(app.page).fill('half a thought')
  await expect.poll(() => holds(join(place.data, 'folders'), 'half a thought')).toBe(true)
  await expect.poll(() => holds(join(place.data, 'unsent-messages'), 'and then this')).toBe(true)

  await app.crashAndStart()
  const { page } = app
  await expect(tab(page, 'Why is the lamp flickering?')).toHaveAttribute('aria-selected', 'true')
  await expect(log(page)).toContainText('A loose contact.')
  await expect(page.getByText('Claude ended when Greenlight did. Restart it to go on.')).toBeVisible()
  await expect(field(page)).toHaveValue('half a thought\nand then this')
  await button(page, 'Restart').click()
  await expect(field(page)).toBeEditable()
  await say(page, 'arguments')
  await expect(log(page)).toContainText('--resume=11111111-2222-4333-8444-555555555555')
})

test('text that was not saved comes back after a crash', async ({ app }) => {
  const path = app.write('notes.txt', 'one\n')
  await app.start()
  await app.page.getByRole('treeitem', { name: 'notes.txt' }).dblclick()
  await expect(app.page.getByRole('textbox', { name: `Editor: ${path}` })).toBeFocused()
  await app.page.keyboard.type('unsaved ')
  // In one piece, as a paste: so it is in the backup in one piece too, behind what was typed.
  await app.page.keyboard.insertText('words ')
  await expect.poll(() => holds(join(app.place.data, 'unsaved'), 'words ')).toBe(true)
  await app.crashAndStart()
  const { page } = app
  expect(app.read('notes.txt')).toBe('one\n')
  await tab(page, 'notes.txt').click()
  await expect(page.getByRole('textbox', { name: `Editor: ${path}` })).toContainText('unsaved words one')
  await expect(page.getByText('Your unsaved text from last time is back.')).toBeVisible()
  await page.getByRole('textbox', { name: `Editor: ${path}` }).click()
  await page.keyboard.press(`${mod}+s`)
  await expect.poll(() => app.read('notes.txt')).toBe('unsaved words one\n')
})

test('a second page takes over whole, with review, terminal and typed text', async ({ app, host }) => {
  test.skip(host !== 'headless', 'Electron has one page per window')
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  await openShell(page)
  await page.keyboard.type('KEPT=yes\n')
  const agent = await app.agent()
  const answer = agent.openDiff(path, proposed)
  await decide(page)
  const second = await app.secondPage()
  await expect(second.getByText('This window is open elsewhere.')).toBeVisible()
  await button(second, 'Use here').click()
  await expect(button(page, 'Use here')).toBeVisible()
  await expect(proposedText(second).getByText('LINE 27 corrected')).toBeVisible()
  await terminalInput(second).focus()
  await second.keyboard.type('echo "kept:$KEPT"\n')
  await expect(terminalScreen(second)).toContainText('kept:yes')
  await press(second, 'Accept file')
  expect(await answer).toEqual(['FILE_SAVED', decided])
  await button(page, 'Use here').click()
  await expect(terminalScreen(page)).toContainText('kept:yes')
  await expect(button(second, 'Use here')).toBeVisible()
})

test('a terminal is there after a reload, with its scrollback and its program', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await page.keyboard.type('KEPT=yes; echo fir""st; seq 1 60; echo la""st\n')
  await expect(terminalScreen(page)).toContainText('last')
  await app.reload()
  await expect(terminalScreen(page)).toContainText('last')
  await page.getByRole('region', { name: /^Terminal: / }).hover()
  await expect(terminalScreen(page)).not.toContainText('first')
  // A turn of the wheel moves a screen at most.
  await expect(async () => {
    await page.mouse.wheel(0, -2000)
    await expect(terminalScreen(page)).toContainText('first', { timeout: 100 })
  }).toPass({ intervals: [50] })
  await terminalInput(page).focus()
  await page.keyboard.type('echo "kept:$KEPT"\n')
  await expect(terminalScreen(page)).toContainText('kept:yes')
})

test('SIGTERM: lock files and processes are gone within 3 s, exit 0, no answer made up', async ({ app }) => {
  const path = app.write('list.txt', before)
  await app.start()
  const { page } = app
  await openShell(page)
  await page.keyboard.type('sleep 1000 & echo "started:$!:"\n')
  await expect(terminalScreen(page)).toContainText(/started:\d+:/)
  const agent = await app.agent()
  let answered = false
  void agent.openDiff(path, proposed).then(() => {
    answered = true
  })
  await decide(page)
  const locks = join(app.place.home, '.claude', 'ide')
  expect(readdirSync(locks)).toHaveLength(1)
  const family = descendants(app.pid)
  expect(family.length).toBeGreaterThan(1)
  const { code, took } = await app.stop()
  expect(code).toBe(0)
  expect(took).toBeLessThan(3000)
  expect(readdirSync(locks)).toEqual([])
  await expect.poll(() => family.filter(isAlive)).toEqual([])
  expect(answered).toBe(false)
  expect(app.read('list.txt')).toBe(before)
})

/** The processes that come from one, itself first. */
function descendants(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const of = (parent: number): number[] => [
    parent,
    ...rows.flatMap(([child = 0, its]) => (its === parent ? of(child) : [])),
  ]
  return of(pid)
}

function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

test('what is typed in the very moment of a reload is kept, also while others change the review', async ({
  app,
}) => {
  const path = app.write('list.txt', 'one\ntwo\n')
  await app.start()
  const { page } = app
  const agent = await app.agent()
  const answer = agent.openDiff(path, 'one\nfixed\n')
  const text = proposedText(page)
  await expect(review(page)).toBeVisible()
  for (const round of [1, 2, 3]) {
    await text.getByText('fixed').first().click()
    await page.keyboard.press('End')
    // One is on its way or has not been sent, the other never is before the page goes; the base is another one then.
    const isTyped = page.evaluate(async (typed) => {
      document.execCommand('insertText', false, ` on its way ${typed}`)
      await new Promise((resolve) => setTimeout(resolve, typed === 1 ? 0 : 38 + typed))
      document.execCommand('insertText', false, ` at last ${typed}`)
      await Promise.resolve()
      const shown = document.querySelector('[aria-label^="Proposed text"]')?.textContent ?? ''
      location.reload()
      return shown.includes(` at last ${typed}`)
    }, round)
    if (round === 3) app.write('list.txt', 'zero\none\ntwo\n')
    // The page may be gone before it has said so.
    expect(await isTyped.catch(() => true)).toBe(true)
    const all = [1, 2, 3].slice(0, round).map(typedIn).join('')
    await expect.poll(() => text.innerText()).toContain(`fixed${all}`)
  }
  await expect(text.getByText('zero')).toBeVisible()

  // The agent asks anew while the last of it is under way.
  await text.getByText('fixed').first().click()
  await page.keyboard.press('End')
  await page.keyboard.insertText(' and more')
  const again = agent.openDiff(path, 'zero\none\nfixed\nthree\n')
  expect(await answer).toEqual(['DIFF_REJECTED'])
  await expect(text.getByText('three')).toBeVisible()
  await press(page, 'Apply your edits')
  await expect.poll(() => text.innerText()).toContain(`fixed${[1, 2, 3].map(typedIn).join('')} and more`)
  await press(page, 'Accept file')
  expect((await again)[1]).toContain(' and more')
})

const typedIn = (round: number) => ` on its way ${round} at last ${round}`
