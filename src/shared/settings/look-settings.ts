import { amount, choice, onOff, words } from './setting'

export const lookSettings = {
  theme: choice({
    title: 'Theme',
    sentence: 'Window colours. High contrast follows the system’s light or dark mode.',
    scope: 'person',
    default: 'system',
    options: [
      ['system', 'Match system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
      ['high-contrast', 'High contrast'],
    ],
  }),
  windowsReopen: onOff({
    title: 'Reopen windows on start',
    sentence: 'When started without a folder, reopens the folders that were open last time.',
    scope: 'person',
    default: true,
  }),
  interfaceFontFamily: words({
    title: 'UI font',
    sentence: 'Font for menus and lists. Separate several names with commas.',
    scope: 'person',
    default: '',
    longest: 200,
    placeholder: 'System default',
  }),
  interfaceFontSize: amount({
    title: 'UI text size',
    sentence: 'Text size of lists, buttons and menus.',
    scope: 'person',
    default: 13,
    min: 10,
    max: 24,
    step: 1,
    unit: 'px',
  }),
}
