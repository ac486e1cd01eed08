import { expect, type Page } from '@playwright/test'
import type { ScriptedApp } from '../scripted-agent/scripted-app'

/** The field of the conversation in sight: each tab has its own. */
export const field = (page: Page) => page.getByLabel('Message', { exact: true }).filter({ visible: true })
export const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
export const waiting = (page: Page) =>
  page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
/** A picture of one pixel, as base64. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Sends a message, and waits until it is delivered. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('')
}

/** Starts the app with a conversation of a scripted agent, with so many messages at first. */
export async function converse(app: ScriptedApp, messages = 0) {
  await app.start()
  const robo = await app.scripted()
  const { id } = await robo.call<{ id: string }>('converse', { title: 'A talk with Robo', messages })
  await expect(field(app.page)).toBeEditable()
  return { robo, id, page: app.page }
}
