import { expect, type Page } from '@playwright/test'
import { accessibilityFaults } from '../accessibility'
import { type ScriptedApp, test } from '../scripted-agent/scripted-app'
import type { ScriptedAgent } from '../scripted-agent/agent'
import { notices, runCommand } from './open-app'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New conversation' })
const box = (page: Page, name: string) => dialog(page).getByRole('combobox', { name, exact: true })
const start = (page: Page) => dialog(page).getByRole('button', { name: 'Start conversation' })
const first = (page: Page) => dialog(page).getByRole('textbox', { name: 'First message' })
const begun = (robo: ScriptedAgent) =>
  robo.call<{ id: string; values: object; first: string | null }[]>('begun', {})

async function openDialog(app: ScriptedApp) {
  await app.start()
  const robo = await app.scripted()
  await app.page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect(box(app.page, 'Agent')).toHaveValue('robo')
  return { robo, page: app.page }
}

test('a conversation is begun with what was chosen and its first words, and remembers the choice', async ({
  app,
}) => {
  const { robo, page } = await openDialog(app)
  // Whoever is in a hurry writes and presses Enter.
  await expect(first(page)).toBeFocused()
  await expect(box(page, 'Model')).toHaveValue('large')
  await box(page, 'Model').selectOption('Small')
  await expect(dialog(page).getByText('Quick, and good enough for most things.')).toBeVisible()
  await expect(dialog(page).getByRole('status')).toHaveCount(0)
  await box(page, 'Permission mode').selectOption('Never ask')
  await expect(dialog(page).getByText(/changes files and runs commands without asking/)).toBeVisible()
  await box(page, 'Permission mode').selectOption('Plan only')
  await expect(dialog(page).getByText(/without asking/)).toHaveCount(0)
  await first(page).fill('Look at the pump.')
  await first(page).press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('You said: Look at the pump.')
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused()
  expect(await begun(robo)).toMatchObject([
    { values: { model: 'small', permissionMode: 'plan' }, first: 'Look at the pump.' },
  ])
  // The palette has it too; without words it just opens.
  await runCommand(page, 'New conversation')
  await expect(box(page, 'Model')).toHaveValue('small')
  await expect(first(page)).toHaveValue('')
  await start(page).click()
  await expect(page.getByRole('tab', { name: 'A talk with Robo' })).toHaveCount(2)
  expect(await begun(robo)).toMatchObject([{}, { first: null }])
})

test('what is wrong is said where it is wrong, and nothing that was written is lost', async ({ app }) => {
  const { robo, page } = await openDialog(app)
  const more = dialog(page).getByRole('button', { name: 'More' })
  await expect(dialog(page).getByRole('textbox', { name: 'Session id' })).toBeHidden()
  await more.click()
  await dialog(page).getByRole('textbox', { name: 'Session id' }).fill('short')
  await more.click()
  await expect(dialog(page).getByRole('textbox', { name: 'Session id' })).toBeHidden()
  await first(page).fill('Do not lose this.')
  await start(page).click()
  // It unfolds where something in it is wrong.
  const id = dialog(page).getByRole('textbox', { name: 'Session id' })
  await expect(id).toBeVisible()
  await expect(id).toHaveAttribute('aria-invalid', 'true')
  await expect(id).toBeFocused()
  await expect(id).toHaveAccessibleDescription(/Write at least 8 characters\./)
  await id.fill('long enough')
  await expect(id).toBeVisible()
  await box(page, 'Model').selectOption('Something else …')
  await dialog(page).getByRole('textbox', { name: 'Something else for Model' }).fill('broken')
  await start(page).click()
  await expect(
    dialog(page).getByText('Robo doesn’t know this model. Choose another one.', { exact: true }),
  ).toBeVisible()
  expect(await begun(robo)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New conversation' }).first()).toBeFocused()
  await page.reload()
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect(first(page)).toHaveValue('Do not lose this.')
  await page.keyboard.press('Escape')
  await robo.call('offer', { problem: 'This folder isn’t trusted yet. Trust it, then begin again.' })
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await box(page, 'Agent').selectOption('Robo')
  await expect(dialog(page).getByText('This folder isn’t trusted yet.')).toBeVisible()
  await expect(start(page)).toBeDisabled()
})

test('what is wrong is said also when the dialog is closed by then', { tag: '@long' }, async ({ app }) => {
  const { page } = await openDialog(app)
  await box(page, 'Model').selectOption('Something else …')
  await dialog(page).getByRole('textbox', { name: 'Something else for Model' }).fill('broken later')
  await start(page).click()
  await expect(dialog(page).getByRole('button', { name: 'Starting …' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New conversation' }).first().click()
  await expect(box(page, 'Agent')).toBeVisible()
  await page.keyboard.press('Escape')
  const told = notices(page).getByText('Robo doesn’t know this model.')
  await expect(told).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  const tag = colorScheme === 'light' ? [] : '@long'
  test(`the dialog can be used by everybody, ${colorScheme}`, { tag }, async ({ app }, info) => {
    const { page } = await openDialog(app)
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: info.outputPath('plain.png') })
    expect(await accessibilityFaults(page, '[role=dialog]')).toEqual([])
    await box(page, 'Permission mode').selectOption('Never ask')
    await dialog(page).getByRole('button', { name: 'More' }).click()
    await dialog(page).getByRole('textbox', { name: 'Session id' }).fill('short')
    await first(page).fill('A long first message. '.repeat(40))
    await start(page).click()
    await expect(dialog(page).getByText(/Write at least 8/)).toBeVisible()
    await page.screenshot({ path: info.outputPath('all.png') })
    expect(await accessibilityFaults(page, '[role=dialog]')).toEqual([])
    await page.setViewportSize({ width: 700, height: 500 })
    await page.screenshot({ path: info.outputPath('narrow.png') })
  })
}
