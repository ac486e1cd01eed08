import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { putClaudeOnPath, trustFolders } from '../scripted-claude/on-path'
import { button, runCommand, tab, test } from './open-app'
import { log, say } from './talk-in-app'

/** Begins a conversation with the scripted command line by the dialog. */
async function converse(page: Page, first: string): Promise<void> {
  await runCommand(page, 'New conversation')
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('textbox', { name: 'First message' }).fill(first)
  await button(dialog, 'Start conversation').click()
  await expect(dialog).toHaveCount(0)
}

/** Adds a rule for files in the tab of rules. */
async function addRule(page: Page, pattern: string, where: string, answer: string): Promise<void> {
  const form = page.getByRole('form', { name: 'New rule for files' })
  await form.getByRole('textbox', { name: 'Pattern' }).fill(pattern)
  await form.getByRole('combobox', { name: 'Where the rule holds' }).selectOption(where)
  await form.getByRole('combobox', { name: 'What agents may do' }).selectOption(answer)
  await button(form, 'Add rule').click()
  await expect(form.getByRole('textbox', { name: 'Pattern' })).toHaveValue('')
}

test('rules for files hold in a conversation: what one lets through is counted, on record, and put back; another refuses', async ({
  app,
}, info) => {
  const { place } = app
  putClaudeOnPath(place)
  trustFolders(place, [place.project])
  await app.start()
  const { page } = app
  await page.getByRole('button', { name: /^Claude: / }).click()
  await button(page, 'Approvals, their rules and record').click()
  await button(page, 'Rules').click()
  await addRule(page, 'docs/**', 'Only in project', 'May be written')
  await addRule(page, 'migrations/**', 'Everywhere', 'May not be changed')
  const rules = page.getByRole('list', { name: 'Patterns of files' }).getByRole('listitem')
  await expect(rules).toHaveText([/^docs\/\*\*Only in project/, /^migrations\/\*\*Everywhere/])
  const stored = (name: string) => JSON.parse(readFileSync(join(place.data, name), 'utf8')) as object
  expect(stored('settings.json')).toMatchObject({ reviewPathRules: [{ pattern: 'migrations/**' }] })
  expect(stored('folder-settings.json')).toEqual({
    [place.project]: { reviewPathRules: [{ pattern: 'docs/**', answer: 'write' }] },
  })

  const [doc, migration] = [app.path('docs/a.md'), app.path('migrations/1.sql')]
  mkdirSync(app.path('docs'))
  await converse(page, `write ${doc} by a rule`)
  await expect(log(page)).toContainText('wrote by a rule')
  await say(page, `write ${migration} drop`)
  await expect(log(page)).toContainText('“migrations/**” doesn’t let agents change this file')
  expect([readFileSync(doc, 'utf8'), existsSync(migration)]).toEqual(['by a rule\n', false])

  await tab(page, 'Approvals').click()
  await expect(rules.first()).toContainText('1 write in 7 days')
  for (const [name, colorScheme, width] of [
    ['light', 'light', 1400],
    ['dark', 'dark', 1400],
    ['narrow', 'light', 640],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: info.outputPath(`rules-${name}.png`), animations: 'disabled' })
  }
  await page.setViewportSize({ width: 1400, height: 900 })

  const printed = await place.run(['record', app.path('docs'), '--json', '--data-dir', place.data])
  expect(JSON.parse(printed.stdout)).toMatchObject({
    ...{ path: doc, dialect: 'claude-sdk', agent: 'Claude', turn: 'prompt-1', how: 'let-through' },
    session: '11111111-2222-4333-8444-555555555555',
  })
  await page.getByRole('button', { name: 'No reviews' }).click()
  const receipt = page.getByRole('listitem').filter({ hasText: 'Written by rule docs' })
  await receipt.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => existsSync(doc)).toBe(false)
})
