import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { gotoLine, highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import {
  EditorView,
  crosshairCursor,
  drawSelection,
  dropCursor,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view'
import { editorTheme } from './editor-theme'
import { longestParsed } from '../../code/code-language'
import { searchPanel } from '../../code/find-panel'
import { lineEnds } from '../../code/line-ends'
import { settingsLint } from './settings-lint'

/** What costs more the longer a text is; left out of a huge one. */
const forUsualTexts: Extension = [
  foldGutter({
    markerDOM(open) {
      const mark = document.createElement('span')
      mark.textContent = open ? '\u2304' : '\u203a'
      mark.title = open ? 'Fold' : 'Unfold'
      return mark
    },
  }),
  bracketMatching(),
  indentOnInput(),
  highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 200 }),
]

/** The extensions that depend on the file's path. */
export function pathExtensions(path: string): Extension {
  return [
    settingsLint(path),
    EditorView.contentAttributes.of({ 'aria-label': `Editor: ${path}`, 'data-scope': 'editor' }),
  ]
}

/** All other extensions, except those for the language, the indentation and the link to the host. */
export function editorExtensions(text: Text): Extension {
  return [
    lineEnds,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    closeBrackets(),
    autocompletion({ activateOnTyping: false, icons: false }),
    rectangularSelection(),
    crosshairCursor(),
    searchPanel,
    text.length > longestParsed ? [] : forUsualTexts,
    editorTheme,
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      // We have our own dialog to go to a line.
      ...searchKeymap.filter(({ run }) => run !== gotoLine),
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      indentWithTab,
    ]),
  ]
}
