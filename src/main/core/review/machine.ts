import type { Effect, Verdict, WithdrawnReason } from '../../../shared/review/proposal'
import { unreachable } from '../../../shared/result'
import { jointEffect } from './askers'
import type { Fingerprint } from './fingerprint'

/**
 * The life of one proposed change as a pure machine: events in, a new state and orders out. It decides what is
 * said to the agent, once, and what becomes of the draft; it reads no file, sends nothing and knows no dialect.
 */
export interface Machine {
  readonly effect: Effect
  readonly phase: Phase
  /** The person has decided, edited or typed something that must not be lost. */
  readonly touched: boolean
  /** What who asks was told, or will be as soon as it is recorded. Never changes once nobody waits. */
  readonly verdict: Verdict | null
  /** Who asks for this very change, in the order of asking: each of them gets one answer, then it is `told`. */
  readonly askers: readonly AskerState[]
  /** One of several has been answered elsewhere, in a terminal: what then reaches the disk is said for all. */
  readonly answeredThere: boolean
  /** Fingerprints: the file when the review began, the whole proposal, what was accepted, the disk as last seen. */
  readonly base: Fingerprint
  readonly proposed: Fingerprint
  readonly accepted: Fingerprint | null
  readonly disk: Fingerprint
}

export type AskerState = 'waiting' | 'told'

/** How a review ended. `diverged`: the file holds neither what was accepted nor what was there. */
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
  /** Found in the journal after the app had ended, with what it holds of a decision. */
  | ({ readonly kind: 'restored' } & Restored)
  /** A rejected change is taken up again, by the person alone. */
  | { readonly kind: 'reopened'; readonly disk: Fingerprint }
  /** The reviews before it on its path are over. */
  | { readonly kind: 'turn' }
  | { readonly kind: 'touched' }
  /** The person accepts; `text` and `fingerprint` are of the whole result as the file shall hold it. */
  | ({ readonly kind: 'accept'; readonly text: string; readonly fingerprint: Fingerprint } & Insistence)
  | ({ readonly kind: 'reject'; readonly note?: string } & Insistence)
  /** The journal holds the decision, or the person wants it all the same. */
  | { readonly kind: 'recorded' }
  /** The journal cannot hold the decision: nobody is told, and the person is asked again. */
  | { readonly kind: 'unrecorded' }
  /** Another one asks for the same change; its number is the next one. */
  | { readonly kind: 'join'; readonly effect: Effect }
  /** An asker, by its number, asks no more; without a number nobody does. */
  | { readonly kind: 'withdraw'; readonly reason: WithdrawnReason; readonly asker?: number }
  /** Answered elsewhere, an agent takes the draft as it stands: what it then writes was agreed to. */
  | { readonly kind: 'hand-over'; readonly fingerprint: Fingerprint }
  /**
   * The file's content, settled: not in the middle of a write. `isAwaited`: but for its line ends it is what the agent
   * shall write, which is the result, or the whole proposal where the host puts back the rest.
   */
  | { readonly kind: 'disk'; readonly fingerprint: Fingerprint; readonly isAwaited?: boolean }
  /** A change that is written already was written again: what it was made from, and what it is now. */
  | { readonly kind: 'renewed'; readonly base: Fingerprint; readonly proposed: Fingerprint }
  /** The time set by `start-timer` has passed. */
  | { readonly kind: 'timeout' }
  /** The host's own write has come to its end. */
  | { readonly kind: 'wrote'; readonly ok: boolean }
  /** Orphaned: write the draft as the person's own change; overdue: write what was accepted. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'discard' }
  /** There are too many orphans: one that nobody has touched goes. */
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

/** The decision counts even where it cannot be recorded. */
interface Insistence {
  readonly insists?: boolean
}

export type Order =
  /** Write the decision to the journal, with fsync, then send `recorded` or `unrecorded`. */
  | ({ readonly kind: 'record' } & Insistence)
  /** Answer an asker. Comes at most once for each. */
  | { readonly kind: 'settle'; readonly asker: number; readonly verdict: Verdict }
  /** Put the person's note into the agent's prompt, once for all askers: they are one agent. */
  | { readonly kind: 'pass-note'; readonly note: string }
  /** The accepted text will appear on disk and is no change of anybody else's. */
  | { readonly kind: 'expect-write' }
  | { readonly kind: 'start-timer' }
  | { readonly kind: 'stop-timer' }
  /** Write the result by compare and swap against the disk as last seen, then send `wrote`. */
  | { readonly kind: 'write' }
  /** Carry the draft onto the disk's new text. */
  | { readonly kind: 'rebase' }
  /** The disk got something else than the person had decided: ask again, after the fact. */
  | { readonly kind: 'reopen-written' }
  /** Remove it from the list, let the next on its path begin. Comes exactly once, as the last. */
  | { readonly kind: 'close'; readonly end: End }

export interface Step {
  readonly machine: Machine
  readonly orders: readonly Order[]
}

/** A new proposal; `turn` begins it. Without `isAsked` nobody can be answered: `restored` or `reopened` begins it. */
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

/** A life's beginning: what these events make of it. */
export function beginMachine(machine: Machine, ...events: readonly MachineEvent[]): Step {
  return events.reduce<Step>((step, event) => then(step, stepMachine(step.machine, event)), stay(machine))
}

/** One event. An event that has no meaning in a phase changes nothing. */
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
      // What was accepted is not what stands here any more.
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
      // What the host writes goes over what was seen when it was decided; what has come since is looked at afterwards.
      if (isDeaf(machine)) return stay(machine)
      return see({ ...machine, disk: event.fingerprint }, machine.disk, event.isAwaited)
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

/** Nobody asks, and it has not begun. */
function isUnasked({ phase, askers }: Machine): boolean {
  return phase.kind === 'queued' && askers.length === 0
}

/**
 * What was accepted and is on disk is over; everything else is an orphan: nothing is ever sent again. What is written
 * already waits for nobody's answer, so it is asked about as before; a decision on it that never reached the disk is to
 * be made anew. What the host still has to put back, it does.
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

/** It stands on the text that it was made from, which the file may not hold any more. */
function reopen(machine: Machine, disk: Fingerprint): Step {
  const phase: Phase = { kind: 'orphaned', reason: 'reopened' }
  const orders: Order[] = disk === machine.base ? [] : [{ kind: 'rebase' }]
  return to({ ...machine, touched: true, disk }, phase, orders)
}

function accept(machine: Machine, event: MachineEvent & { kind: 'accept' }): Step {
  if (machine.phase.kind !== 'open') return stay(machine)
  // What leaves the file as it was is no acceptance; an agent told so would take its proposal for written. Unless the
  // proposal itself is what the file holds already.
  const unchanged = machine.effect === 'written' ? machine.base : machine.disk
  const isRejection = event.fingerprint === unchanged && unchanged !== machine.proposed
  if (isRejection && machine.effect !== 'written') {
    return to({ ...machine, verdict: { kind: 'rejected' } }, { kind: 'recording' }, [recordOf(event)])
  }
  const verdict: Verdict = isRejection ? { kind: 'rejected' } : { kind: 'accepted', text: event.text }
  return to({ ...machine, verdict, accepted: event.fingerprint }, { kind: 'recording' }, [recordOf(event)])
}

function recordOf({ insists = false }: Insistence): Order {
  return insists ? { kind: 'record', insists } : { kind: 'record' }
}

/** Nothing was said yet, so the person may decide anew. */
function askAgain(machine: Machine): Step {
  const open = to({ ...machine, verdict: null, accepted: null }, { kind: 'open' })
  return then(open, overtaken(open.machine))
}

/** The decision is safe: tell the agent, and see to the disk. */
function say(machine: Machine): Step {
  const { verdict } = machine
  if (verdict === null) return stay(machine)
  switch (machine.effect) {
    case 'agent':
    case 'agent-then-host': {
      const told = settle(machine, verdict)
      if (machine.disk === machine.accepted) return then(told, close(told.machine, 'confirmed'))
      if (isWrittenWhole(machine)) return then(told, putBack(told.machine, 'awaiting'))
      // One of the askers was answered elsewhere, before this: what was said there may yet reach the disk.
      if (hasOvertaken(machine)) return then(told, landed({ ...told.machine, touched: true }))
      if (verdict.kind !== 'accepted') {
        if (!machine.answeredThere) return then(told, close(told.machine, 'rejected'))
        const watching = { ...told.machine, touched: true }
        return then(told, to(watching, { kind: 'watching' }, [{ kind: 'start-timer' }]))
      }
      // The whole proposal is no end, and must be seen should it come after the review is over.
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

/** The agent has written the whole proposal, as was agreed to: now the host puts the file to what was accepted. */
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

/** One of several asks no more. The others go on asking, unless it was answered elsewhere and that is on disk. */
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

/** What was answered elsewhere is on disk, so that there is nothing left to ask: that counts for all. */
function overtaken(machine: Machine): Step {
  const { kind } = machine.phase
  // A decision that is being recorded is said to those who wait for it.
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
        // Written by the agent without our word. While it still asks, its withdrawal is on the way.
        return phase.kind === 'orphaned' ? landed(machine) : overtaken(machine)
      }
      return phase.kind === 'orphaned' ? carryOver(machine) : { machine, orders: [{ kind: 'rebase' }] }
    case 'awaiting':
    case 'overdue':
      if (disk === machine.accepted) return close(machine, 'confirmed')
      if (isWrittenWhole(machine, isAwaited) && (disk !== before || phase.kind === 'awaiting')) {
        return putBack(machine, phase.kind)
      }
      // Some agents have their own way with the line ends of a mixed file: what was accepted is there all the same.
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

/** An orphan's draft goes onto the disk's new text; what was accepted for another is then to be decided anew. */
function carryOver(machine: Machine): Step {
  const isStale = machine.effect === 'agent-then-host' && machine.verdict?.kind === 'accepted'
  const now = isStale ? { ...machine, accepted: null, touched: true } : machine
  return { machine: now, orders: [{ kind: 'rebase' }] }
}

/** The file holds something else than was agreed to; it is left so. What nobody else was told of the decisions stays. */
function diverge(machine: Machine): Step {
  const { effect, accepted, proposed } = machine
  const isKnownHere = effect === 'agent-then-host' && accepted !== proposed
  const orders: Order[] = isKnownHere ? [{ kind: 'reopen-written' }] : []
  return then({ machine, orders }, close(machine, 'diverged'))
}

/** Written once more: that is what it is about now. As it was before, there is nothing left to ask. */
function seeAgain(machine: Machine): Step {
  if (machine.disk === machine.base && !machine.touched) return withdraw(machine, 'cancelled', undefined)
  return { machine: { ...machine, proposed: machine.disk }, orders: [{ kind: 'rebase' }] }
}

function timeOut(machine: Machine): Step {
  if (machine.phase.kind === 'awaiting') return to(machine, { kind: 'overdue' })
  if (machine.phase.kind !== 'watching') return stay(machine)
  if (machine.verdict?.kind === 'rejected') return close(machine, 'rejected')
  // Refused there: nothing came to the disk. Work of the person's stays, the rest is over.
  return machine.touched
    ? to(machine, { kind: 'orphaned', reason: 'answered-there' })
    : close(machine, 'answered-there')
}

/** Answers all who wait. */
function settle(machine: Machine, verdict: Verdict): Step {
  if (isSettled(machine)) return stay(machine)
  const orders = machine.askers.flatMap((state, asker): Order[] =>
    state === 'waiting' ? [{ kind: 'settle', asker, verdict }] : [],
  )
  if (verdict.kind === 'rejected' && verdict.note !== undefined) {
    orders.push({ kind: 'pass-note', note: verdict.note })
  }
  return { machine: { ...machine, askers: machine.askers.map(() => 'told'), verdict }, orders }
}

/** The last step of a life. */
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
 * - `recording`: decided; being written to the journal before it is said.
 * - `writing`: the host itself writes; `from` says where it comes from.
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
  | { readonly kind: 'writing'; readonly from: 'recording' | 'awaiting' | 'overdue' | 'orphaned' }
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

/** Decided, or being written by the host: what comes to the disk meanwhile is looked at afterwards. */
export function isDeaf({ phase: { kind } }: Machine): boolean {
  return kind === 'recording' || kind === 'writing'
}

/**
 * An agent waits for the answer, or what was answered is on its way to the disk, so that the next on its path waits. Once
 * it lets others go on it never holds them up again. What only the person can go on with, and what is written already, is
 * in nobody's way.
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
