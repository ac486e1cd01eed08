import { join } from 'node:path'
import type { Approval } from '../../../shared/approval/approval'
import { type Disposable, type Listen, DisposableStack } from '../../../shared/lifetime'
import type { ApprovalChange, Approvals } from '../../core/approvals/approvals'
import type { Connections } from '../../core/connections/connections'
import type { Tabs } from '../../core/editing/tabs'
import { approvalsPage } from '../page/tab-handlers'
import type { WindowFolders } from '../window-folders'
import { placeAmong } from './place-among-windows'

/** A window in which questions may be put. */
export interface AskingWindow {
  readonly id: string
  readonly folders: WindowFolders
  readonly connections: Connections
}

/** The window that a question is put in: as a review is placed, by its folder, else by the agent's connection. */
function windowOf(windows: readonly AskingWindow[], { question }: Approval, home: string): string | null {
  const { folder, requester } = question
  // A place in the folder: a window that has it as its own holds it too.
  return placeAmong(windows, folder === null ? '' : join(folder, '.'), requester, home).window
}

/** The questions that are put in one window. */
export class WindowApprovals {
  readonly #approvals: Approvals
  readonly #window: string
  readonly #windows: () => readonly AskingWindow[]
  readonly #home: string

  constructor(approvals: Approvals, window: string, windows: () => readonly AskingWindow[], home: string) {
    this.#approvals = approvals
    this.#window = window
    this.#windows = windows
    this.#home = home
  }

  /** Hears of all questions; `isHere` says which are put in this window. */
  get onChange(): Listen<ApprovalChange> {
    return this.#approvals.onChange
  }

  /** The oldest first. */
  list(): Approval[] {
    return this.#approvals.list().filter((approval) => this.isHere(approval))
  }

  isHere(approval: Approval): boolean {
    return windowOf(this.#windows(), approval, this.#home) === this.#window
  }

  /** As of all questions; one that is put elsewhere cannot be answered from here. */
  answer(id: string, answer: Parameters<Approvals['answer']>[1]): ReturnType<Approvals['answer']> {
    const approval = this.#approvals.find(id)
    return this.#approvals.answer(approval && this.isHere(approval) ? id : '', answer)
  }

  seen(id: string): void {
    this.#approvals.seen(id)
  }
}

/** A question brings the tab of approvals into its window, behind what is shown; with the last one it goes. */
export function connectApprovalsToWindows(
  approvals: Approvals,
  windows: () => readonly (AskingWindow & { readonly tabs: Tabs })[],
  home: string,
): Disposable {
  const owned = new DisposableStack()
  const seen = new Set<string>()
  owned.add(
    approvals.onChange(({ kind, approval }) => {
      if (kind === 'put') {
        if (seen.has(approval.id)) return
        seen.add(approval.id)
        const id = windowOf(windows(), approval, home)
        windows()
          .find((window) => window.id === id)
          ?.tabs.openOther(approvalsPage, { activate: false })
        return
      }
      seen.delete(approval.id)
      for (const { id, tabs } of windows()) closeWhenEmpty(id, tabs)
    }),
  )
  /** Not where somebody looks at it. */
  const closeWhenEmpty = (window: string, tabs: Tabs) => {
    const tab = tabs.state.tabs.find((one) => one.kind === 'other' && one.name === approvalsPage)
    if (!tab || tabs.shownOn(tab.side)?.id === tab.id) return
    if (!approvals.list().some((one) => windowOf(windows(), one, home) === window)) tabs.close(tab.id)
  }
  return owned
}
