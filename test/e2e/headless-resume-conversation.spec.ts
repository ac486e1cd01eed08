import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { SessionWriter, text } from '../conversation-harness/session-writer'
import { putClaudeOnPath, trustFolders } from '../scripted-claude/on-path'
import { runningClaudes } from '../scripted-claude/scripted-claude'
import { button, notices, type OpenApp, runCommand, tab, test } from './open-app'
import { recordSession } from './recorded-session'
import { field, log, say } from './talk-in-app'

const session = '0f8a3c52-6a8e-4d0b-9a56-0c7c9f1d2e33'
const name = 'Why is the lamp flickering?'

const list = (page: Page) => page.getByRole('list', { name: 'Sessions', exact: true })

/** Starts the app with a session of a folder, the scripted command line, and the list of sessions. */
async function openList(app: OpenApp, folder: string, trusted: readonly string[]): Promise<Locator> {
  const { place } = app
  putClaudeOnPath(place)
  trustFolders(place, trusted)
  const said = new SessionWriter(Date.UTC(2026, 0, 1)).prompt(name).reply('m-1', text('A loose contact.'))
  recordSession(place, session, said.records, folder)
  await app.start()
  await button(app.page.getByRole('navigation', { name: 'Views' }), 'Sessions').click()
  return button(list(app.page), name)
}

async function choose(page: Page, row: Locator, item: string): Promise<void> {
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
}

/** Pictures of what is shown, in both themes, and what is wrong with it for people who can't see it. */
async function look(page: Page, picture: (name: string) => string, of: string, region = '.composer') {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // It waits until no colour is on its way any more, as a picture must.
    expect(await accessibilityFaults(page, region)).toEqual([])
    await page.screenshot({ path: picture(`${of}-${colorScheme}.png`) })
  }
}

test('an ended session goes on as a conversation, to which its tab and its row then lead', async ({
  app,
}, info) => {
  const { place } = app
  const row = await openList(app, place.project, [place.project])
  const { page } = app
  const picture = (file: string) => info.outputPath(file)
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Resume in a terminal' })).toBeVisible()
  await look(page, picture, 'menu', '[role=menu]')
  await page.getByRole('menuitem', { name: 'Resume as a conversation' }).press('Enter')
  await expect(log(page)).toContainText('A loose contact.')
  await expect(field(page)).toBeFocused()
  await say(page, 'And the switch?')
  await expect(log(page)).toContainText('And the switch?')

  // Its record can still be read, and leads back to it.
  await row.click()
  const read = page.getByRole('region', { name: `Conversation: ${name}` }).filter({ visible: true })
  await expect(read).toContainText('This session is in a conversation here. Write there.')
  await expect(field(page)).toHaveAttribute('readonly')
  await look(page, picture, 'driven')
  await button(read, 'Show conversation').click()
  await expect(log(page).filter({ visible: true })).toContainText('And the switch?')
  await expect(field(page)).toBeFocused()
  await row.click()
  await choose(page, row, 'Show its conversation')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toBeEditable()
  expect(runningClaudes(place.home)).toHaveLength(1)

  // Without its tab it is over; the session's tab offers both ways, and so does the palette.
  await runCommand(page, 'Close tab')
  await expect(read).toContainText('Session ended. Sending a message resumes it in a terminal.')
  await expect(button(read, 'Resume in a terminal')).toBeVisible()
  await look(page, picture, 'ended')
  await page.setViewportSize({ width: 700, height: 600 })
  await look(page, picture, 'narrow')
  await page.setViewportSize({ width: 1400, height: 900 })
  await field(page).focus()
  await runCommand(page, 'Resume session as a conversation')
  await expect(tab(page, name)).toHaveCount(2)
  await expect(field(page)).toBeFocused()
  await say(page, 'Once more.')
  await expect(log(page).filter({ visible: true })).toContainText('Once more.')
})

test('a session of another folder goes on there, once that folder is trusted', async ({ app }) => {
  const other = join(app.place.base, 'other')
  mkdirSync(other)
  const row = await openList(app, other, [app.place.project])
  const { page } = app
  const unfold = () =>
    list(app.page)
      .getByRole('button', { name: /other, 1 session$/ })
      .click()
  await unfold()
  await choose(page, row, 'Resume as a conversation')
  await expect(notices(page)).toContainText(`${other} isn’t trusted, so nothing that belongs to it may run.`)
  await expect(notices(page)).toContainText('Trust it in the status bar of its window, then try again.')
  expect(runningClaudes(app.place.home)).toEqual([])

  await app.stop()
  trustFolders(app.place, [app.place.project, other])
  await app.start()
  await unfold()
  await choose(app.page, button(list(app.page), name), 'Resume as a conversation')
  await expect(log(app.page)).toContainText('A loose contact.')
  await expect(app.page.getByRole('region', { name: `Conversation: ${name}` })).toContainText('other')
})
