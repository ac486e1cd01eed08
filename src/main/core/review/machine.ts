import type { Effect, Verdict, WithdrawnReason } from '../../../shared/review/proposal'
import { unreachable } from '../../../shared/result'
import { jointEffect } from './askers'
import type { Fingerprint } from './fingerprint'

/**
 * The life of one proposed change as a pure state machine: events in, a new state and orders out. It decides what the
 * agent is told, once, and what becomes of the draft. It does no input or output and knows no dialect.
 */
export interface Machine {
  readonly effect: Effect
  readonly phase: Phase
  /** The person has decided, edited or typed something that must not be lost. */
  readonly touched: boolean
  /** What the askers were told, or will be once it is recorded. Never changes once everyone has an answer. */
  readonly verdict: Verdict | null
  /** In the order of asking: each gets one answer, and is then `told`. */
  readonly askers: readonly AskerState[]
  /** One of several askers was answered elsewhere, in a terminal. If that reaches the disk, all are told. */
  readonly answeredThere: boolean
  /** Fingerprints: of what the file holds before it, the whole proposal, what was accepted, the disk as last seen. */
  readonly base: Fingerprint
  readonly proposed: Fingerprint
  readonly accepted: Fingerprint | null
  readonly disk: Fingerprint
}

export type AskerState = 'waiting' | 'told'

/** How a review ended. `diverged`: the file holds neither what was accepted nor what it held before. */
export type End =
  | 'confirmed'
  | 'diverged'
  | 'unconfirmed'
  | 'rejected'
  | 'answered-there'
  | 'withdrawn'
  | 'replaced'
  | 'kept'
  | 'discarded'

export type MachineEvent =
  /** Found in the journal after a restart, with any decision it holds. */
  | ({ readonly kind: 'restored' } & Restored)
  /** A rejected change was reopened, for the person alone. */
  | { readonly kind: 'reopened'; readonly disk: Fingerprint }
  /** The reviews before it on its path are over. */
  | { readonly kind: 'turn' }
  | { readonly kind: 'touched' }
  /** `text` and `fingerprint` are of the whole result, as the file should hold it. */
  | ({
      readonly kind: 'accept'
      readonly text: string
      readonly fingerprint: Fingerprint
      /** For the model. */
      readonly words?: string
    } & Insistence)
  | ({ readonly kind: 'reject'; readonly note?: string } & Insistence)
  /** The journal holds the decision, or the person insists on it. */
  | { readonly kind: 'recorded' }
  /** The journal can't hold the decision: nobody is told, and the person is asked again. */
  | { readonly kind: 'unrecorded' }
  /** Another asker for the same change, with the next number. */
  | { readonly kind: 'join'; readonly effect: Effect }
  /** The asker of this number no longer asks; without a number, nobody does. */
  | { readonly kind: 'withdraw'; readonly reason: WithdrawnReason; readonly asker?: number }
  /** An agent that was answered elsewhere takes the draft as it stands, and is expected to write it. */
  | { readonly kind: 'hand-over'; readonly fingerprint: Fingerprint }
  /**
   * The file's settled content. `isAwaited`: except for line endings it is what the agent should write, which is the
   * result, or the whole proposal if the host then puts the file to the result.
   */
  | { readonly kind: 'disk'; readonly fingerprint: Fingerprint; readonly isAwaited?: boolean }
  /** Somebody else left this in the file, and it is on record: none of this review's doing. */
  | { readonly kind: 'overwritten'; readonly fingerprint: Fingerprint }
  /** The draft was carried onto the file's newer text. */
  | { readonly kind: 'rebased'; readonly base: Fingerprint }
  /** A written change was written again: its new base and proposal. */
  | { readonly kind: 'renewed'; readonly base: Fingerprint; readonly proposed: Fingerprint }
  /** The time set by `start-timer` has passed. */
  | { readonly kind: 'timeout' }
  /** The host's own write has finished. */
  | { readonly kind: 'wrote'; readonly ok: boolean }
  /** Orphaned: write the draft as the person's own change; overdue: write what was accepted. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'discard' }
  /** There are too many orphans: close this one if it is untouched. */
  | { readonly kind: 'let-go' }

/** What the journal holds of a review, and what its file holds now. */
interface Restored {
  readonly touched: boolean
  readonly verdict: 'accepted' | 'rejected' | null
  readonly accepted: Fingerprint | null
  readonly disk: Fingerprint
  /** As in the event `disk`. */
  readonly isAwaited?: boolean
}

/** The decision counts even if it can't be recorded. */
interface Insistence {
  readonly insists?: boolean
}

export type Order =
  /** Write the decision to the journal, with fsync, then send `recorded` or `unrecorded`. */
  | ({ readonly kind: 'record' } & Insistence)
  /** Answer an asker; at most once for each. */
  | { readonly kind: 'settle'; readonly asker: number; readonly verdict: Verdict }
  /** Put the person's note into the agent's prompt; once, since all askers are one agent. */
  | { readonly kind: 'pass-note'; readonly note: string }
  /** The accepted text will appear on disk; it is nobody else's change. */
  | { readonly kind: 'expect-write' }
  | { readonly kind: 'start-timer' }
  | { readonly kind: 'stop-timer' }
  /** Write the result by compare and swap against the disk as last seen, then send `wrote`. */
  | { readonly kind: 'write' }
  /** Carry the draft onto the disk's new text. */
  | { readonly kind: 'rebase' }
  /** The disk got something other than what the person decided: ask again, after the fact. */
  | { readonly kind: 'reopen-written' }
  /** Remove it from the list and let the next on its path begin. Always the last order, and sent once. */
  | { readonly kind: 'close'; readonly end: End }

export interface Step {
  readonly machine: Machine
  readonly orders: readonly Order[]
}

/**
 * A new proposal, which `turn` begins. With `isAsked` false nobody can be answered, and `restored` or `reopened` begins
 * it.
 */
export function startMachine(
  effect: Effect,
  base: Fingerprint,
  proposed: Fingerprint,
  isAsked = true,
): Machine {
  return {
    effect,
    phase: { kind: 'queued' },
    touched: false,
    verdict: null,
    askers: isAsked ? ['waiting'] : [],
    answeredThere: false,
    base,
    proposed,
    accepted: null,
    disk: effect === 'written' ? proposed : base,
  }
}

/** Takes a new machine through its first events. */
export function beginMachine(machine: Machine, ...events: readonly MachineEvent[]): Step {
  return events.reduce<Step>((step, event) => then(step, stepMachine(step.machine, event)), stay(machine))
}

/** Handles one event. An event with no meaning in the present phase changes nothing. */
export function stepMachine(machine: Machine, event: MachineEvent): Step {
  if (machine.phase.kind === 'closed') return { machine, orders: [] }
  switch (event.kind) {
    case 'restored':
      return isUnasked(machine) ? restore(machine, event) : stay(machine)
    case 'reopened':
      return isUnasked(machine) ? reopen(machine, event.disk) : stay(machine)
    case 'turn':
      return machine.phase.kind === 'queued' ? to(machine, { kind: 'open' }) : stay(machine)
    case 'touched':
      // The draft is no longer what was accepted.
      return stay({ ...machine, touched: true, accepted: isWorkedOn(machine) ? null : machine.accepted })
    case 'accept':
      return accept(machine, event)
    case 'reject': {
      if (machine.phase.kind !== 'open') return stay(machine)
      const verdict: Verdict = { kind: 'rejected', ...(event.note === undefined ? {} : { note: event.note }) }
      return to({ ...machine, verdict }, { kind: 'recording' }, [recordOf(event)])
    }
    case 'recorded':
      return machine.phase.kind === 'recording' ? say(machine) : stay(machine)
    case 'unrecorded':
      return machine.phase.kind === 'recording' ? askAgain(machine) : stay(machine)
    case 'join': {
      const effect = jointEffect(machine.effect, event.effect)
      if (effect === null || !isJoinable(machine, event.effect)) return stay(machine)
      return stay({ ...machine, effect, askers: [...machine.askers, 'waiting'] })
    }
    case 'withdraw':
      return withdraw(machine, event.reason, event.asker)
    case 'hand-over':
      return machine.phase.kind === 'open' || machine.phase.kind === 'queued'
        ? { machine: { ...machine, accepted: event.fingerprint }, orders: [{ kind: 'expect-write' }] }
        : stay(machine)
    case 'disk':
      // The host writes over what was seen at the decision; anything newer is looked at afterwards.
      if (isDeaf(machine)) return stay(machine)
      return see({ ...machine, disk: event.fingerprint }, machine.disk, event.isAwaited)
    case 'overwritten':
      return overwrite(machine, event.fingerprint)
    case 'rebased':
      return machine.effect !== 'written' && isWorkedOn(machine)
        ? stay({ ...machine, base: event.base })
        : stay(machine)
    case 'renewed': {
      const { base, proposed } = event
      if (machine.effect !== 'written' || !isWorkedOn(machine)) return stay(machine)
      return stay({ ...machine, base, proposed, disk: proposed })
    }
    case 'timeout':
      return timeOut(machine)
    case 'wrote':
      return wrote(machine, event.ok)
    case 'keep':
      return machine.phase.kind === 'orphaned' || machine.phase.kind === 'overdue'
        ? to(machine, { kind: 'writing', from: machine.phase.kind }, [
            { kind: 'expect-write' },
            { kind: 'write' },
          ])
        : stay(machine)
    case 'discard':
      if (machine.phase.kind === 'orphaned') return close(machine, 'discarded')
      return machine.phase.kind === 'overdue' ? close(machine, 'unconfirmed') : stay(machine)
    case 'let-go':
      return machine.phase.kind === 'orphaned' && !machine.touched
        ? close(machine, 'withdrawn')
        : stay(machine)
    default:
      return unreachable(event)
  }
}

function isUnasked({ phase, askers }: Machine): boolean {
  return phase.kind === 'queued' && askers.length === 0
}

/**
 * What was accepted and is on disk is over; anything else becomes an orphan, because nothing is ever told twice. A
 * written change has no asker, so it opens as before; a decision on it that didn't reach the disk has to be made again.
 * The host does any writing that is still left to it.
 */
function restore(machine: Machine, { touched, verdict, accepted, disk, isAwaited }: Restored): Step {
  const { effect, base, proposed } = machine
  const said: Verdict | null =
    verdict === 'accepted' ? { kind: verdict, text: '' } : verdict && { kind: verdict }
  const orphan: Phase = { kind: 'orphaned', reason: 'restart' }
  const restored: Machine = { ...machine, touched, verdict: said, accepted, disk, phase: orphan }
  if (accepted !== null && disk === accepted) return close(restored, 'confirmed')
  if (effect === 'written') {
    if (verdict === 'rejected' && disk === base) return close(restored, 'rejected')
    const open: Machine = { ...restored, verdict: null, accepted: null, phase: { kind: 'open' } }
    return disk === proposed ? stay(open) : { machine: open, orders: [{ kind: 'rebase' }] }
  }
  if (verdict === 'rejected') return close(restored, 'rejected')
  if (verdict === null && !touched && disk === proposed) return close(restored, 'answered-there')
  if (isWrittenWhole(restored, isAwaited)) return putBack(restored, 'overdue')
  return disk === base ? stay(restored) : carryOver(restored)
}

/** The draft stays on the text it was made from, which the file may no longer hold. */
function reopen(machine: Machine, disk: Fingerprint): Step {
  const phase: Phase = { kind: 'orphaned', reason: 'reopened' }
  const orders: Order[] = disk === machine.base ? [] : [{ kind: 'rebase' }]
  return to({ ...machine, touched: true, disk }, phase, orders)
}

function accept(machine: Machine, event: MachineEvent & { kind: 'accept' }): Step {
  if (machine.phase.kind !== 'open') return stay(machine)
  // An acceptance that leaves the file as it was is a rejection: told "accepted", an agent would believe its proposal
  // was written. Unless the proposal is what the file already holds.
  const unchanged = machine.effect === 'written' ? machine.base : machine.disk
  const isRejection = event.fingerprint === unchanged && unchanged !== machine.proposed
  const { words } = event
  const rejected: Verdict = { kind: 'rejected', ...(words === undefined ? {} : { note: words }) }
  if (isRejection && machine.effect !== 'written') {
    return to({ ...machine, verdict: rejected }, { kind: 'recording' }, [recordOf(event)])
  }
  const accepted: Verdict = {
    ...{ kind: 'accepted', text: event.text },
    ...(words === undefined ? {} : { words }),
  }
  const verdict = isRejection ? rejected : accepted
  return to({ ...machine, verdict, accepted: event.fingerprint }, { kind: 'recording' }, [recordOf(event)])
}

function recordOf({ insists = false }: Insistence): Order {
  return insists ? { kind: 'record', insists } : { kind: 'record' }
}

/** Nobody was told, so the person can decide again. */
function askAgain(machine: Machine): Step {
  const open = to({ ...machine, verdict: null, accepted: null }, { kind: 'open' })
  return then(open, overtaken(open.machine))
}

/** The decision is recorded: tells the askers, and sees to the disk. */
function say(machine: Machine): Step {
  const { verdict } = machine
  if (verdict === null) return stay(machine)
  switch (machine.effect) {
    case 'agent':
    case 'agent-then-host': {
      const told = settle(machine, verdict)
      if (machine.disk === machine.accepted) return then(told, close(told.machine, 'confirmed'))
      if (isWrittenWhole(machine)) return then(told, putBack(told.machine, 'awaiting'))
      // An asker was answered elsewhere earlier; that answer may still reach the disk.
      if (hasOvertaken(machine)) return then(told, landed({ ...told.machine, touched: true }))
      if (verdict.kind !== 'accepted') {
        if (!machine.answeredThere) return then(told, close(told.machine, 'rejected'))
        const watching = { ...told.machine, touched: true }
        return then(told, to(watching, { kind: 'watching' }, [{ kind: 'start-timer' }]))
      }
      // Otherwise the agent's write isn't the end, so it isn't announced: it must be noticed even after the review.
      const isWhole = machine.effect === 'agent' || machine.accepted === machine.proposed
      const expected: Order[] = isWhole ? [{ kind: 'expect-write' }] : []
      return then(told, to(told.machine, { kind: 'awaiting' }, [...expected, { kind: 'start-timer' }]))
    }
    case 'host': {
      if (verdict.kind === 'accepted') return beginWrite(machine)
      const told = settle(machine, verdict)
      return then(told, close(told.machine, 'rejected'))
    }
    case 'written': {
      // Kept as it is on disk, or put back in part or whole.
      const wanted = verdict.kind === 'accepted' ? machine.accepted : machine.base
      if (wanted !== machine.disk) return beginWrite(machine)
      const told = settle(machine, verdict)
      return then(told, close(told.machine, verdict.kind === 'accepted' ? 'confirmed' : 'rejected'))
    }
    default:
      return unreachable(machine.effect)
  }
}

function beginWrite(machine: Machine): Step {
  return to(machine, { kind: 'writing', from: 'recording' }, [{ kind: 'expect-write' }, { kind: 'write' }])
}

/** The agent has written the whole proposal, as agreed: now the host puts the file to what was accepted. */
function isWrittenWhole(machine: Machine, isAwaited = false): boolean {
  const { effect, verdict, accepted, disk, proposed } = machine
  if (effect !== 'agent-then-host' || verdict?.kind !== 'accepted' || accepted === null) return false
  return accepted !== disk && (disk === proposed || isAwaited)
}

function putBack(machine: Machine, from: 'awaiting' | 'overdue'): Step {
  return to(machine, { kind: 'writing', from }, [
    { kind: 'stop-timer' },
    { kind: 'expect-write' },
    { kind: 'write' },
  ])
}

function wrote(machine: Machine, ok: boolean): Step {
  if (machine.phase.kind !== 'writing') return stay(machine)
  const { from } = machine.phase
  if (!ok) {
    if (from === 'orphaned') return to(machine, { kind: 'orphaned', reason: 'restart' })
    if (from !== 'recording') return to(machine, { kind: 'overdue' })
    return askAgain(machine)
  }
  if (from === 'orphaned') return close(machine, 'kept')
  if (from !== 'recording') return close(machine, 'confirmed')
  const told = machine.verdict ? settle(machine, machine.verdict) : stay(machine)
  return then(told, close(told.machine, machine.verdict?.kind === 'accepted' ? 'confirmed' : 'rejected'))
}

function withdraw(machine: Machine, reason: WithdrawnReason, asker: number | undefined): Step {
  const { kind } = machine.phase
  if (kind !== 'queued' && kind !== 'open' && kind !== 'recording') return stay(machine)
  if (asker !== undefined) {
    if (machine.askers[asker] !== 'waiting') return stay(machine)
    if (machine.askers.some((state, other) => other !== asker && state === 'waiting')) {
      return leave(machine, asker, reason)
    }
  }
  const touched = machine.touched || kind === 'recording'
  const told = settle({ ...machine, touched }, { kind: 'withdrawn', reason })
  const now = told.machine
  if (reason === 'replaced') return then(told, close(now, 'replaced'))
  if (reason === 'answered-there' && now.disk === now.accepted) {
    return then(told, close(now, now.disk === now.base ? 'rejected' : 'confirmed'))
  }
  if (now.disk === now.proposed && now.effect !== 'written') return then(told, landed(now))
  const isThere = reason === 'answered-there' || (now.answeredThere && reason !== 'shutdown')
  if (isThere) return then(told, to(now, { kind: 'watching' }, [{ kind: 'start-timer' }]))
  const isGone = reason === 'connection-lost' || reason === 'shutdown'
  if (isGone || touched) return then(told, to(now, { kind: 'orphaned', reason }))
  return then(told, close(now, 'withdrawn'))
}

/** One of several askers leaves. The others keep asking, unless an answer given elsewhere is on disk. */
function leave(machine: Machine, asker: number, reason: WithdrawnReason): Step {
  const left: Step = {
    machine: {
      ...machine,
      askers: machine.askers.map((state, number) => (number === asker ? 'told' : state)),
      answeredThere: machine.answeredThere || reason === 'answered-there',
    },
    orders: [{ kind: 'settle', asker, verdict: { kind: 'withdrawn', reason } }],
  }
  return then(left, overtaken(left.machine))
}

/** An answer given elsewhere is on disk, so nothing is left to ask anyone. */
function overtaken(machine: Machine): Step {
  const { kind } = machine.phase
  // Those who wait get the decision that is being recorded.
  if (kind !== 'queued' && kind !== 'open') return stay(machine)
  if (machine.answeredThere && machine.effect !== 'written' && machine.disk === machine.accepted) {
    const told = settle(machine, { kind: 'withdrawn', reason: 'answered-there' })
    return then(told, close(told.machine, 'confirmed'))
  }
  if (!hasOvertaken(machine)) return stay(machine)
  const told = settle(machine, { kind: 'withdrawn', reason: 'answered-there' })
  return then(told, landed(told.machine))
}

function hasOvertaken({ answeredThere, effect, disk, proposed, accepted }: Machine): boolean {
  return answeredThere && effect !== 'written' && disk === proposed && disk !== accepted
}

/** The whole proposal is on disk although nothing was accepted here. */
function landed(machine: Machine): Step {
  const orders: Order[] = machine.touched ? [{ kind: 'reopen-written' }] : []
  return then({ machine, orders }, close(machine, 'answered-there'))
}

function see(machine: Machine, before: Fingerprint, isAwaited = false): Step {
  const { phase, disk } = machine
  if (disk === before && phase.kind !== 'awaiting') return stay(machine)
  switch (phase.kind) {
    case 'queued':
    case 'open':
    case 'orphaned':
      if (disk === machine.accepted) {
        const told = settle(machine, { kind: 'withdrawn', reason: 'answered-there' })
        return then(told, close(told.machine, 'confirmed'))
      }
      if (machine.effect === 'written') return seeAgain(machine)
      if (phase.kind === 'orphaned' && isWrittenWhole(machine, isAwaited)) return putBack(machine, 'overdue')
      if (disk === machine.proposed) {
        // Written by the agent without an answer from here. If it still asks, its withdrawal is on the way.
        return phase.kind === 'orphaned' ? landed(machine) : overtaken(machine)
      }
      return phase.kind === 'orphaned' ? carryOver(machine) : { machine, orders: [{ kind: 'rebase' }] }
    case 'awaiting':
    case 'overdue':
      if (disk === machine.accepted) return close(machine, 'confirmed')
      if (isWrittenWhole(machine, isAwaited) && (disk !== before || phase.kind === 'awaiting')) {
        return putBack(machine, phase.kind)
      }
      // Some agents change the line endings of a mixed file: even so, it holds what was accepted.
      if (isAwaited && phase.kind === 'awaiting') return close(machine, 'confirmed')
      if (disk === before) return stay(machine)
      return hasOvertaken(machine) ? landed({ ...machine, touched: true }) : diverge(machine)
    case 'watching':
      if (disk === machine.accepted) return close(machine, 'confirmed')
      return disk === machine.proposed ? landed(machine) : stay(machine)
    case 'recording':
    case 'writing':
    case 'closed':
      return stay(machine)
    default:
      return unreachable(phase)
  }
}

/** What is accepted may still come, on top of it. */
function overwrite(machine: Machine, fingerprint: Fingerprint): Step {
  const { phase, effect } = machine
  const now = { ...machine, base: fingerprint, disk: fingerprint }
  const isAgents = effect === 'agent' || effect === 'agent-then-host'
  switch (isAgents ? phase.kind : null) {
    case 'recording':
    case 'awaiting':
    case 'watching':
      return stay(now)
    case 'overdue':
      return diverge(now)
    default:
      return stepMachine(machine, { kind: 'disk', fingerprint })
  }
}

/** Carries an orphan's draft onto the disk's new text. What was accepted for the old text must be decided again. */
function carryOver(machine: Machine): Step {
  const isStale = machine.effect === 'agent-then-host' && machine.verdict?.kind === 'accepted'
  const now = isStale ? { ...machine, accepted: null, touched: true } : machine
  return { machine: now, orders: [{ kind: 'rebase' }] }
}

/**
 * The file holds something other than what was agreed to, and is left as it is. Decisions that only this app knows
 * stay, in a new review.
 */
function diverge(machine: Machine): Step {
  const { effect, accepted, proposed } = machine
  const isKnownHere = effect === 'agent-then-host' && accepted !== proposed
  const orders: Order[] = isKnownHere ? [{ kind: 'reopen-written' }] : []
  return then({ machine, orders }, close(machine, 'diverged'))
}

/** Written again: now that text is the proposal. If the file is as it was before, nothing is left to ask. */
function seeAgain(machine: Machine): Step {
  if (machine.disk === machine.base && !machine.touched) return withdraw(machine, 'cancelled', undefined)
  return { machine: { ...machine, proposed: machine.disk }, orders: [{ kind: 'rebase' }] }
}

function timeOut(machine: Machine): Step {
  if (machine.phase.kind === 'awaiting') return to(machine, { kind: 'overdue' })
  if (machine.phase.kind !== 'watching') return stay(machine)
  if (machine.verdict?.kind === 'rejected') return close(machine, 'rejected')
  // Rejected there, so nothing reached the disk. The person's work stays; otherwise the review is over.
  return machine.touched
    ? to(machine, { kind: 'orphaned', reason: 'answered-there' })
    : close(machine, 'answered-there')
}

/** Answers everyone who waits. */
function settle(machine: Machine, verdict: Verdict): Step {
  if (isSettled(machine)) return stay(machine)
  const orders = machine.askers.flatMap((state, asker): Order[] =>
    state === 'waiting' ? [{ kind: 'settle', asker, verdict }] : [],
  )
  const note =
    verdict.kind === 'rejected' ? verdict.note : verdict.kind === 'accepted' ? verdict.words : undefined
  if (note !== undefined) orders.push({ kind: 'pass-note', note })
  return { machine: { ...machine, askers: machine.askers.map(() => 'told'), verdict }, orders }
}

function close(machine: Machine, end: End): Step {
  return to(machine, { kind: 'closed', end }, [{ kind: 'stop-timer' }, { kind: 'close', end }])
}

function stay(machine: Machine): Step {
  return { machine, orders: [] }
}

function to(machine: Machine, phase: Phase, orders: readonly Order[] = []): Step {
  return { machine: { ...machine, phase }, orders }
}

function then(first: Step, second: Step): Step {
  return { machine: second.machine, orders: [...first.orders, ...second.orders] }
}

/**
 * - `queued`: behind another review of the same path.
 * - `open`: the person is asked.
 * - `recording`: decided; being written to the journal before anyone is told.
 * - `writing`: the host is writing; `from` is the phase before.
 * - `awaiting`: accepted and told; the disk should show it soon.
 * - `overdue`: awaiting for too long.
 * - `watching`: answered elsewhere; the disk will show how.
 * - `orphaned`: nobody can be answered; the draft stays until the person decides what becomes of it.
 * - `closed`: over.
 */
export type Phase =
  | { readonly kind: 'queued' }
  | { readonly kind: 'open' }
  | { readonly kind: 'recording' }
  | { readonly kind: 'writing'; readonly from: 'recording' | 'awaiting' | 'overdue' | 'orphaned' }
  | { readonly kind: 'awaiting' }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'watching' }
  | { readonly kind: 'orphaned'; readonly reason: WithdrawnReason | 'restart' | 'reopened' }
  | { readonly kind: 'closed'; readonly end: End }

/** Whether everyone who asked has an answer. */
export function isSettled({ askers }: Machine): boolean {
  return !askers.includes('waiting')
}

/** Whether someone else who asks for the same change can still get the same answer. */
export function isJoinable(machine: Machine, effect: Effect): boolean {
  const { kind } = machine.phase
  if (kind !== 'queued' && kind !== 'open' && kind !== 'recording') return false
  return !isSettled(machine) && !machine.answeredThere && jointEffect(machine.effect, effect) !== null
}

/** Whether the person can work on the draft. */
export function isWorkedOn({ phase: { kind } }: Machine): boolean {
  return kind === 'open' || kind === 'queued' || kind === 'orphaned'
}

/** What happened to the file while the person is asked: it was deleted, or holds the whole proposal. */
export function meanwhileOf(machine: Machine): 'deleted' | 'written' | undefined {
  const { effect, base, proposed, disk } = machine
  if (effect === 'written' || disk === base || !isWorkedOn(machine)) return undefined
  return disk === 'absent' ? 'deleted' : disk === proposed ? 'written' : undefined
}

/** Decided, or being written by the host: disk changes meanwhile are looked at afterwards. */
export function isDeaf({ phase: { kind } }: Machine): boolean {
  return kind === 'recording' || kind === 'writing'
}

/**
 * Whether the next review on its path has to wait: an agent waits for the answer, or the answer is on its way to the
 * disk. Once false, it never becomes true again. A review that only the person can continue, or that is already
 * written, holds up nobody.
 */
export function holdsUpOthers({ phase, effect }: Machine): boolean {
  switch (phase.kind) {
    case 'open':
    case 'recording':
    case 'awaiting':
    case 'watching':
      return effect !== 'written'
    case 'writing':
      return effect !== 'written' && (phase.from === 'recording' || phase.from === 'awaiting')
    case 'queued':
    case 'overdue':
    case 'orphaned':
    case 'closed':
      return false
    default:
      return unreachable(phase)
  }
}
