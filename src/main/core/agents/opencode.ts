import type { AgentDescription } from './agent'

export const openCode: AgentDescription = {
  id: 'opencode',
  title: 'OpenCode',
  name: 'OpenCode',
  command: 'opencode',
  npmPackage: 'opencode-ai',
  connectsSince: null,
  isSuggested: true,
  start: null,
}
