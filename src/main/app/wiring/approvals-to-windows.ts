import { join } from 'node:path'
import type { Approval } from '../../../shared/approval/approval'
import type { Disposable } from '../../../shared/lifetime'
import type { Approvals } from '../../core/approvals/approvals'
import type { Connections } from '../../core/connections/connections'
import type { Tabs } from '../../core/editing/tabs'
import { approvalsPage } from '../page/tab-handlers'
import type { WindowFolders } from '../window-folders'
import { placeAmong } from './place-among-windows'

/** A window that may show questions. */
export interface AskingWindow {
  readonly id: string
  readonly folders: WindowFolders
  readonly connections: Connections
}

/** The window that shows a question: found like that of a review, by its folder, else by the agent's connection. */
function windowOf(windows: readonly AskingWindow[], { question }: Approval, home: string): string | null {
  const { folder, requester } = question
  // A place in the folder: a window that has it as its own holds it too.
  return placeAmong(windows, folder === null ? '' : join(folder, '.'), requester, home).window
}

/** The questions in one window. */
export interface WindowApprovals extends Pick<Approvals, 'list' | 'answer' | 'seen' | 'onChange'> {
  /** Whether a question is in this window: `onChange` hears of all. */
  isHere(approval: Approval): boolean
}

/** The questions in the window with this id. Those in other windows aren't listed and can't be answered. */
export function approvalsOfWindow(
  approvals: Approvals,
  window: string,
  windows: () => readonly AskingWindow[],
  home: string,
): WindowApprovals {
  const isHere = (approval: Approval) => windowOf(windows(), approval, home) === window
  return {
    isHere,
    onChange: approvals.onChange,
    list: () => approvals.list().filter(isHere),
    answer(id, answer) {
      const approval = approvals.find(id)
      return approvals.answer(approval && isHere(approval) ? id : '', answer)
    },
    seen: (id) => approvals.seen(id),
  }
}

/** A question opens the tab of approvals in its window, behind what is shown; the tab closes with the last one. */
export function connectApprovalsToWindows(
  approvals: Approvals,
  windows: () => readonly (AskingWindow & { readonly tabs: Tabs })[],
  home: string,
): Disposable {
  const seen = new Set<string>()
  /** Unless somebody is looking at it. */
  const closeWhenEmpty = (window: string, tabs: Tabs) => {
    const tab = tabs.state.tabs.find((one) => one.kind === 'other' && one.name === approvalsPage)
    if (!tab || tabs.shownOn(tab.side)?.id === tab.id) return
    if (!approvals.list().some((one) => windowOf(windows(), one, home) === window)) tabs.close(tab.id)
  }
  return approvals.onChange(({ kind, approval }) => {
    if (kind === 'remove') {
      seen.delete(approval.id)
      for (const { id, tabs } of windows()) closeWhenEmpty(id, tabs)
    } else if (!seen.has(approval.id)) {
      seen.add(approval.id)
      const id = windowOf(windows(), approval, home)
      const window = windows().find((one) => one.id === id)
      window?.tabs.openOther(approvalsPage, { activate: false })
    }
  })
}
