import { amount, words } from './setting'

export const editorSettings = {
  editorFontFamily: words({
    title: 'Editor font',
    sentence: 'Font for code in editors and reviews.',
    scope: 'person',
    default: '',
    longest: 200,
    placeholder: 'System default',
  }),
  editorFontSize: amount({
    title: 'Editor text size',
    sentence: 'Text size of code in editors and reviews.',
    scope: 'person',
    default: 13,
    min: 8,
    max: 32,
    step: 1,
    unit: 'px',
  }),
}
