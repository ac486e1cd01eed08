import { z } from 'zod'
import { Emitter, type Disposable } from '../../../shared/lifetime'

/** A tab of a window's middle. `preview`: the next file opened as a preview takes its place. Pinned ones stand first. */
export type EditorTab = FileTab | ReviewTab | OtherTab

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
/** A page of the app's own (settings, log); `name` says which. */
export interface OtherTab extends TabBase {
  kind: 'other'
  name: string
}
interface TabBase {
  id: string
  preview: boolean
  pinned: boolean
}

/** All tabs of a window in their order, and the one that is shown; null only when there is none. */
export interface TabsState {
  tabs: readonly EditorTab[]
  active: string | null
}

/**
 * `changed`: take the state anew. `closed`: a tab is gone because somebody closed it, or a preview was replaced; for a
 * review that is a decision. Ending a window closes no tab.
 */
export type TabsEvent = { kind: 'changed'; state: TabsState } | { kind: 'closed'; tab: EditorTab }

export interface OpenOptions {
  /** Only for a file that is not open yet; opening it again without `preview` keeps it. */
  preview?: boolean
  /** Shows the tab. Without it only its being open changes (it is shown anyway if it is the only one). */
  activate?: boolean
}

/** What of a window's tabs outlives the app: its files. Reviews come back with their proposals, if they do. */
export const storedTabs = z.object({
  tabs: z.array(z.object({ path: z.string(), preview: z.boolean(), pinned: z.boolean() })).max(1000),
  active: z.string().nullable(),
})
export type StoredTabs = z.infer<typeof storedTabs>

/** What a new tab is made of. */
type Subject = Omit<FileTab, keyof TabBase> | Omit<ReviewTab, keyof TabBase> | Omit<OtherTab, keyof TabBase>

/** The tabs of one window: which are open, in which order, and which one was shown when. */
export class Tabs implements Disposable {
  #tabs: readonly EditorTab[] = []
  #active: string | null = null
  /** Ids in the order in which they were shown, the last one last. */
  #shown: string[] = []
  #nextId = 1
  readonly #events = new Emitter<TabsEvent>()
  readonly on = this.#events.on

  get state(): TabsState {
    return { tabs: this.#tabs, active: this.#active }
  }

  get active(): EditorTab | undefined {
    return this.find(this.#active)
  }

  find(id: string | null): EditorTab | undefined {
    return this.#tabs.find((tab) => tab.id === id)
  }

  findFile(path: string): FileTab | undefined {
    return this.#tabs.find((tab): tab is FileTab => tab.kind === 'file' && tab.path === path)
  }

  findReview(proposal: string): ReviewTab | undefined {
    return this.#tabs.find((tab): tab is ReviewTab => tab.kind === 'review' && tab.proposal === proposal)
  }

  /** Opens a file's tab, or the one it has. A new tab comes after the active one; a preview replaces the old preview. */
  openFile(path: string, { preview = false, activate = true }: OpenOptions = {}): string {
    const open = this.findFile(path)
    if (open) return this.#reopen(open, preview, activate)
    const replaced = preview ? this.#tabs.find((tab) => tab.preview && !tab.pinned) : undefined
    return this.#open({ kind: 'file', path }, preview, activate, replaced)
  }

  /** Opens a proposal's tab, or the one it has. */
  openReview(proposal: string, path: string, { activate = true }: { activate?: boolean } = {}): string {
    const open = this.findReview(proposal)
    if (open) return this.#reopen(open, false, activate)
    return this.#open({ kind: 'review', proposal, path }, false, activate)
  }

  openOther(name: string): string {
    const open = this.#tabs.find((tab) => tab.kind === 'other' && tab.name === name)
    return open ? this.#reopen(open, false, true) : this.#open({ kind: 'other', name }, false, true)
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
    const others = this.#tabs.filter((other) => other.id !== id)
    const place = others.filter((other) => other.pinned).length
    this.#tabs = others.toSpliced(place, 0, { ...tab, pinned, preview: false })
    this.#tell()
  }

  /** Moves a tab to an index, as near as pinned tabs' standing first allows. */
  move(id: string, to: number): void {
    const tab = this.find(id)
    if (!tab) return
    const others = this.#tabs.filter((other) => other.id !== id)
    const pinned = others.filter((other) => other.pinned).length
    const [least, most] = tab.pinned ? [0, pinned] : [pinned, others.length]
    this.#tabs = others.toSpliced(Math.max(least, Math.min(to, most)), 0, tab)
    this.#tell()
  }

  /** Closes a tab; the one shown before it is shown again. Gives the tab, or undefined when there is none. */
  close(id: string): EditorTab | undefined {
    const tab = this.find(id)
    if (!tab) return undefined
    const index = this.#tabs.indexOf(tab)
    this.#tabs = this.#tabs.filter((other) => other !== tab)
    this.#shown = this.#shown.filter((shown) => shown !== id)
    if (this.#active === id) {
      const neighbour = this.#tabs[Math.min(index, this.#tabs.length - 1)]
      const next = this.#shown.at(-1) ?? neighbour?.id
      if (next === undefined) this.#active = null
      else this.#show(next)
    }
    this.#tell()
    this.#events.emit({ kind: 'closed', tab })
    return tab
  }

  /** A file got another path: its tabs follow. */
  rename(from: string, to: string): void {
    if (!this.#tabs.some((tab) => 'path' in tab && tab.path === from)) return
    this.#tabs = this.#tabs.map((tab) => ('path' in tab && tab.path === from ? { ...tab, path: to } : tab))
    this.#tell()
  }

  store(): StoredTabs {
    const files = this.#tabs.filter((tab) => tab.kind === 'file')
    const active = this.active ?? null
    const lastFile = [...this.#shown]
      .reverse()
      .map((id) => this.find(id))
      .find((tab) => tab?.kind === 'file')
    const shown = active?.kind === 'file' ? active : lastFile
    return {
      tabs: files.map(({ path, preview, pinned }) => ({ path, preview, pinned })),
      active: shown?.kind === 'file' ? shown.path : null,
    }
  }

  /** Opens what was stored, beside what is open. */
  restore(stored: StoredTabs): void {
    for (const { path, preview, pinned } of stored.tabs) {
      if (this.findFile(path)) continue
      const tab: FileTab = { id: this.#newId(), kind: 'file', path, preview: preview && !pinned, pinned }
      const place = pinned ? this.#tabs.filter((other) => other.pinned).length : this.#tabs.length
      this.#tabs = this.#tabs.toSpliced(place, 0, tab)
    }
    const active =
      (stored.active === null ? undefined : this.findFile(stored.active)) ?? this.active ?? this.#tabs[0]
    if (active) this.#show(active.id)
    this.#tell()
  }

  dispose(): void {
    this.#events.dispose()
  }

  #open(subject: Subject, preview: boolean, activate: boolean, replaced?: EditorTab): string {
    const tab: EditorTab = { ...subject, id: this.#newId(), preview, pinned: false }
    if (replaced) {
      this.#tabs = this.#tabs.map((other) => (other === replaced ? tab : other))
      this.#shown = this.#shown.filter((id) => id !== replaced.id)
    } else {
      const after = this.#tabs.findIndex((other) => other.id === this.#active)
      const pinned = this.#tabs.filter((other) => other.pinned).length
      this.#tabs = this.#tabs.toSpliced(Math.max(after + 1, pinned), 0, tab)
    }
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
