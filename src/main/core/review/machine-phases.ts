import type { Effect, WithdrawnReason } from '../../../shared/review'
import { jointEffect } from './askers'
import type { End, Machine } from './machine'

/**
 * - `queued`: behind another review of the same path.
 * - `open`: the person is asked.
 * - `recording`: decided; being written to the journal before it is said.
 * - `writing`: the host itself writes; `then` says what for.
 * - `awaiting`: accepted and told; the disk shall show it.
 * - `overdue`: the same for too long.
 * - `watching`: answered elsewhere; the disk tells how.
 * - `orphaned`: nobody can be answered; the draft stays until the person says what shall become of it.
 * - `closed`: over.
 */
export type Phase =
  | { readonly kind: 'queued' }
  | { readonly kind: 'open' }
  | { readonly kind: 'recording' }
  | { readonly kind: 'writing'; readonly from: 'recording' | 'overdue' | 'orphaned' }
  | { readonly kind: 'awaiting' }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'watching' }
  | { readonly kind: 'orphaned'; readonly reason: WithdrawnReason | 'restart' | 'reopened' }
  | { readonly kind: 'closed'; readonly end: End }

/** Whether everyone who asked has its answer. */
export function isSettled({ askers }: Machine): boolean {
  return !askers.includes('waiting')
}

/** Whether another one that asks for the same change can still have the same answer. */
export function isJoinable(machine: Machine, effect: Effect): boolean {
  const { kind } = machine.phase
  if (kind !== 'queued' && kind !== 'open' && kind !== 'recording') return false
  return !isSettled(machine) && !machine.answeredThere && jointEffect(machine.effect, effect) !== null
}

/** Whether a person may work on it. */
export function isWorkedOn({ phase: { kind } }: Machine): boolean {
  return kind === 'open' || kind === 'queued' || kind === 'orphaned'
}

/** What has become of the file while the person is asked: it was deleted, or holds the whole proposal. */
export function meanwhileOf(machine: Machine): 'deleted' | 'written' | undefined {
  const { effect, base, proposed, disk } = machine
  if (effect === 'written' || disk === base || !isWorkedOn(machine)) return undefined
  return disk === 'absent' ? 'deleted' : disk === proposed ? 'written' : undefined
}

/** The host is about to write, or writes. */
export function isHostsTurn({ phase, effect }: Machine): boolean {
  return (
    phase.kind === 'writing' || (phase.kind === 'recording' && (effect === 'host' || effect === 'written'))
  )
}
