import type { PathRule } from '../gate/path-rule'
import { choice, onOff, other } from './setting'

export const gateSettings = {
  reviewWhich: choice({
    title: 'Claude Code changes',
    sentence:
      'Which changes of Claude Code in terminals are reviewed before they are written. Needs Claude Code’s hooks.',
    scope: 'folder',
    default: 'every',
    options: [
      ['every', 'Review every change'],
      ['mode', 'As the agent’s mode says'],
    ],
  }),
  reviewPathRules: other<PathRule[]>([], {
    title: 'Files agents may change',
    sentence:
      'Patterns of files that may be written without a review, are always reviewed, or may not be changed: `{"pattern": "docs/**", "answer": "write"}`, or `"ask"`, or `"never"`.',
    scope: 'folder',
    joins: true,
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
  approvalsBesideTerminal: onOff({
    title: 'Ask here what Claude Code asks in its terminal',
    sentence:
      'Also shows here what Claude Code asks in its terminal; whichever is answered first counts. Needs Claude Code’s hooks.',
    scope: 'person',
    default: true,
  }),
  terminalShellIntegration: onOff({
    title: 'Greenlight’s own claude first in shells',
    sentence:
      'Keeps Greenlight’s own `claude` first in the shells of new terminals, whatever your profile puts before it, so that changes are reviewed.',
    scope: 'person',
    default: true,
  }),
}
