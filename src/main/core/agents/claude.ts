import type { AgentDescription, FoundAgent } from './agent'

/**
 * Claude Code. In a terminal it is started in the mode that asks before each change, for the modes that write by
 * themselves never propose a diff. (Source: measured with 2.1.330; older versions call that mode `default`.)
 */
export const claude: AgentDescription = {
  id: 'claude',
  title: 'Claude Code',
  name: 'Claude',
  command: 'claude',
  npmPackage: '@anthropic-ai/claude-code',
  connectsSince: '1.0.44',
  isSuggested: true,
  start: {
    helpArgs: ['--help'],
    argsFor(found, settings) {
      const mode = settings.claudePermissionMode
      if (mode === '') return []
      return ['--permission-mode', mode === 'manual' && !knowsManual(found) ? 'default' : mode]
    },
  },
}

/** Help names the modes; a version without readable help is taken for a current one, which knows it. */
function knowsManual(found: FoundAgent): boolean {
  const option = /--permission-mode[\s\S]*?(?=\n\s+-|\n\n|$)/.exec(found.help)?.[0]
  return option === undefined || !option.includes('choices') || /\bmanual\b/.test(option)
}
