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
    sentence: 'How large the letters of terminals are.',
    group: 'terminals',
    scope: 'person',
    default: 13,
    min: 8,
    max: 32,
    step: 1,
    unit: 'px',
  }),
  terminalPosition: choice({
    title: 'Terminals',
    sentence: 'Where terminals stand.',
    group: 'terminals',
    scope: 'folder',
    default: 'bottom',
    options: [
      ['bottom', 'Below the editor'],
      ['right', 'Right of the editor'],
    ],
  }),
  terminalShell: words({
    title: 'Shell',
    sentence: 'The program that a new shell terminal starts, by name or path.',
    group: 'terminals',
    scope: 'person',
    default: '',
    longest: 4096,
    placeholder: 'The system’s',
  }),
  terminalEditor: onOff({
    title: 'Greenlight is the editor of commands',
    sentence: 'Commands in new terminals that want an editor, as git commit does, open their files here.',
    group: 'terminals',
    scope: 'person',
    default: true,
  }),
  terminalProfiles: other<OwnProfile[]>([], {
    title: 'Own programs',
    sentence: 'Programs of yours in the New terminal menu: a list of id, title, command and args.',
    group: 'terminals',
    scope: 'person',
  }),
}
