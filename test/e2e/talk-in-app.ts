import { expect, type Page } from '@playwright/test'
import type { ScriptedApp } from '../scripted-agent/scripted-app'
import { review } from './open-app'

/** The field of the conversation in sight: each tab has its own. */
export const field = (page: Page) => page.getByLabel('Message', { exact: true }).filter({ visible: true })
export const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
export const waiting = (page: Page) =>
  page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
/** A picture of one pixel, as base64. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** Sends a message, and waits until it is delivered. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('')
}

/** Pastes a picture of one pixel into the field. */
export async function pastePicture(page: Page, name = 'plan.png'): Promise<void> {
  await field(page).evaluate(
    (element, file) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([bytes], file.name, { type: 'image/png' }))
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
      )
    },
    { name, data: png },
  )
}

/**
 * Waits for a review that a conversation asks for, and shows the conversation. Whether the review has come to the front
 * by itself depends on how long ago something was typed.
 */
export async function backFromReview(page: Page, file: string, conversation: RegExp): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Open files and reviews' })
  const named = file.replaceAll('.', String.raw`\.`)
  await tabs.getByRole('tab', { name: new RegExp(`^${named}`) }).click()
  await expect(review(page)).toBeVisible()
  await tabs.getByRole('tab', { name: conversation }).click()
}

/** Starts the app with a conversation of a scripted agent, with so many messages at first. */
export async function converse(app: ScriptedApp, messages = 0) {
  await app.start()
  const robo = await app.scripted()
  const { id } = await robo.call<{ id: string }>('converse', { title: 'A talk with Robo', messages })
  await expect(field(app.page)).toBeEditable()
  return { robo, id, page: app.page }
}
