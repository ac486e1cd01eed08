import type { AgentDescription } from './agent'
import { claude } from './claude'
import { codex } from './codex'
import { gemini } from './gemini'
import { openCode } from './opencode'
import { qwen } from './qwen'

/** Every agent that Greenlight knows, in the order in which they are offered. */
export const agents: readonly AgentDescription[] = [claude, gemini, qwen, codex, openCode]
