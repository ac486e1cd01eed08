import { builtPage } from '../built-page'
import type { ConversationStage } from './stage'

declare global {
  interface Window {
    stage: ConversationStage
  }
}

/** Specs on a conversation alone. */
export const test = builtPage('conversation-harness', 'scene=rich')

export { expect } from '@playwright/test'
