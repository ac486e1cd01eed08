import { isDeepStrictEqual } from 'node:util'
import type { ComparedWith, Side } from '../../../shared/contract/tabs'
import type { StoredPage } from '../settings/stored-tabs'

export type TabSubject =
  /** A real path. */
  | { kind: 'file'; path: string }
  | { kind: 'review'; proposal: string; path: string }
  /** A file as it looks when rendered (Markdown, SVG). */
  | { kind: 'rendered'; path: string }
  /** Two texts compared, read only. `path` is the file; `against` is the older side. */
  | { kind: 'compared'; path: string; against: ComparedWith }
  /** One of the app's own pages (settings, log). */
  | { kind: 'other'; name: string }

/** `preview`: the next file opened as a preview replaces it. Pinned tabs come first. */
interface TabPlace {
  id: string
  preview: boolean
  pinned: boolean
  side: Side
}

/** A tab in a window's middle. */
export type EditorTab = TabSubject & TabPlace
export type FileTab = Extract<EditorTab, { kind: 'file' }>
export type ReviewTab = Extract<EditorTab, { kind: 'review' }>

/** All tabs of a window, left side first; the active one, and the one each side shows. */
export interface TabsState {
  tabs: readonly EditorTab[]
  /** Null only if there are no tabs. */
  active: string | null
  /** Null for a side without tabs. */
  shown: Readonly<Record<Side, string | null>>
}

/**
 * `changed`: the new state. `closed`: somebody closed a tab, or a preview was replaced; for a review that is a
 * decision. Closing a window closes no tab.
 */
export type TabsEvent = { kind: 'changed'; state: TabsState } | { kind: 'closed'; tab: EditorTab }

/** A file's closed tab, to be opened again. */
export interface ClosedFile {
  path: string
  pinned: boolean
  side: Side
  /** Its index among its side's tabs. */
  index: number
}

/** How a tab is stored, without its place; null if it isn't. `keptPage`: the same of one of the app's own pages. */
export function storedOf(
  tab: EditorTab,
  keptPage: (name: string) => StoredPage | null,
): { path: string } | StoredPage | null {
  if (tab.kind === 'file') return { path: tab.path }
  return tab.kind === 'other' ? keptPage(tab.name) : null
}

/** What a tab shows, without its place. */
export function subjectOf(tab: EditorTab): TabSubject {
  const { id: _id, preview: _preview, pinned: _pinned, side: _side, ...subject } = tab
  return subject
}

export function shows(tab: EditorTab, subject: TabSubject): boolean {
  return isDeepStrictEqual(subjectOf(tab), subject)
}
