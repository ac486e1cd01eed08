import type { AgentDescription } from './agent'

/** Qwen Code, a fork of Gemini CLI; started by one of the person's own profiles. */
export const qwen: AgentDescription = {
  id: 'qwen',
  title: 'Qwen Code',
  name: 'Qwen',
  command: 'qwen',
  npmPackage: '@qwen-code/qwen-code',
  connectsSince: '0.15.0',
  isSuggested: false,
  start: null,
}
