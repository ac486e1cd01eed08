import { claudeHooks } from './claude-hooks/claude-hooks'
import { claudeIde } from './claude-ide/claude-ide'
import { claudeSdk } from './claude-sdk/claude-sdk'
import type { Dialect } from './dialect-kit/dialect'
import { geminiCompanion } from './gemini-companion/gemini-companion'
import { sessionServer } from './session-server/app-session-server'

/** Every way in which agents and programs talk to Greenlight, unless whoever starts it says otherwise. Nothing else names one. */
export const dialects: readonly Dialect[] = [
  claudeIde,
  claudeHooks,
  geminiCompanion,
  claudeSdk,
  sessionServer,
]
