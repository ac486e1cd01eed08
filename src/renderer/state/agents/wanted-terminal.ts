import { createStore } from 'zustand/vanilla'
import { showTerminal } from '../window/frame-layout'

/** The terminal to show and focus; whoever shows it clears this. */
export const wantedTerminal = createStore<{ terminal: string | null }>()(() => ({ terminal: null }))

/** Opens the terminals pane and focuses a terminal. */
export function goToTerminal(terminal: string): void {
  showTerminal()
  wantedTerminal.setState({ terminal })
}
