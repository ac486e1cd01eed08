import { defineLayoutValue } from './kept-layout'

export type SideView = 'files' | 'reviews' | 'search' | 'sessions'
export type PanelView = 'context' | 'connections' | 'log'
/** The one column of a narrow window. */
export type NarrowView = 'side' | 'main' | 'terminal' | 'panel'

const isOpen = (first: boolean) => (stored: unknown) => (typeof stored === 'boolean' ? stored : first)
const size = (first: number) => (stored: unknown) =>
  typeof stored === 'number' && stored > 0 && stored < 100 ? stored : first
const oneOf =
  <T extends string>(...values: readonly [T, ...T[]]) =>
  (stored: unknown): T =>
    values.find((value) => value === stored) ?? values[0]

/** The frame's panes: which are open, what they show, and their sizes in percent of their group. */
export const frameLayout = {
  sideOpen: defineLayoutValue('side.open', isOpen(true)),
  sideView: defineLayoutValue('side.view', oneOf<SideView>('files', 'reviews', 'search', 'sessions')),
  sideSize: defineLayoutValue('side.size', size(20)),
  terminalOpen: defineLayoutValue('terminal.open', isOpen(true)),
  terminalSizeBottom: defineLayoutValue('terminal.size.bottom', size(32)),
  terminalSizeRight: defineLayoutValue('terminal.size.right', size(42)),
  panelOpen: defineLayoutValue('panel.open', isOpen(false)),
  panelView: defineLayoutValue('panel.view', oneOf<PanelView>('context', 'connections', 'log')),
  panelSize: defineLayoutValue('panel.size', size(22)),
  narrowView: defineLayoutValue('narrow.view', oneOf<NarrowView>('main', 'side', 'terminal', 'panel')),
}

/** Opens the side bar on a view; with `toggle`, closes it if it shows that view already. */
export function showSide(view: SideView, toggle = false): void {
  const shuts = toggle && frameLayout.sideOpen.get() && frameLayout.sideView.get() === view
  frameLayout.sideView.set(view)
  frameLayout.sideOpen.set(!shuts)
  frameLayout.narrowView.set('side')
}

/** Opens the right panel on a view; with `toggle`, closes it if it shows that view already. */
export function showPanel(view: PanelView, toggle = false): void {
  const shuts = toggle && frameLayout.panelOpen.get() && frameLayout.panelView.get() === view
  frameLayout.panelView.set(view)
  frameLayout.panelOpen.set(!shuts)
  frameLayout.narrowView.set(shuts ? 'main' : 'panel')
}

export function showTerminal(): void {
  frameLayout.terminalOpen.set(true)
  frameLayout.narrowView.set('terminal')
}

/** Closes the list that covers the middle in a narrow window. */
export function showMiddle(): void {
  if (frameLayout.narrowView.get() === 'side') frameLayout.narrowView.set('main')
}
