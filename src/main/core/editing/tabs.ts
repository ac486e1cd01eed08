import type { ComparedWith, Side } from '../../../shared/contract/tabs'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import type { StoredTabs } from '../settings/stored-tabs'
import {
  shows,
  storedNameOf,
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
  /** Only for a file that is not open yet; opening it again without `preview` keeps it. */
  preview?: boolean
  /** Shows the tab. Without it only its being open changes (it is shown anyway if it is the only one). */
  activate?: boolean
  /** Which side it shall be on; without it, where it is already, else the side that is worked in. */
  side?: Side
}

/** So many closed files can be opened again. */
const mostClosed = 50

/**
 * The tabs of one window: which are open, in which order and on which side, and which one was shown when. The left
 * side is never empty while the right one is not.
 */
export class Tabs implements Disposable {
  /** Those on the left come first. */
  #tabs: readonly EditorTab[] = []
  #active: string | null = null
  /** Ids in the order in which they were shown, the last one last. */
  #shown: string[] = []
  #closed: ClosedFile[] = []
  #nextId = 1
  readonly #isKeptPage: (name: string) => boolean
  readonly #events = new Emitter<TabsEvent>()
  readonly on = this.#events.on

  /** `isKeptPage`: whether a page of the app's own outlives it, by the page's name. */
  constructor({ isKeptPage = () => false }: { isKeptPage?: (name: string) => boolean } = {}) {
    this.#isKeptPage = isKeptPage
  }

  get state(): TabsState {
    const shown = { left: this.shownOn('left')?.id ?? null, right: this.shownOn('right')?.id ?? null }
    return { tabs: this.#tabs, active: this.#active, shown }
  }

  get active(): EditorTab | undefined {
    return this.find(this.#active)
  }

  /** The side that is worked in. */
  get activeSide(): Side {
    return this.active?.side ?? 'left'
  }

  /** The tab that a side shows. */
  shownOn(side: Side): EditorTab | undefined {
    const last = this.#shown.findLast((id) => this.find(id)?.side === side)
    return last === undefined ? this.#tabs.find((tab) => tab.side === side) : this.find(last)
  }

  find(id: string | null): EditorTab | undefined {
    return this.#tabs.find((tab) => tab.id === id)
  }

  /** A file's tab; where it has one on each side, that of the side that is worked in. */
  findFile(path: string): FileTab | undefined {
    const found = this.#findSubject({ kind: 'file', path })
    return found?.kind === 'file' ? found : undefined
  }

  findReview(proposal: string): ReviewTab | undefined {
    return this.#tabs.find((tab): tab is ReviewTab => tab.kind === 'review' && tab.proposal === proposal)
  }

  /** Opens a file's tab, or the one it has. A new tab comes after the one shown; a preview replaces the old preview. */
  openFile(path: string, { preview = false, activate = true, side }: OpenOptions = {}): string {
    return this.#openSubject({ kind: 'file', path }, preview, activate, side)
  }

  /** Opens a proposal's tab, or the one it has. New ones stand beside each other, as they come. */
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
   * Shows a file as it looks when drawn, on the other side of the middle unless it has a tab already. Work goes on
   * where it was, if that is still seen.
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

  /** Shows a tab. False when there is none of this id. */
  activate(id: string): boolean {
    if (!this.find(id)) return false
    if (this.#active === id) return true
    this.#show(id)
    this.#tell()
    return true
  }

  /** Makes a preview stay. */
  keep(id: string): void {
    if (this.find(id)?.preview) this.#replace(id, { preview: false })
  }

  pin(id: string, pinned: boolean): void {
    const tab = this.find(id)
    if (!tab || tab.pinned === pinned) return
    // To the end of the pinned ones, or the start of the others, which is the same place without it.
    this.#place({ ...tab, pinned, preview: false }, this.#pinnedOn(tab.side, id))
    this.#tell()
  }

  /** Moves a tab to an index among those of its side, as near as pinned tabs' standing first allows. */
  move(id: string, to: number): void {
    const tab = this.find(id)
    if (!tab) return
    this.#place(tab, to)
    this.#tell()
  }

  /** Puts a tab on a side, at an index or after the one shown there, and shows it. False where it is the only one. */
  moveToSide(id: string, side: Side, to?: number): boolean {
    const tab = this.find(id)
    if (!tab || tab.side === side) return false
    if (!this.#tabs.some((other) => other.side === tab.side && other !== tab)) {
      // A right side that is given up goes away; a left one that is alone has nothing to leave behind.
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
   * Shows what a tab shows on the other side too. A file or a rendered page comes twice; a review, which is decided in
   * one place, moves. Gives the tab on the other side, or null where there is nothing to stay behind.
   */
  split(id: string): string | null {
    const tab = this.find(id)
    if (!tab) return null
    const side = tab.side === 'left' ? 'right' : 'left'
    if (tab.kind === 'review' || tab.kind === 'other') return this.moveToSide(id, side) ? id : null
    return this.#openSubject(subjectOf(tab), false, true, side)
  }

  /** Closes a tab; the one shown before it is shown again. Gives the tab, or undefined when there is none. */
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

  /** The file that was closed last and is not open again; each is given once. */
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

  /** A file got another path: its tabs follow. */
  rename(from: string, to: string): void {
    if (!this.#tabs.some((tab) => 'path' in tab && tab.path === from)) return
    this.#tabs = this.#tabs.map((tab) => ('path' in tab && tab.path === from ? { ...tab, path: to } : tab))
    this.#tell()
  }

  store(): StoredTabs {
    const nameOf = (tab: EditorTab | undefined) => (tab ? storedNameOf(tab, this.#isKeptPage) : null)
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
        const name = nameOf(tab)
        if (name === null) return []
        const { preview, pinned, side } = tab
        const look = { preview, pinned, side }
        return tab.kind === 'file' ? { path: name, ...look } : { page: name, ...look }
      }),
      active: shown[activeSide] ?? shown.left ?? shown.right,
      shown,
      activeSide,
    }
  }

  /** Opens what was stored, beside what is open. */
  restore(stored: StoredTabs): void {
    for (const { preview, pinned, side = 'left', ...kept } of stored.tabs) {
      const subject: TabSubject =
        'path' in kept ? { kind: 'file', path: kept.path } : { kind: 'other', name: kept.page }
      // A page stands once.
      if (this.#findSubject(subject, subject.kind === 'file' ? side : undefined)) continue
      const tab: EditorTab = { ...subject, id: this.#newId(), preview: preview && !pinned, pinned, side }
      this.#place(tab, this.#on(side).length)
    }
    const active = this.active
    const onSide = (side: Side, name: string | null | undefined) =>
      typeof name === 'string'
        ? this.#on(side).find((tab) => storedNameOf(tab, this.#isKeptPage) === name)
        : undefined
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

  /** A review, or a page that comes unasked, stands after the last review; everything else after what is shown. */
  #placeOfNew({ kind, side }: EditorTab, isAsked: boolean): number {
    const last = this.#on(side).findLastIndex((tab) => tab.kind === 'review' && !tab.pinned)
    const isBesideReviews = kind === 'review' || (kind === 'other' && !isAsked)
    return isBesideReviews && last >= 0 ? last + 1 : this.#placeAfterShown(side)
  }

  /** Puts a tab (again) among those of its side; pinned ones stay first. */
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

  /** Takes a tab out; what its side shows then is active where it was. */
  #drop(tab: EditorTab): void {
    const index = this.#on(tab.side).indexOf(tab)
    this.#tabs = this.#tabs.filter((other) => other !== tab)
    this.#shown = this.#shown.filter((shown) => shown !== tab.id)
    const mine = this.#on(tab.side)
    const before = this.#shown.findLast((id) => this.find(id)?.side === tab.side)
    const next = before ?? mine[Math.min(index, mine.length - 1)]?.id
    // What the side shows from now on is remembered, also where the other one is worked in.
    if (before === undefined && next !== undefined) this.#shown = [next, ...this.#shown]
    if (this.#active !== tab.id) return
    const other = this.shownOn(tab.side === 'left' ? 'right' : 'left')?.id
    const shown = next ?? other
    if (shown === undefined) this.#active = null
    else this.#show(shown)
  }

  /** Ends the split when its left side has become empty. */
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
    const replaced = preview
      ? this.#tabs.find((tab) => tab.preview && !tab.pinned && tab.side === side)
      : undefined
    const tab: EditorTab = { ...subject, id: this.#newId(), preview, pinned: false, side }
    if (replaced) {
      this.#tabs = this.#tabs.map((other) => (other === replaced ? tab : other))
      this.#shown = this.#shown.map((id) => (id === replaced.id ? tab.id : id))
    } else this.#place(tab, this.#placeOfNew(tab, activate))
    if (activate || this.#active === null || this.#active === replaced?.id) this.#show(tab.id)
    this.#tell()
    if (replaced) this.#events.emit({ kind: 'closed', tab: replaced })
    return tab.id
  }

  #reopen(tab: EditorTab, preview: boolean, activate: boolean): string {
    if (!preview) this.keep(tab.id)
    if (activate) this.activate(tab.id)
    return tab.id
  }

  #replace(id: string, change: { preview: boolean }): void {
    this.#tabs = this.#tabs.map((tab) => (tab.id === id ? { ...tab, ...change } : tab))
    this.#tell()
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
