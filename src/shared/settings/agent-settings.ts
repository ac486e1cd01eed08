import { choice, onOff, wordList } from './setting'

export const agentSettings = {
  /** '' leaves the mode to the CLI's own settings. */
  claudePermissionMode: choice({
    title: 'Claude Code permission mode',
    sentence:
      'The permission mode for new Claude Code terminals. With Claude Code’s hooks, changes are reviewed in all of them.',
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
  claudeHooks: onOff({
    title: 'Use Claude Code’s hooks',
    sentence:
      'Claude Code in terminals asks here before each change, in every permission mode. Off: only its mode decides what is asked.',
    scope: 'folder',
    default: true,
  }),
  reviewWhich: choice({
    title: 'Claude Code changes',
    sentence:
      'Which changes of Claude Code are reviewed before they are written, in terminals and conversations. In terminals this needs its hooks.',
    scope: 'folder',
    default: 'every',
    options: [
      ['every', 'Review every change'],
      ['mode', 'As the agent’s mode says'],
    ],
  }),
  approvalsBesideTerminal: onOff({
    title: 'Ask here what Claude Code asks in its terminal',
    sentence:
      'Also shows here what Claude Code asks in its terminal; whichever is answered first counts. Needs Claude Code’s hooks.',
    scope: 'person',
    default: true,
  }),
  claudeHooksDespiteOff: choice({
    title: 'Claude Code’s hooks where they are switched off',
    sentence:
      'Where settings of Claude Code switch hooks off, switches them on for Claude Code in Greenlight: your own and Greenlight’s.',
    scope: 'person',
    default: 'ask',
    options: [
      ['ask', 'Ask'],
      ['on', 'Switch on'],
      ['off', 'Leave off'],
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
