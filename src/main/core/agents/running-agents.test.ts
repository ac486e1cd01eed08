import { expect, test } from 'vitest'
import { agentOfCommandLine } from './running-agents'

test.each<[string | null, string[]]>([
  ['claude', ['claude']],
  ['claude', ['/home/ada/.local/bin/claude', '--permission-mode', 'manual']],
  ['claude', ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js']],
  ['claude', ['/x/node_modules/@anthropic-ai/claude-code-linux-x64/claude']],
  ['gemini', ['/usr/bin/node', '--no-warnings=DEP0040', '/usr/local/bin/gemini', '-y']],
  ['gemini', ['node.exe', 'C:\\npm\\node_modules\\@google\\gemini-cli\\dist\\index.js']],
  ['qwen', ['node', '/x/bin/qwen']],
  [null, ['node', '/x/server.js', 'gemini']],
  [null, ['vim', 'claude']],
  [null, ['/usr/bin/claudette']],
  [null, ['node', '-v']],
  [null, []],
])('%s: %j', (agent, words) => expect(agentOfCommandLine(words)?.id ?? null).toBe(agent))
