import { createStore } from 'zustand/vanilla'
import { attempt } from '../../state/host/calls'
import { defineLayoutValue } from '../../state/window/kept-layout'
import { readMirror } from '../../state/host/mirror'
import { tell } from '../../state/window/notices-mirror'
import { terminalsMirror } from '../../state/agents/terminals-mirror'
import type { Terminal, TerminalProfile } from '../../../shared/contract/terminals'

/** Which tab of the drawer is shown: a terminal, or the card of a profile that is not installed. */
interface Shown {
  active: string | null
  /** The profile whose card is shown in place of a terminal. */
  missing: string | null
}

/** What the drawer shows; the host doesn't know. */
export const shown = createStore<Shown>()(() => ({ active: null, missing: null }))

/** The terminal whose find bar is open. */
export const finding = createStore<{ terminal: string | null }>()(() => ({ terminal: null }))

/** The terminal that is being renamed. */
export const renaming = createStore<{ terminal: string | null }>()(() => ({ terminal: null }))

/** Whether terminals write their text for screen readers. It costs speed, so it is off at first. */
export const screenReader = defineLayoutValue('terminal.screenReader', (stored) => stored === true)

/** The terminal to focus as soon as it is shown; its body then clears this. */
export const focusNext = createStore<{ terminal: string | null }>()(() => ({ terminal: null }))

const firstSize = { columns: 100, rows: 24 }

/** The terminal shown now: the chosen one if it still exists, else the last. */
export function activeTerminal(): Terminal | null {
  return chosenOf(readMirror(terminalsMirror)?.terminals ?? [], shown.getState().active)
}

/** The terminal that a choice means among those that exist. */
export function chosenOf(terminals: readonly Terminal[], active: string | null): Terminal | null {
  return terminals.find((terminal) => terminal.id === active) ?? terminals.at(-1) ?? null
}

/** The terminals to be shown side by side, the one on the left first: one, or a split pair. */
export function pairOf(terminals: readonly Terminal[], chosen: Terminal | null): Terminal[] {
  if (!chosen) return []
  const left = terminals.find((terminal) => terminal.id === chosen.splitOf) ?? chosen
  const right = terminals.find((terminal) => terminal.splitOf === left.id)
  return right ? [left, right] : [left]
}

/** Shows a terminal and puts the focus into it. */
export function focusTerminal(id: string): void {
  focusNext.setState({ terminal: id })
  shown.setState({ active: id, missing: null })
}

/**
 * Starts a profile in a new terminal, beside another one if `splitOf` names it. Gives the new terminal's id, or null
 * after telling the person why there is none; for a program that isn't installed the drawer shows how to get it. Until
 * the terminal is there no other one gets what is typed: it is meant for the new one, and an agent could take it for an
 * answer.
 */
export async function openTerminal(profile: string, splitOf?: string): Promise<string | null> {
  const known = profileOf(profile)
  const isTold = known?.install != null
  if (isTold) shown.setState({ missing: profile })
  const typedInto = focusInTerminal()
  typedInto?.blur()
  const created = await attempt('terminals.create', {
    profile,
    ...firstSize,
    ...(splitOf ? { splitOf } : {}),
  })
  if (created.ok) {
    focusTerminal(created.value.id)
    return created.value.id
  }
  if (created.failure.code === 'missing' && profileOf(profile)) {
    // A card that was shown at once may have been closed meanwhile.
    if (!isTold) shown.setState({ missing: profile })
  } else tell('error', created.failure.message)
  if (document.activeElement === document.body) typedInto?.focus()
  return null
}

function focusInTerminal(): HTMLElement | null {
  const focused = document.activeElement
  return focused instanceof HTMLElement && focused.closest('[data-scope="terminal"]') ? focused : null
}

/** A profile of the New terminal menu by its id. */
function profileOf(id: string): TerminalProfile | null {
  return readMirror(terminalsMirror)?.profiles.find((profile) => profile.id === id) ?? null
}
