import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { codeColors } from '../../code/code-colors'

/** The look of every editor. Colours are tokens, so a change of theme needs no work here. */
const frame = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--surface)',
    color: 'var(--syntax-name)',
    fontSize: 'var(--size-code)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code, var(--font-mono))', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { padding: '4px 0 40px', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '1.5px solid var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--code-selection)',
  },
  '.cm-selectionBackground': { background: 'var(--code-selection-blurred)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--code-gutter)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 16px', minWidth: '36px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', color: 'var(--text-muted)', opacity: '0' },
  '.cm-gutters:hover .cm-foldGutter .cm-gutterElement': { opacity: '1' },
  '.cm-foldPlaceholder': {
    background: 'var(--surface-hover)',
    border: '1px solid var(--border)',
    color: 'var(--text-muted)',
    borderRadius: '3px',
    padding: '0 4px',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--surface-active)',
    outline: '1px solid var(--border-control)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--removed)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--surface-active)' },
  '.cm-searchMatch': { backgroundColor: 'var(--code-match)', outline: '1px solid var(--border-control)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-match-active)' },
  '.cm-panels': { backgroundColor: 'var(--surface-bar)', color: 'var(--text)', zIndex: '3' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--border)',
    borderRadius: 'var(--radius-small)',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--surface-active)',
    color: 'var(--text)',
  },
})

/** Frame and syntax colours. */
export const editorTheme: Extension = [frame, codeColors]
