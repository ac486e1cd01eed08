import type { AgentDescription } from './agent'

export const codex: AgentDescription = {
  id: 'codex',
  title: 'Codex',
  name: 'Codex',
  command: 'codex',
  npmPackage: '@openai/codex',
  connectsSince: null,
  isSuggested: true,
  start: null,
}
