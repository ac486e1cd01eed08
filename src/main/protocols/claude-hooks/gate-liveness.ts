import type { GateState } from '../../core/gate/gate-states'
import type { NotedStatus } from '../../core/history/running-sessions'

/** What shows whether a command line's hooks are called. */
export type Witness =
  /** One of its hooks was called, about a tool's `call` if it is a PreToolUse. */
  | { kind: 'hook'; event: string; call?: string }
  /** Its connection says that a turn begins, which it does without hooks. */
  | { kind: 'turn' }
  /** What it notes of itself. */
  | { kind: 'status'; status: NotedStatus }
  /** It has written a file that nobody was asked about; `call` is null if it isn't known. */
  | { kind: 'written'; call: string | null }
  /** Settings switch its hooks off from now on. */
  | { kind: 'off' }

/** What is carried from witness to witness. */
export interface LivenessState {
  readonly is: GateState
  /** The turn that its connection or its writing shows. `worked`: it has noted that it works since. */
  readonly turn: { readonly heard: boolean; readonly worked: boolean } | null
  /** When the hook of the last prompt was called, in milliseconds; null once a turn has begun with it. */
  readonly prompted: number | null
  /** The calls of tools that hooks were called about, oldest first. */
  readonly calls: readonly string[]
}

export const unseen: LivenessState = { is: 'unseen', turn: null, prompted: null, calls: [] }

/** How long before the sign of its turn a hook may be called, in milliseconds. Measured: 20. */
export const mostAhead = 5000
const mostCalls = 500

/**
 * What is known after one more witness, which came at a time in milliseconds. A turn that ends without any hook shows
 * that they aren't called, and so does a write whose tool had none; the next hook shows that they are. There is no time
 * within which a hook has to come: a command typed with `!` begins a turn without one, and a hook follows at its end.
 */
export function hear(before: LivenessState, witness: Witness, at: number): LivenessState {
  switch (witness.kind) {
    case 'hook': {
      const { event, call } = witness
      return {
        is: 'in-force',
        turn: before.turn && { ...before.turn, heard: true },
        prompted: event === 'UserPromptSubmit' ? at : before.prompted,
        calls: call === undefined ? before.calls : [...before.calls, call].slice(-mostCalls),
      }
    }
    case 'turn': {
      const { is } = endTurn(before)
      const heard = before.prompted !== null && at - before.prompted <= mostAhead
      return { ...before, is, turn: { heard, worked: false }, prompted: null }
    }
    case 'status': {
      const { turn } = before
      if (turn === null || witness.status === 'unknown') return before
      // Until it notes that it works, `idle` is from before the turn.
      if (witness.status === 'idle') return turn.worked ? endTurn(before) : before
      return { ...before, turn: { ...turn, worked: true } }
    }
    case 'written': {
      const { turn, calls } = before
      // Without a turn it may have been written before anything was heard of.
      if (turn === null) return before
      const isHeard = witness.call === null ? turn.heard : calls.includes(witness.call)
      return isHeard ? before : { ...before, is: 'not-in-force' }
    }
    case 'off':
      return { ...before, is: 'not-in-force' }
  }
}

function endTurn(before: LivenessState): LivenessState {
  const isSilent = before.turn !== null && !before.turn.heard
  return { ...before, is: isSilent ? 'not-in-force' : before.is, turn: null }
}
