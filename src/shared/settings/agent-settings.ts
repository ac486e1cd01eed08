import { choice, onOff, wordList } from './setting'

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
  sessionServer: onOff({
    title: 'Other programs may read sessions',
    sentence:
      'Programs on this computer that have the token can read and follow your sessions, and write in them.',
    group: 'agents',
    scope: 'person',
    default: true,
  }),
  sessionServerCommands: onOff({
    title: 'Other programs may run commands in sessions',
    sentence:
      'Their messages may begin with “!”, which runs a shell command at once, or with a command such as “/clear”.',
    group: 'agents',
    scope: 'person',
    default: false,
  }),
  sessionServerOrigins: wordList({
    title: 'Web pages that may read sessions',
    sentence: 'Origins of pages in a browser, like http://localhost:3000, that may connect with the token.',
    group: 'agents',
    scope: 'person',
    default: [],
    most: 50,
    longest: 300,
    entry: 'origin',
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
