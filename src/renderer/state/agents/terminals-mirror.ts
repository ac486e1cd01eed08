import type { Topics } from '../../../shared/contract/contract'
import { client } from '../host/client'
import { mirrorTopic, useMirror } from '../host/mirror'

type TerminalsState = Topics['terminals']['snapshot']

/** Applies one delta of the terminals; each part that it has replaces the old one. */
export function applyTerminals(state: TerminalsState, delta: Topics['terminals']['delta']): TerminalsState {
  return { terminals: delta.terminals ?? state.terminals, profiles: delta.profiles ?? state.profiles }
}

/** The terminals of this window and what a new one can run. */
export const terminalsMirror = mirrorTopic(client, 'terminals', {}, applyTerminals)

const none: TerminalsState = { terminals: [], profiles: [] }

/** Terminals and profiles, followed; none until the host has told them. */
export function useTerminals(): TerminalsState {
  return useMirror(terminalsMirror, (state) => state ?? none)
}
