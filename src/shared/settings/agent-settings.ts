import { choice } from './setting'

export const agentSettings = {
  /** '' leaves the mode to the CLI's own settings. */
  claudePermissionMode: choice({
    title: 'Claude Code starts',
    sentence: 'In which mode the New terminal menu starts Claude Code; only the first always proposes.',
    group: 'agents',
    scope: 'folder',
    default: 'manual',
    options: [
      ['manual', 'Asking before each change'],
      ['plan', 'In plan mode'],
      ['acceptEdits', 'Writing without asking'],
      ['auto', 'Deciding by itself when to ask'],
      ['bypassPermissions', 'Without any question'],
      ['', 'By its own settings'],
    ],
  }),
}
