import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { DocumentMeta } from '../../../shared/contract/documents'

/** What the status bar shows about the current editor. Line and column count from 1. */
export interface EditorStatus {
  path: string
  line: number
  column: number
  /** Selected characters, over all selections. */
  selected: number
  eol: DocumentMeta['eol']
  encoding: DocumentMeta['encoding']
  bom: boolean
  /** The encoding is a guess; the text is read-only until it is confirmed. */
  guessed: boolean
  dirty: boolean
  language: string
  indentation: Indentation
  /** Indents with this from now on; existing text stays as it is. */
  setIndentation: (indentation: Indentation) => void
}

/** One level of indentation. `from`: where it is set. */
export interface Indentation {
  style: 'space' | 'tab'
  /** Spaces of a level, or columns of a tab. */
  size: number
  from: 'file' | 'editorconfig' | 'person'
}

/** Written by the current editor; null when there is none. */
export const editorStatus = createStore<{ status: EditorStatus | null }>()(() => ({ status: null }))

export function useEditorStatus(): EditorStatus | null {
  return useStore(editorStatus, (state) => state.status)
}
