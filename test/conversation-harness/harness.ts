import { expect, type Page } from '@playwright/test'
import { builtPage } from '../built-page'
import type { ConversationStage } from './stage'

declare global {
  interface Window {
    stage: ConversationStage
    /** Ends what a test has held. */
    deliver: () => void
    /** How often something was asked for that a test counts. */
    asked: number
    /** How far from its end the list stood, frame by frame. */
    distances: number[]
  }
}

/** Specs on a conversation alone. */
export const test = builtPage('conversation-harness', 'scene=rich')

export { expect }

/** Counts in `window.asked` the rows that are drawn from now on; each asks for its item. Waits until the first are drawn. */
export async function countDrawnRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { transcript } = window.stage
    const at = transcript.at.bind(transcript)
    transcript.at = (index) => {
      window.asked++
      return at(index)
    }
  })
  const drawnInTenFrames = () =>
    page.evaluate(async () => {
      window.asked = 0
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
      return window.asked
    })
  await expect.poll(drawnInTenFrames).toBe(0)
}
