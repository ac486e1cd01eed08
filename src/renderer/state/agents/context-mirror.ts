import type { ContextDelta, ContextState } from '../../../shared/contract/context'
import type { Sharing } from '../../../shared/agent-view'
import { send } from '../host/calls'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, readMirror, useMirror } from '../host/mirror'

/** How many entries of the sent record are kept, as in the host. */
const mostSent = 500

/** What agents see of this window, and what they were given. */
export const contextMirror = mirrorTopic(client, 'context', {}, applyContext)

/** Applies a change of the state, or a sent entry, which replaces one with the same id. */
export function applyContext(state: ContextState, delta: ContextDelta): ContextState {
  switch (delta.kind) {
    case 'state':
      return mergeDelta<ContextState>(state, delta.state)
    case 'sent': {
      const others = state.sent.filter(({ id }) => id !== delta.entry.id)
      return { ...state, sent: [...others, delta.entry].slice(-mostSent) }
    }
  }
}

/** The context, followed; null until the host has told it. */
export function useAgentContext(): ContextState | null {
  return useMirror(contextMirror, (state) => state)
}

/** What is shared now; null until the host has told it. */
export function readSharing(): Sharing | null {
  return readMirror(contextMirror)?.sharing ?? null
}

export function share(change: Partial<Sharing>): void {
  send('context.share', change)
}
