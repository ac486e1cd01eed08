import type { AgentDescription } from './agent'
import { claude } from './claude'
import { codex } from './codex'
import { gemini } from './gemini'
import { openCode } from './opencode'
import { qwen } from './qwen'

/** Every agent that Greenlight knows, in menu order. */
export const agents: readonly AgentDescription[] = [claude, gemini, qwen, codex, openCode]
