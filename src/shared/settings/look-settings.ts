import { amount, choice, onOff, words } from './setting'

export const lookSettings = {
  theme: choice({
    title: 'Theme',
    sentence: 'Which colours the window has; high contrast follows the system’s light or dark.',
    group: 'look',
    scope: 'person',
    default: 'system',
    options: [
      ['system', 'As the system'],
      ['light', 'Light'],
      ['dark', 'Dark'],
      ['high-contrast', 'High contrast'],
    ],
  }),
  windowsReopen: onOff({
    title: 'Open the windows of last time',
    sentence: 'Started without a folder, Greenlight opens the folders that were open when it ended.',
    group: 'look',
    scope: 'person',
    default: true,
  }),
  interfaceFontFamily: words({
    title: 'Interface font',
    sentence: 'The letters of everything but code, as a font’s name; several names with commas between.',
    group: 'look',
    scope: 'person',
    default: '',
    longest: 200,
    placeholder: 'The system’s',
  }),
  interfaceFontSize: amount({
    title: 'Interface text size',
    sentence: 'How large the words of lists, buttons and menus are.',
    group: 'look',
    scope: 'person',
    default: 13,
    min: 10,
    max: 24,
    step: 1,
    unit: 'px',
  }),
}
