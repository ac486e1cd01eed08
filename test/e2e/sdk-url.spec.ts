import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { SdkUrlClient } from '../sdk-url-client'
import { button, keepTyping, type OpenApp, test } from './open-app'

/** The address in the file that the command names. */
function addressOf({ place }: OpenApp): { file: string; address: string } {
  const folder = join(place.data, 'sdk-servers')
  const file = join(folder, readdirSync(folder)[0] ?? '')
  return { file, address: readFileSync(file, 'utf8').trim() }
}

test('a program that connects by --sdk-url has its conversation in a tab, and what it asks is answered there', async ({
  app,
}) => {
  await app.start()
  const { page, place } = app
  const { file, address } = addressOf(app)

  // How it is started stands with its server; the secret doesn't.
  await button(page, 'Connections panel').click()
  const server = page.getByRole('region', { name: 'Server for programs with --sdk-url' })
  await expect(server.getByText(`claude --sdk-url "$(cat '${file}')"`)).toBeVisible()
  await expect(button(server, 'Copy the command')).toBeVisible()
  await expect(server.getByText('up to version 2.1.119')).toBeVisible()
  expect(await page.content()).not.toContain(address.split('/').at(-1))

  // It also stands where a conversation is begun.
  await button(page, 'New conversation').first().click()
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await expect(button(dialog, 'Copy the command')).toBeHidden()
  await button(dialog, 'Start it in a terminal instead').click()
  await expect(dialog.getByText(`claude --sdk-url "$(cat '${file}')"`)).toBeVisible()
  await expect(button(dialog, 'Copy the command')).toBeVisible()
  await expect(dialog.getByText('Newer versions connect only to their vendor’s servers')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('new-conversation.png') })
  await button(dialog, 'Cancel').click()

  const client = new SdkUrlClient(address, place.project)
  await client.opened
  await page.getByRole('tab', { name: 'Claude by WebSocket' }).click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Please review this code')
  await page.keyboard.press('Enter')
  // What is asked stays where one types.
  await keepTyping(page)
  expect(await client.prompt()).toBe('Please review this code')
  const log = page.getByRole('log', { name: 'Conversation' })
  const bash = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls -la' } }
  client.assistant({ type: 'text', text: 'I look at it.' }, bash)
  await expect(log.getByText('I look at it.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Claude in project' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Connected agents' }).getByText('2.1.39')).toBeVisible()
  expect(await accessibilityFaults(page)).toEqual([])

  await page.screenshot({ path: test.info().outputPath('connected.png') })
  const allowed = client.ask('Bash', { command: 'ls -la' })
  await button(page, 'Show approval').click()
  const allow = button(page.getByRole('group', { name: /^Approval: / }), 'Allow once')
  await expect(allow).toBeEnabled()
  await allow.click()
  expect(await allowed).toMatchObject({ subtype: 'can_use_tool_result', result: { behavior: 'allow' } })
  client.result('Done.')
  client.close()
  await page.getByRole('tab', { name: 'Claude in project' }).click()
  await expect(page.getByText('The program has hung up.').first()).toBeVisible()

  // Off, its port is closed and the file is gone.
  await server.getByRole('switch', { name: 'Let programs connect by --sdk-url' }).click()
  await expect(server.getByText('Off for this folder.')).toBeVisible()
  expect(readdirSync(join(place.data, 'sdk-servers'))).toEqual([])
})
