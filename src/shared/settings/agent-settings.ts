import { choice, onOff, wordList } from './setting'

export const agentSettings = {
  /** '' leaves the mode to the CLI's own settings. */
  claudePermissionMode: choice({
    title: 'Claude Code permission mode',
    sentence:
      'The permission mode for new Claude Code terminals. Only the first always asks before a change.',
    scope: 'folder',
    default: 'manual',
    options: [
      ['manual', 'Ask before each change'],
      ['plan', 'Plan'],
      ['acceptEdits', 'Accept edits'],
      ['auto', 'Auto'],
      ['bypassPermissions', 'Bypass permissions'],
      ['', 'Claude’s own setting'],
    ],
  }),
  sessionServer: onOff({
    title: 'Let other programs read sessions',
    sentence: 'Programs on this computer that have the token can read, follow and write to your sessions.',
    scope: 'person',
    default: true,
  }),
  sessionServerCommands: onOff({
    title: 'Let other programs run commands in sessions',
    sentence:
      'Their messages may begin with “!”, which runs a shell command immediately, or with a command such as “/clear”.',
    scope: 'person',
    default: false,
  }),
  sessionServerOrigins: wordList({
    title: 'Web pages that may read sessions',
    sentence: 'Origins of pages in a browser, like http://localhost:3000, that may connect with the token.',
    scope: 'person',
    default: [],
    most: 50,
    longest: 300,
    entry: 'origin',
  }),
  sessionsResume: onOff({
    title: 'Resume a session by sending a message',
    sentence: 'Sending a message to an ended Claude Code session resumes it in a new terminal.',
    scope: 'person',
    default: true,
  }),
}
