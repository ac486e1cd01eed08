import type { z } from 'zod'
import type { sharing, withheld } from './contract/context'
import type { Position } from './text/text-facts'

/**
 * What an agent may see of the editor, as plain data and pure functions. Every dialect reads through `see`: it is the
 * only way for a path or text to reach an agent.
 */

export interface OpenFile {
  /** Real path. */
  path: string
  label: string
  languageId: string
  isActive: boolean
  isDirty: boolean
  /** When it was last shown, in milliseconds since the epoch. */
  shownAt: number
}

/** A selection, or a cursor if start and end are equal. Lines and UTF-16 units count from 0. */
export interface Selected {
  path: string
  start: Position
  end: Position
  /** The text between start and end; empty for a cursor. */
  text: string
}

/** Everything, whether agents may see it or not. */
export interface EditorFacts {
  files: readonly OpenFile[]
  /** The current selection. */
  current: Selected | null
  /** The last selection. */
  latest: Selected | null
}

export type Sharing = z.infer<typeof sharing>

/** The default. */
export const shareEverything: Sharing = { all: true, selection: true, files: true }

export type Withheld = z.infer<typeof withheld>

/** What the person shares. */
export interface Policy {
  sharing: Sharing
  /** Why a path is never shared; null if no rule forbids it. */
  exclusionOf(path: string): Withheld | null
}

/** The part of the facts that agents may see. */
export type Seen = EditorFacts

export const nothingSeen: Seen = { files: [], current: null, latest: null }

/** What agents may see of the facts. A selection is seen only while its file is open. */
export function see(facts: EditorFacts, policy: Policy): Seen {
  if (!policy.sharing.all) return nothingSeen
  const open = new Set(facts.files.map(({ path }) => path))
  const selected = (selection: Selected | null) =>
    selection && open.has(selection.path) ? seeSelection(selection, policy) : null
  return {
    files: facts.files.filter(({ path }) => whyFileWithheld(path, policy) === null),
    current: selected(facts.current),
    latest: selected(facts.latest),
  }
}

/** Why agents don't see that a file is open; null if they do. */
export function whyFileWithheld(path: string, policy: Policy): Withheld | null {
  return whyUntold(path, policy) ?? (policy.sharing.files ? null : { kind: 'files-off' })
}

/** Why agents don't see a selection, or for a cursor, the file it is in; null if they do. */
export function whySelectionWithheld(selection: Selected, policy: Policy): Withheld | null {
  const untold = whyUntold(selection.path, policy)
  if (untold) return untold
  if (isCursor(selection)) return policy.sharing.files ? null : { kind: 'files-off' }
  return policy.sharing.selection ? null : { kind: 'selection-off' }
}

/** Why agents are told nothing about a path, even if the person mentions it; null if they may be. */
export function whyUntold(path: string, policy: Policy): Withheld | null {
  return policy.sharing.all ? policy.exclusionOf(path) : { kind: 'all-off' }
}

/** Whether a selection is empty. */
export function isCursor({ start, end }: Pick<Selected, 'start' | 'end'>): boolean {
  return start.line === end.line && start.character === end.character
}

function seeSelection(selection: Selected, policy: Policy): Selected | null {
  if (whySelectionWithheld(selection, policy) === null) {
    // The cursor's position is shared with the selection, and its file with the open files.
    return isCursor(selection) && !policy.sharing.selection ? fileOnly(selection.path) : selection
  }
  return whyFileWithheld(selection.path, policy) === null ? fileOnly(selection.path) : null
}

/** Only which file is in front, and nothing about its content. */
function fileOnly(path: string): Selected {
  return { path, start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, text: '' }
}
