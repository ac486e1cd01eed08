import type { Disposable } from '../../shared/lifetime'
import type { Documents, OpenDocument } from '../core/editing/documents'
import type { Selections } from '../core/editing/selection'
import type { TabsEvent } from '../core/editing/editor-tab'
import type { Tabs } from '../core/editing/tabs'

/** A window's holds on documents: each is open while a tab of the window shows its file. */
export class DocumentHolds implements Disposable {
  readonly #documents: Documents
  readonly #tabs: Tabs
  readonly #selections: Selections
  readonly #holds = new Map<string, Promise<OpenDocument>>()

  constructor(documents: Documents, tabs: Tabs, selections: Selections) {
    this.#documents = documents
    this.#tabs = tabs
    this.#selections = selections
  }

  /** By real path; each settles when the document has been read. */
  get open(): ReadonlyMap<string, Promise<OpenDocument>> {
    return this.#holds
  }

  /** Called with every event of the tabs. */
  follow(event: TabsEvent): void {
    for (const tab of this.#tabs.state.tabs) {
      if (tab.kind !== 'file' || this.#holds.has(tab.path)) continue
      this.#holds.set(tab.path, this.#documents.open(tab.path))
    }
    if (event.kind !== 'closed' || event.tab.kind !== 'file' || this.#tabs.findFile(event.tab.path)) return
    this.#letGo(event.tab.path)
  }

  /** Files have moved, and their documents are open at the new paths: their tabs follow, each after a call of `before`. */
  async followMove(
    pathOf: (path: string) => string | null,
    before: (path: string, to: string) => void,
  ): Promise<void> {
    for (const path of this.#tabs.paths) {
      const to = pathOf(path)
      if (to === null) continue
      before(path, to)
      this.#tabs.rename(path, to)
      // Only when the document is held under its new path may the old hold go.
      await this.#holds.get(to)
      this.#letGo(path)
    }
  }

  dispose(): void {
    for (const path of [...this.#holds.keys()]) this.#letGo(path)
  }

  #letGo(path: string): void {
    const hold = this.#holds.get(path)
    this.#holds.delete(path)
    this.#selections.closeFile(path)
    void hold?.then((open) => open.dispose())
  }
}
