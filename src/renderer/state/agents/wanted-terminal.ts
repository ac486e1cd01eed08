import { createStore } from 'zustand/vanilla'
import { showTerminal } from '../window/frame-layout'

/** The terminal that shall be shown and get the focus; whoever shows it clears it. */
export const wantedTerminal = createStore<{ terminal: string | null }>()(() => ({ terminal: null }))

/** Opens the terminals' pane and goes to one of them. */
export function goToTerminal(terminal: string): void {
  showTerminal()
  wantedTerminal.setState({ terminal })
}
