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

export { expect } from '@playwright/test'
