import type { ComparedWith, Side } from '../../../shared/contract/tabs'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import type { StoredPage, StoredTabs } from '../settings/stored-tabs'
import {
  shows,
  storedOf,
  subjectOf,
  type ClosedFile,
  type EditorTab,
  type FileTab,
  type ReviewTab,
  type TabSubject,
  type TabsEvent,
  type TabsState,
} from './editor-tab'

export interface OpenOptions {
  /** Only for a file that isn't open yet; opening it again without `preview` keeps it. */
  preview?: boolean
  /** Shows the tab. Without it the tab only opens (the only tab is always shown). */
  activate?: boolean
  /** The side to open it on; by default where it already is, else the active side. */
  side?: Side
}

/** How many closed files can be opened again. */
const mostClosed = 50

/**
 * The tabs of one window: which are open, in which order, on which side, and when each was last shown. The left side is
 * never empty while the right one isn't.
 */
export class Tabs implements Disposable {
  /** Left side first. */
  #tabs: readonly EditorTab[] = []
  #active: string | null = null
  /** Ids in the order they were last shown, latest last. */
  #shown: string[] = []
  #closed: ClosedFile[] = []
  #nextId = 1
  readonly #keptPage: (name: string) => StoredPage | null
  readonly #events = new Emitter<TabsEvent>()
  readonly on = this.#events.on

  /** `keptPage`: how one of the app's own pages is stored, by its name; null if it isn't. */
  constructor({ keptPage = () => null }: { keptPage?: (name: string) => StoredPage | null } = {}) {
    this.#keptPage = keptPage
  }

  get state(): TabsState {
    const shown = { left: this.shownOn('left')?.id ?? null, right: this.shownOn('right')?.id ?? null }
    return { tabs: this.#tabs, active: this.#active, shown }
  }

  get active(): EditorTab | undefined {
    return this.find(this.#active)
  }

  get activeSide(): Side {
    return this.active?.side ?? 'left'
  }

  /** The paths of all tabs and of the files that can be opened again, each once. */
  get paths(): string[] {
    const shown = this.#tabs.flatMap((tab) => ('path' in tab ? [tab.path] : []))
    return [...new Set([...shown, ...this.#closed.map(({ path }) => path)])]
  }

  shownOn(side: Side): EditorTab | undefined {
    const last = this.#shown.findLast((id) => this.find(id)?.side === side)
    return last === undefined ? this.#tabs.find((tab) => tab.side === side) : this.find(last)
  }

  find(id: string | null): EditorTab | undefined {
    return this.#tabs.find((tab) => tab.id === id)
  }

  /** A file's tab; if it has one on each side, the active side's. */
  findFile(path: string): FileTab | undefined {
    const found = this.#findSubject({ kind: 'file', path })
    return found?.kind === 'file' ? found : undefined
  }

  findReview(proposal: string): ReviewTab | undefined {
    return this.#tabs.find((tab): tab is ReviewTab => tab.kind === 'review' && tab.proposal === proposal)
  }

  /**
   * Opens a file's tab, or uses the one it has. A new tab comes after the one shown; a preview replaces the old
   * preview, but one that isn't to be shown leaves what its side shows.
   */
  openFile(path: string, { preview = false, activate = true, side }: OpenOptions = {}): string {
    return this.#openSubject({ kind: 'file', path }, preview, activate, side)
  }

  /** Opens a review's tab, or uses the one it has. New ones come next to the other reviews, in order. */
  openReview(proposal: string, path: string, { activate = true }: { activate?: boolean } = {}): string {
    const open = this.findReview(proposal)
    return open
      ? this.#reopen(open, false, activate)
      : this.#open({ kind: 'review', proposal, path }, false, activate, this.activeSide)
  }

  openOther(name: string, { activate = true }: { activate?: boolean } = {}): string {
    return this.#openSubject({ kind: 'other', name }, false, activate)
  }

  /**
   * Opens a file as it looks when rendered, on the other side unless it already has a tab. The tab that was active
   * stays so, if it is still visible.
   */
  openRendered(path: string): string {
    const before = this.active
    const beside = this.activeSide === 'left' ? 'right' : 'left'
    const isOpen = this.#findSubject({ kind: 'rendered', path }) !== undefined
    const id = this.#openSubject({ kind: 'rendered', path }, false, true, isOpen ? undefined : beside)
    if (before && before.side !== this.activeSide) this.activate(before.id)
    return id
  }

  openCompared(path: string, against: ComparedWith): string {
    return this.#openSubject({ kind: 'compared', path, against }, false, true)
  }

  /** Shows a tab. False if there is none with this id. */
  activate(id: string): boolean {
    if (!this.find(id)) return false
    if (this.#active === id) return true
    this.#show(id)
    this.#tell()
    return true
  }

  /** Makes the tab that a side shows the active one. */
  workOn(side: Side): void {
    const shown = this.shownOn(side)
    if (shown) this.activate(shown.id)
  }

  /** Shows the tab after the active one or the one before it, the left side before the right; after the last the first. */
  step(by: 1 | -1): void {
    const at = this.#tabs.findIndex((tab) => tab.id === this.#active)
    const next = this.#tabs.at((at + by) % this.#tabs.length)
    if (next) this.activate(next.id)
  }

  /** Makes a preview stay. */
  keep(id: string): void {
    if (!this.find(id)?.preview) return
    this.#tabs = this.#tabs.map((tab) => (tab.id === id ? { ...tab, preview: false } : tab))
    this.#tell()
  }

  pin(id: string, pinned: boolean): void {
    const tab = this.find(id)
    if (!tab || tab.pinned === pinned) return
    // To the end of the pinned tabs or the start of the others, which is the same index.
    this.#place({ ...tab, pinned, preview: false }, this.#pinnedOn(tab.side, id))
    this.#tell()
  }

  /** Moves a tab to an index on its side, or as near as possible: pinned tabs come first. */
  move(id: string, to: number): void {
    const tab = this.find(id)
    if (!tab) return
    this.#place(tab, to)
    this.#tell()
  }

  /** Moves a tab to a side, to an index or after the one shown there, and shows it. False if it is the only tab. */
  moveToSide(id: string, side: Side, to?: number): boolean {
    const tab = this.find(id)
    if (!tab || tab.side === side) return false
    if (!this.#tabs.some((other) => other.side === tab.side && other !== tab)) {
      // An emptied right side closes; a tab alone on the left leaves nothing behind.
      if (!this.#tabs.some((other) => other.side === side)) return false
    }
    const twin = this.#tabs.find((other) => other.side === side && shows(other, subjectOf(tab)))
    if (twin) {
      this.#drop(tab)
      this.#show(twin.id)
    } else {
      this.#place({ ...tab, side, preview: false }, to ?? this.#placeAfterShown(side))
      this.#show(id)
    }
    this.#settleSides()
    this.#tell()
    if (twin) this.#events.emit({ kind: 'closed', tab })
    return true
  }

  /**
   * Shows a tab's content on the other side too. A review, which is decided in one place, and the app's own pages move
   * instead. Returns the tab on the other side, or null if nothing would stay behind.
   */
  split(id: string): string | null {
    const tab = this.find(id)
    if (!tab) return null
    const side = tab.side === 'left' ? 'right' : 'left'
    if (tab.kind === 'review' || tab.kind === 'other') return this.moveToSide(id, side) ? id : null
    return this.#openSubject(subjectOf(tab), false, true, side)
  }

  /** Closes a tab and shows the one shown before it. Returns the closed tab, or undefined if there is none. */
  close(id: string): EditorTab | undefined {
    const tab = this.find(id)
    if (!tab) return undefined
    if (tab.kind === 'file') {
      const index = this.#on(tab.side).indexOf(tab)
      const { path, pinned, side } = tab
      this.#closed = [...this.#closed, { path, pinned, side, index }].slice(-mostClosed)
    }
    this.#drop(tab)
    this.#settleSides()
    this.#tell()
    this.#events.emit({ kind: 'closed', tab })
    return tab
  }

  /** The file that was closed last and isn't open again; each is returned once. */
  takeClosed(): ClosedFile | undefined {
    for (;;) {
      const last = this.#closed.pop()
      if (!last || !this.findFile(last.path)) return last
    }
  }

  /** Opens a file where it was before it was closed. */
  openClosed({ path, pinned, side, index }: ClosedFile): string {
    const isSplit = this.#on('right').length > 0
    const id = this.openFile(path, { side: isSplit ? side : 'left' })
    if (pinned) this.pin(id, true)
    this.move(id, index)
    return id
  }

  /** A file was moved: its tabs follow, and if it was closed, it can be opened again where it is now. */
  rename(from: string, to: string): void {
    this.#closed = this.#closed.map((file) => (file.path === from ? { ...file, path: to } : file))
    if (!this.#tabs.some((tab) => 'path' in tab && tab.path === from)) return
    this.#tabs = this.#tabs.map((tab) => ('path' in tab && tab.path === from ? { ...tab, path: to } : tab))
    this.#tell()
  }

  store(): StoredTabs {
    const nameOf = (tab: EditorTab | undefined) => (tab ? this.#storedName(tab) : null)
    const shownName = (side: Side): string | null => {
      const shown = nameOf(this.shownOn(side))
      if (shown !== null) return shown
      const tabs = this.#shown.map((id) => this.find(id))
      return nameOf(tabs.findLast((tab) => tab?.side === side && nameOf(tab) !== null))
    }
    const shown = { left: shownName('left'), right: shownName('right') }
    const activeSide = this.activeSide
    return {
      tabs: this.#tabs.flatMap((tab) => {
        const stored = storedOf(tab, this.#keptPage)
        if (stored === null) return []
        const { preview, pinned, side } = tab
        return { ...stored, preview, pinned, side }
      }),
      active: shown[activeSide] ?? shown.left ?? shown.right,
      shown,
      activeSide,
    }
  }

  /** Opens stored tabs in addition to those open. */
  restore(stored: StoredTabs): void {
    for (const { preview, pinned, side = 'left', ...kept } of stored.tabs) {
      const subject: TabSubject =
        'path' in kept ? { kind: 'file', path: kept.path } : { kind: 'other', name: kept.page }
      // A page opens only once.
      if (this.#findSubject(subject, subject.kind === 'file' ? side : undefined)) continue
      const tab: EditorTab = { ...subject, id: this.#newId(), preview: preview && !pinned, pinned, side }
      this.#place(tab, this.#on(side).length)
    }
    const active = this.active
    const onSide = (side: Side, name: string | null | undefined) =>
      typeof name === 'string' ? this.#on(side).find((tab) => this.#storedName(tab) === name) : undefined
    const last = stored.activeSide ?? 'left'
    const shown = stored.shown ?? { left: stored.active, right: null }
    for (const side of last === 'left' ? (['right', 'left'] as const) : (['left', 'right'] as const)) {
      const tab = onSide(side, shown[side])
      if (tab) this.#show(tab.id)
    }
    if (this.#active === null || (stored.active === null && active)) {
      const first = active ?? this.#tabs[0]
      if (first) this.#show(first.id)
    }
    this.#settleSides()
    this.#tell()
  }

  dispose(): void {
    this.#events.dispose()
  }

  /** A file's path, or the name that a page is stored by. */
  #storedName(tab: EditorTab): string | null {
    const stored = storedOf(tab, this.#keptPage)
    return stored && ('path' in stored ? stored.path : stored.page)
  }

  #on(side: Side): EditorTab[] {
    return this.#tabs.filter((tab) => tab.side === side)
  }

  #pinnedOn(side: Side, without: string): number {
    return this.#on(side).filter((tab) => tab.pinned && tab.id !== without).length
  }

  #placeAfterShown(side: Side): number {
    const shown = this.shownOn(side)
    return shown ? this.#on(side).indexOf(shown) + 1 : 0
  }

  /** Reviews, and pages opened without activating, come after the last review; anything else after the tab shown. */
  #placeOfNew({ kind, side }: EditorTab, isAsked: boolean): number {
    const last = this.#on(side).findLastIndex((tab) => tab.kind === 'review' && !tab.pinned)
    const isBesideReviews = kind === 'review' || (kind === 'other' && !isAsked)
    return isBesideReviews && last >= 0 ? last + 1 : this.#placeAfterShown(side)
  }

  /** Inserts a tab at an index of its side, or moves it there; pinned tabs stay first. */
  #place(tab: EditorTab, to: number): void {
    const others = this.#tabs.filter((other) => other.id !== tab.id)
    const left = others.filter((other) => other.side === 'left')
    const right = others.filter((other) => other.side === 'right')
    const mine = tab.side === 'left' ? left : right
    const pinned = mine.filter((other) => other.pinned).length
    const [least, most] = tab.pinned ? [0, pinned] : [pinned, mine.length]
    mine.splice(Math.max(least, Math.min(to, most)), 0, tab)
    this.#tabs = [...left, ...right]
  }

  /** Removes a tab; if it was active, the tab its side then shows becomes active. */
  #drop(tab: EditorTab): void {
    const index = this.#on(tab.side).indexOf(tab)
    this.#tabs = this.#tabs.filter((other) => other !== tab)
    this.#shown = this.#shown.filter((shown) => shown !== tab.id)
    const mine = this.#on(tab.side)
    const before = this.#shown.findLast((id) => this.find(id)?.side === tab.side)
    const next = before ?? mine[Math.min(index, mine.length - 1)]?.id
    // Remember what the side shows from now on, even if the other side is active.
    if (before === undefined && next !== undefined) this.#shown = [next, ...this.#shown]
    if (this.#active !== tab.id) return
    const other = this.shownOn(tab.side === 'left' ? 'right' : 'left')?.id
    const shown = next ?? other
    if (shown === undefined) this.#active = null
    else this.#show(shown)
  }

  /** Ends the split once its left side is empty. */
  #settleSides(): void {
    if (this.#tabs.some((tab) => tab.side === 'left')) return
    this.#tabs = this.#tabs.map((tab) => ({ ...tab, side: 'left' }))
  }

  #findSubject(subject: TabSubject, side?: Side): EditorTab | undefined {
    const found = this.#tabs.filter((tab) => shows(tab, subject) && (!side || tab.side === side))
    return found.find((tab) => tab.side === this.activeSide) ?? found[0]
  }

  #openSubject(subject: TabSubject, preview: boolean, activate: boolean, side?: Side): string {
    const open = this.#findSubject(subject, side)
    return open
      ? this.#reopen(open, preview, activate)
      : this.#open(subject, preview, activate, side ?? this.activeSide)
  }

  #open(subject: TabSubject, preview: boolean, activate: boolean, wanted: Side): string {
    const side = this.#tabs.length === 0 ? 'left' : wanted
    const shown = this.shownOn(side)
    const previews = this.#tabs.filter((tab) => preview && tab.preview && !tab.pinned && tab.side === side)
    const replaced = activate
      ? (previews.find((tab) => tab === shown) ?? previews[0])
      : previews.find((tab) => tab !== shown)
    const tab: EditorTab = { ...subject, id: this.#newId(), preview, pinned: false, side }
    if (replaced) {
      this.#tabs = this.#tabs.map((other) => (other === replaced ? tab : other))
      this.#shown = this.#shown.map((id) => (id === replaced.id ? tab.id : id))
    } else this.#place(tab, this.#placeOfNew(tab, activate))
    if (activate || this.#active === null) this.#show(tab.id)
    this.#tell()
    if (replaced) this.#events.emit({ kind: 'closed', tab: replaced })
    return tab.id
  }

  #reopen(tab: EditorTab, preview: boolean, activate: boolean): string {
    if (!preview) this.keep(tab.id)
    if (activate) this.activate(tab.id)
    return tab.id
  }

  #show(id: string): void {
    this.#active = id
    this.#shown = [...this.#shown.filter((shown) => shown !== id), id]
  }

  #newId(): string {
    return `tab-${this.#nextId++}`
  }

  #tell(): void {
    this.#events.emit({ kind: 'changed', state: this.state })
  }
}
