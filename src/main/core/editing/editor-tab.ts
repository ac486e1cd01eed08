import { isDeepStrictEqual } from 'node:util'
import type { ComparedWith, Side } from '../../../shared/contract/tabs'

/** What a tab shows. */
export type TabSubject =
  /** `path` is the real one. */
  | { kind: 'file'; path: string }
  | { kind: 'review'; proposal: string; path: string }
  /** A file as it looks when it is drawn (Markdown, SVG), beside its text. */
  | { kind: 'rendered'; path: string }
  /** Two texts set against each other, read only. `path` is the file that it is about; `against` is the older side. */
  | { kind: 'compared'; path: string; against: ComparedWith }
  /** A page of the app's own (settings, log). */
  | { kind: 'other'; name: string }

/** `preview`: the next file opened as a preview takes its place. Pinned ones stand first. */
interface TabPlace {
  id: string
  preview: boolean
  pinned: boolean
  side: Side
}

/** A tab of a window's middle. */
export type EditorTab = TabSubject & TabPlace
export type FileTab = Extract<EditorTab, { kind: 'file' }>
export type ReviewTab = Extract<EditorTab, { kind: 'review' }>

/** All tabs of a window, those on the left first; the one that is worked in, and the one that each side shows. */
export interface TabsState {
  tabs: readonly EditorTab[]
  /** Null only when there is no tab. */
  active: string | null
  /** A side without tabs shows null. */
  shown: Readonly<Record<Side, string | null>>
}

/**
 * `changed`: take the state anew. `closed`: a tab is gone because somebody closed it, or a preview was replaced; for a
 * review that is a decision. Ending a window closes no tab.
 */
export type TabsEvent = { kind: 'changed'; state: TabsState } | { kind: 'closed'; tab: EditorTab }

/** A file's tab that was closed, as it may come back. */
export interface ClosedFile {
  path: string
  pinned: boolean
  side: Side
  /** Its index among the tabs of its side. */
  index: number
}

/** The name by which a tab is stored; null for one that does not outlive the app. */
export function storedNameOf(tab: EditorTab, isKeptPage: (name: string) => boolean): string | null {
  if (tab.kind === 'file') return tab.path
  return tab.kind === 'other' && isKeptPage(tab.name) ? tab.name : null
}

/** What a tab shows, wherever it stands. */
export function subjectOf(tab: EditorTab): TabSubject {
  const { id: _id, preview: _preview, pinned: _pinned, side: _side, ...subject } = tab
  return subject
}

/** Whether a tab shows a subject, so that one tab of a side does for both. */
export function shows(tab: EditorTab, subject: TabSubject): boolean {
  return isDeepStrictEqual(subjectOf(tab), subject)
}
