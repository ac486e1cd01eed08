import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars } from '@codemirror/view'

/**
 * Lines end at LF alone: in a file with mixed ends the CR stays as the last character of its line and so is never
 * lost. It is shown as a quiet sign, and other characters that nobody would see as a bullet.
 */
export const lineEnds: Extension = [
  EditorState.lineSeparator.of('\n'),
  // What is pasted or dropped would bring its own CRs in.
  EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, '\n')),
  highlightSpecialChars({
    render(code, description, placeholder) {
      const sign = document.createElement('span')
      sign.className = code === 13 ? 'cm-carriage-return' : 'cm-specialChar'
      sign.textContent = code === 13 ? '\u21b5' : (placeholder ?? '\u2022')
      sign.title = code === 13 ? 'This line ends with CRLF' : (description ?? 'control character')
      sign.setAttribute('aria-label', sign.title)
      return sign
    },
  }),
  EditorView.theme({
    '.cm-specialChar': { color: 'var(--removed)' },
    '.cm-carriage-return': { color: 'var(--text-muted)', userSelect: 'none' },
  }),
]
