import type { AgentDescription, FoundAgent } from './agent'

/**
 * Claude Code. In a terminal it starts in the mode that asks before each change, because the modes that write without
 * asking never propose a diff. (Measured with 2.1.330; older versions call that mode `default`.)
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

/** The help names the modes; a version without readable help is assumed to be current and to know it. */
function knowsManual(found: FoundAgent): boolean {
  const option = /--permission-mode[\s\S]*?(?=\n\s+-|\n\n|$)/.exec(found.help)?.[0]
  return option === undefined || !option.includes('choices') || /\bmanual\b/.test(option)
}
