import type { Fingerprint } from './fingerprint'
import { type Machine, type Step, close } from './machine'

/**
 * A proposal found in the journal after the app had ended. What was accepted and is on disk is over; everything else
 * is an orphan: nothing is ever sent again. What is written already waits for nobody's answer, so it is asked about as
 * before; a decision on it that never reached the disk is to be made anew.
 */
export function restoreMachine(
  machine: Omit<Machine, 'phase' | 'askers' | 'answeredThere'>,
  disk: Fingerprint,
): Step {
  const restored: Machine = {
    ...machine,
    disk,
    askers: [],
    answeredThere: false,
    phase: { kind: 'orphaned', reason: 'restart' },
  }
  if (machine.accepted !== null && disk === machine.accepted) return close(restored, 'confirmed')
  if (machine.effect === 'written') {
    if (machine.verdict?.kind === 'rejected' && disk === machine.base) return close(restored, 'rejected')
    const open: Machine = { ...restored, verdict: null, accepted: null, phase: { kind: 'open' } }
    return { machine: open, orders: [] }
  }
  if (machine.verdict?.kind === 'rejected') return close(restored, 'rejected')
  if (machine.verdict === null && !machine.touched && disk === machine.proposed) {
    return close(restored, 'answered-there')
  }
  return { machine: restored, orders: [] }
}
