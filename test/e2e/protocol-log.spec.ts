import { readFileSync, statSync } from 'node:fs'
import { expect } from '@playwright/test'
import { openShell, runCommand, tab, test } from './open-app'

test('the log names what passed, folds what stands in files, finds and exports', async ({ app }) => {
  const path = app.write('hello.txt', 'one\n')
  await app.start()
  const { page } = app
  await page.getByRole('button', { name: 'Connections panel' }).click()
  await page.getByRole('button', { name: 'Log view' }).click()
  const log = page.getByRole('region', { name: 'Log', exact: true })
  await expect(log.getByText('No messages yet')).toBeVisible()

  const agent = await app.agent()
  // It is never answered: the agent goes.
  void agent.openDiff(path, 'nobody reads this\n')
  await expect(tab(page, 'hello.txt')).toBeVisible()
  await log.getByRole('option', { name: /^From the agent: tools\/call openDiff/ }).click()
  const message = log.getByRole('region', { name: /^Message / })
  await expect(message.getByText('"$folded"')).toBeVisible()
  await expect(message.getByText('nobody reads this')).toHaveCount(0)

  await log.getByRole('searchbox', { name: 'Search in messages' }).fill('hello.txt')
  await expect(log.getByRole('status')).toHaveText('1 message found')
  await log.getByRole('searchbox').fill('nobody reads')
  await expect(log.getByRole('status')).toHaveText('0 messages found')
  await log.getByRole('searchbox').fill('')

  agent.kill()
  await expect(log.getByRole('option', { name: /, ended / })).toBeAttached()
  await log.getByRole('button', { name: 'Export as JSON lines' }).click()
  const exported = page.getByRole('textbox', { name: /^Editor: .*protocol-logs.*\.jsonl$/ })
  await expect(exported).toBeVisible()
  const name = await exported.getAttribute('aria-label')
  const file = (name ?? '').replace('Editor: ', '')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ greenlightLog: 1, dialect: 'claude-ide' })
  expect(lines.join('')).not.toContain('nobody reads')
  expect(lines.join('')).toContain('openDiff')
})

test('the log is walked by keys and follows its end', async ({ app }) => {
  await app.start()
  const { page } = app
  await openShell(page)
  await app.agent()
  await runCommand(page, 'Show protocol log')
  const list = page.getByRole('listbox', { name: 'Messages' })
  await expect(list.getByRole('option').last()).toBeInViewport()
  await list.focus()
  await page.keyboard.press('Home')
  await expect(list.getByRole('option', { name: /initialize/ }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('End')
  await expect(list.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
})
