import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { DocumentMeta } from '../../shared/contract/documents'

/** What the status bar tells of the editor that is shown. Line and column count from 1, as people do. */
export interface EditorStatus {
  path: string
  line: number
  column: number
  /** Selected characters, over all selections. */
  selected: number
  eol: DocumentMeta['eol']
  encoding: string
  bom: boolean
  language: string
}

/** Written by the editor that is shown; null when none is. */
export const editorStatus = createStore<{ status: EditorStatus | null }>()(() => ({ status: null }))

/** The shown editor's status, followed. */
export function useEditorStatus(): EditorStatus | null {
  return useStore(editorStatus, (state) => state.status)
}
