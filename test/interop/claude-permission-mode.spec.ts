import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, screenOf } from './cli-in-app'
import { type ClaudeInApp, editOf, readOf, tasks, test } from './claude-in-app'

const before = 'one\ntwo\nthree\n'

const asking = (claude: ClaudeInApp): Locator =>
  claude.page.getByRole('button', { name: 'Claude: 1 connected', exact: true })
const notAsking = (claude: ClaudeInApp): Locator =>
  claude.page.getByRole('button', { name: 'Claude: 1 connected, writes without asking' })
const panel = (claude: ClaudeInApp): Locator => claude.page.getByRole('region', { name: 'Connections' })

/** Without hooks its mode alone decides what is asked, and only its session’s file shows the mode. */
test.beforeEach(({ claude }) => claude.setSettings({ claudeHooks: false }))

/** Presses Shift+Tab so often until the terminal shows a mode. */
async function switchTo(claude: ClaudeInApp, terminal: Locator, modes: readonly string[]): Promise<void> {
  await terminal.locator('.xterm-helper-textarea').focus()
  for (const mode of modes) {
    await claude.page.keyboard.press('Shift+Tab')
    await expect(screenOf(terminal)).toContainText(mode)
  }
}

test('Shift+Tab in the terminal: the app says with the next prompt that it writes without asking, and that it asks again', async ({
  claude,
}) => {
  // Two files: what is written unasked has a review of its own.
  claude.write('app.ts', before)
  claude.write('asked.ts', before)
  const path = claude.path('app.ts')
  const asked = claude.path('asked.ts')
  claude.api.setScript(
    tasks({
      'task-unasked': [readOf(path), editOf(path, 'two', 'TWO')],
      'task-asked': [readOf(asked), editOf(asked, 'three', 'THREE'), editOf(asked, 'one', 'ONE')],
    }),
  )
  await claude.start()
  const terminal = await claude.openClaude()
  await asking(claude).click()
  await expect(panel(claude)).toContainText(
    'Changes to its permission mode appear here after its next prompt.',
  )

  await switchTo(claude, terminal, ['accept edits on'])
  await claude.prompt(terminal, 'do task-unasked')
  await expect(notAsking(claude)).toBeVisible()
  await expect(panel(claude)).toContainText('Claude is now in “accept edits” mode')
  await claude.told('task-unasked')
  expect(claude.read('app.ts')).toBe('one\nTWO\nthree\n')
  await claude.picture('accepts-its-own-edits')

  await expect(screenOf(terminal)).toContainText('task-unasked is done.')
  await switchTo(claude, terminal, ['plan mode on', 'auto mode on', 'manual mode on'])
  await claude.prompt(terminal, 'do task-asked')
  const tab = claude.page.getByRole('tab', { name: 'asked.ts', exact: true })
  await tab.click()
  await claude.accept('asked.ts')
  await claude.told('task-asked')
  // An accepted edit is no unasked one: by the time the next review takes decisions, its result has been read.
  // The tab of the review before may be found while it is going away.
  await expect(async () => {
    await tab.click()
    await expect(claude.page.getByRole('region', { name: `Review: ${asked}` })).toBeVisible({
      timeout: 2_000,
    })
  }).toPass()
  await claude.review('asked.ts')
  await expect(asking(claude)).toBeVisible()
  await expect(panel(claude)).not.toContainText('without review')
  await claude.accept('asked.ts')
  await claude.told('task-asked', 3)
  expect(claude.read('asked.ts')).toBe('ONE\ntwo\nTHREE\n')
})

test(
  '"Yes, and switch to accept edits" in the terminal: the app says so at once',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    claude.api.setScript(
      tasks({ 'task-switch': [readOf(path), editOf(path, 'two', 'TWO'), editOf(path, 'three', 'THREE')] }),
    )
    await claude.start()
    const terminal = await claude.openClaude()
    await claude.prompt(terminal, 'do task-switch')
    await claude.review('app.ts')
    await expect(screenOf(terminal)).toContainText('2. Yes, and switch to accept edits')
    await expect(asking(claude)).toBeVisible()
    await claude.answer(terminal, '2', '2. Yes, and switch to accept edits')
    await claude.told('task-switch', 3)
    expect(claude.read('app.ts')).toBe('one\nTWO\nTHREE\n')
    await notAsking(claude).click()
    await expect(panel(claude)).toContainText('“accept edits” mode')
  },
)

test(
  'a rule that allows edits: the app says what was written unasked, though the mode asks',
  { tag: '@long' },
  async ({ claude }) => {
    claude.write('app.ts', before)
    const path = claude.path('app.ts')
    const settings = { permissions: { allow: ['Edit'] } }
    writeFileSync(join(claude.place.config, 'settings.json'), JSON.stringify(settings))
    claude.api.setScript(tasks({ 'task-rule': [readOf(path), editOf(path, 'two', 'TWO')] }))
    await claude.start()
    const terminal = await claude.openClaude()
    await expect(asking(claude)).toBeVisible()
    await claude.prompt(terminal, 'do task-rule')
    await claude.told('task-rule')
    expect(claude.read('app.ts')).toBe('one\nTWO\nthree\n')
    await notAsking(claude).click()
    await expect(panel(claude)).toContainText(
      'A permission rule lets Claude write without review, as it just did with app.ts.',
    )
  },
)

test(
  'Claude started by hand: its first prompt shows in which mode it is',
  { tag: '@long' },
  async ({ claude }) => {
    await claude.start()
    await claude.page.getByRole('button', { name: 'New terminal' }).first().click()
    await claude.page.getByRole('menuitem', { name: 'Shell' }).click()
    const terminal = claude.page.getByRole('region', { name: 'Terminal: Shell', exact: true })
    await claude.prompt(terminal, 'claude --permission-mode acceptEdits')
    await asking(claude).click()
    await expect(panel(claude)).toContainText('Claude uses its own permission mode')
    await expect(screenOf(terminal)).toContainText('accept edits on')
    await claude.prompt(terminal, 'hello')
    await expect(notAsking(claude)).toBeVisible()
    await expect(panel(claude)).toContainText('Claude is now in “accept edits” mode')
  },
)
