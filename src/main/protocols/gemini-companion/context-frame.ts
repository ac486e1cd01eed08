import type { OpenFile, Seen } from '../../../shared/agent-view'
import { firstOf } from '../../../shared/rpc/message-pieces'

/** The most files, and the most characters of a selection, that the client itself looks at. */
export const mostFiles = 10
export const mostSelected = 16_384

/** A file as `ide/contextUpdate` has it. A member that has nothing to tell is left out: null disconnects clients. */
export interface ContextFile {
  path: string
  /** Milliseconds since the epoch. */
  timestamp: number
  isActive?: true
  /** From 1. */
  cursor?: { line: number; character: number }
  selectedText?: string
}

/** The parameters of `ide/contextUpdate`. */
export interface ContextFrame {
  workspaceState: { openFiles: ContextFile[] }
}

/** What agents may see, as a frame: the newest files, of which the client takes only the newest for the active one. */
export function contextFrame({ files, current }: Pick<Seen, 'files' | 'current'>): ContextFrame {
  const newest = files.toSorted((one, other) => other.shownAt - one.shownAt).slice(0, mostFiles)
  const openFiles = newest.map((file, index) => contextFile(file, index === 0, current))
  return { workspaceState: { openFiles } }
}

function contextFile(file: OpenFile, isNewest: boolean, current: Seen['current']): ContextFile {
  const told: ContextFile = { path: file.path, timestamp: file.shownAt }
  if (!isNewest || !file.isActive) return told
  told.isActive = true
  if (current?.path !== file.path) return told
  const { line, character } = current.end
  told.cursor = { line: line + 1, character: character + 1 }
  if (current.text !== '') told.selectedText = firstOf(current.text, mostSelected)
  return told
}
