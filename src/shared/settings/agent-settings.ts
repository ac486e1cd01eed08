import { choice, onOff } from './setting'

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
  sessionsResume: onOff({
    title: 'A message resumes its session',
    sentence:
      'What you send to a session of Claude Code that does not run resumes it in a new terminal; otherwise it has to be resumed first.',
    group: 'agents',
    scope: 'person',
    default: true,
  }),
}
