import { claudeIde } from './claude-ide/claude-ide'
import type { AppDialect, Dialect, WindowDialect } from './dialect-kit/dialect'
import { geminiCompanion } from './gemini-companion/gemini-companion'
import { sessionServer } from './session-server/app-session-server'

/** Every way in which agents and programs talk to Greenlight. Nothing else names one. */
export const dialects: readonly Dialect[] = [claudeIde, geminiCompanion, sessionServer]

export const windowDialects = dialects.filter((one): one is WindowDialect => one.scope === 'window')
export const appDialects = dialects.filter((one): one is AppDialect => one.scope === 'app')
