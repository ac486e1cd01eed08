import { claude } from '../../core/agents/claude'
import { dialectId } from '../../protocols/claude-sdk/dialect-id'
import type { OpenDialect, WindowDialect } from '../dialect-kit/dialect'
import { ClaudeStarter } from './claude-starter'

/** Claude Code's stream protocol (docs/protocols/claude-sdk.md): conversations without a terminal. */
export const claudeSdk: WindowDialect = {
  scope: 'window',
  id: dialectId,
  readyAs: 'sdk',
  about: {
    agent: 'Claude',
    name: 'Claude Code',
    toggle: 'Let Claude Code connect',
    protocol: 'Stream protocol',
    address: '',
    file: '',
    whenOff: '',
    noteWhenKnown: null,
  },
  agents: claude.title,
  known: [],
  portVariable: '',
  anywhereByVariable: false,
  containerVariable: null,
  connectCommand: null,
  findFiles: () => Promise.resolve([]),
  open: (window): OpenDialect => ({
    readiness: () => null,
    variables: () => ({}),
    matchTerminals: () => undefined,
    typeNote: () => undefined,
    starters: [new ClaudeStarter(window, claudeSdk)],
  }),
}
