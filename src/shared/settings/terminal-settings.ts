import { amount, choice, onOff, other, words } from './setting'

/** A program that the person wants in the New terminal menu. */
export interface OwnProfile {
  id: string
  title: string
  command: string
  args: string[]
}

export const terminalSettings = {
  terminalFontSize: amount({
    title: 'Terminal text size',
    sentence: 'Text size in terminals.',
    scope: 'person',
    default: 13,
    min: 8,
    max: 32,
    step: 1,
    unit: 'px',
  }),
  terminalPosition: choice({
    title: 'Terminals',
    sentence: 'Where the terminals are.',
    scope: 'folder',
    default: 'bottom',
    options: [
      ['bottom', 'Below the editor'],
      ['right', 'To the right of the editor'],
    ],
  }),
  terminalShell: words({
    title: 'Shell',
    sentence: 'The program that new shell terminals start, by name or path.',
    scope: 'person',
    default: '',
    longest: 4096,
    placeholder: 'System default',
  }),
  terminalEditor: onOff({
    title: 'Use Greenlight as $EDITOR',
    sentence: 'Commands in new terminals that open an editor, such as git commit, open files here.',
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
  terminalProfiles: other<OwnProfile[]>([], {
    title: 'Custom terminals',
    sentence: 'Your own programs in the New terminal menu: a list of id, title, command and args.',
    scope: 'person',
  }),
}
