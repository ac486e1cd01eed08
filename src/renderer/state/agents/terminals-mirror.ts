import type { Topics } from '../../../shared/contract/contract'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'

type TerminalsState = Topics['terminals']['snapshot']

/** The terminals of this window and what a new one can run. */
export const terminalsMirror = mirrorTopic(client, 'terminals', {}, mergeDelta<TerminalsState>)

const none: TerminalsState = { terminals: [], profiles: [] }

/** Terminals and profiles, followed; none until the host has told them. */
export function useTerminals(): TerminalsState {
  return useMirror(terminalsMirror, (state) => state ?? none)
}
