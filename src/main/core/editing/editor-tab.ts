/** The two halves of a split middle. Without a split every tab is on the left. */
export type Side = 'left' | 'right'

/** A tab of a window's middle. `preview`: the next file opened as a preview takes its place. Pinned ones stand first. */
export type EditorTab = FileTab | ReviewTab | RenderedTab | ComparedTab | OtherTab

export interface FileTab extends TabBase {
  kind: 'file'
  /** Real path of the file. */
  path: string
}
export interface ReviewTab extends TabBase {
  kind: 'review'
  proposal: string
  path: string
}
/** A file as it looks when it is drawn (Markdown, SVG), beside its text. */
export interface RenderedTab extends TabBase {
  kind: 'rendered'
  path: string
}
/** Two texts set against each other, read only. `path` is the file that it is about. */
export interface ComparedTab extends TabBase {
  kind: 'compared'
  path: string
  /** What stands on the left, the older side. */
  against: ComparedWith
}
/** A page of the app's own (settings, log); `name` says which. */
export interface OtherTab extends TabBase {
  kind: 'other'
  name: string
}
interface TabBase {
  id: string
  preview: boolean
  pinned: boolean
  side: Side
}

/** What a file is compared with: itself as saved, as last committed, or another file. */
export type ComparedWith = { kind: 'saved' } | { kind: 'head' } | { kind: 'file'; path: string }

/** What a new tab is made of. */
export type TabSubject =
  | Omit<FileTab, keyof TabBase>
  | Omit<ReviewTab, keyof TabBase>
  | Omit<RenderedTab, keyof TabBase>
  | Omit<ComparedTab, keyof TabBase>
  | Omit<OtherTab, keyof TabBase>

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

/** Whether two subjects are one and the same, so that one tab of a side does for both. */
export function sameSubject(tab: TabSubject, other: TabSubject): boolean {
  switch (tab.kind) {
    case 'file':
      return other.kind === 'file' && other.path === tab.path
    case 'review':
      return other.kind === 'review' && other.proposal === tab.proposal
    case 'rendered':
      return other.kind === 'rendered' && other.path === tab.path
    case 'compared':
      return (
        other.kind === 'compared' && other.path === tab.path && sameComparison(tab.against, other.against)
      )
    case 'other':
      return other.kind === 'other' && other.name === tab.name
  }
}

function sameComparison(a: ComparedWith, b: ComparedWith): boolean {
  return a.kind === b.kind && (a.kind !== 'file' || (b.kind === 'file' && a.path === b.path))
}
