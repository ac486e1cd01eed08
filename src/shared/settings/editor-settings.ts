import { amount, words } from './setting'

export const editorSettings = {
  editorFontFamily: words({
    title: 'Editor font',
    sentence: 'The letters of code in editors and reviews, as a font’s name.',
    group: 'editor',
    scope: 'person',
    default: '',
    longest: 200,
    placeholder: 'The system’s monospace',
  }),
  editorFontSize: amount({
    title: 'Editor text size',
    sentence: 'How large code is in editors and reviews.',
    group: 'editor',
    scope: 'person',
    default: 13,
    min: 8,
    max: 32,
    step: 1,
    unit: 'px',
  }),
}
