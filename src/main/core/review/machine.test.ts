import { describe, expect, it } from 'vitest'
import type { Effect, WithdrawnReason } from '../../../shared/review/proposal'
import {
  type Machine,
  type MachineEvent,
  type Order,
  holdsUpOthers,
  isSettled,
  isWorkedOn,
  startMachine,
  stepMachine,
} from './machine'

const reasons: WithdrawnReason[] = [
  'answered-there',
  'connection-lost',
  'cancelled',
  'replaced',
  'turn-over',
  'shutdown',
]
const effects: Effect[] = ['agent', 'host', 'agent-then-host', 'written']
const fingerprints = ['base', 'proposed', 'partial', 'other'] as const

/** Every event that can happen, with every kind of content the disk or the draft can have. */
const events: MachineEvent[] = [
  { kind: 'turn' },
  { kind: 'touched' },
  { kind: 'reject' },
  { kind: 'reject', note: 'no' },
  { kind: 'reject', insists: true },
  { kind: 'recorded' },
  { kind: 'unrecorded' },
  { kind: 'timeout' },
  { kind: 'let-go' },
  { kind: 'wrote', ok: true },
  { kind: 'wrote', ok: false },
  { kind: 'keep' },
  { kind: 'discard' },
  ...fingerprints.flatMap((fingerprint) =>
    [false, true].map((isAwaited) => ({ kind: 'disk' as const, fingerprint, isAwaited })),
  ),
  ...fingerprints.map((disk) => ({ kind: 'reopened' as const, disk })),
  { kind: 'hand-over', fingerprint: 'proposed' },
  { kind: 'hand-over', fingerprint: 'partial' },
  { kind: 'overwritten', fingerprint: 'other' },
  { kind: 'rebased', base: 'other' },
  { kind: 'renewed', base: 'base', proposed: 'other' },
  { kind: 'renewed', base: 'partial', proposed: 'proposed' },
  ...([null, 'accepted', 'rejected'] as const).flatMap((verdict) =>
    [false, true].flatMap((touched) =>
      fingerprints.flatMap((disk) =>
        [null, 'proposed', 'partial'].flatMap((accepted) =>
          [false, true].map((isAwaited) => ({
            kind: 'restored' as const,
            ...{ verdict, touched, disk, accepted, isAwaited },
          })),
        ),
      ),
    ),
  ),
  ...fingerprints.map((fingerprint) => ({
    kind: 'accept' as const,
    fingerprint,
    text: `text of ${fingerprint}`,
  })),
  ...reasons.flatMap((reason) =>
    [0, 1, 2].map((asker) => ({ kind: 'withdraw' as const, reason, ...(asker === 2 ? {} : { asker }) })),
  ),
  ...effects.map((effect) => ({ kind: 'join' as const, effect })),
]

interface Edge {
  from: Machine
  event: MachineEvent
  to: Machine
  orders: readonly Order[]
}

/** Every state that any order of events can reach, and every step between them. */
function explore(starts: readonly Machine[]): { states: Map<string, Machine>; edges: Edge[] } {
  const states = new Map(starts.map((machine) => [JSON.stringify(machine), machine]))
  const edges: Edge[] = []
  for (const from of states.values()) {
    for (const event of events) {
      // Two askers show all that can be between askers; a third would only make more of the same.
      if (event.kind === 'join' && from.askers.length > 1) continue
      const { machine, orders } = stepMachine(from, event)
      edges.push({ from, event, to: machine, orders })
      if (machine === from) continue
      const key = JSON.stringify(machine)
      if (!states.has(key)) states.set(key, machine)
    }
  }
  return { states, edges }
}

describe.each(effects)('every order of events of a proposal that is written by: %s', (effect) => {
  const { states, edges } = explore([startMachine(effect, 'base', 'proposed')])
  const has = (edge: Edge, kind: Order['kind']) => edge.orders.some((order) => order.kind === kind)

  it('reaches a bounded number of states', () => {
    expect(states.size).toBeGreaterThan(50)
    expect(states.size).toBeLessThan(20_000)
  })

  it('answers each asker once', () => {
    const wrong = edges.filter(({ from, to, orders }) => {
      const settled = orders
        .flatMap((order) => (order.kind === 'settle' ? [order.asker] : []))
        .sort((one, other) => one - other)
      const told = to.askers.flatMap((state, asker) =>
        state === 'told' && from.askers[asker] === 'waiting' ? [asker] : [],
      )
      const isTaken = from.askers.some((state, asker) => state === 'told' && to.askers[asker] !== 'told')
      return isTaken || settled.join() !== told.join()
    })
    expect(wrong).toEqual([])
  })

  it('never changes what it said, and says the same to all who wait to the end', () => {
    const textOf = (verdict: unknown) => JSON.stringify(verdict)
    const wrong = edges.filter(({ from, to, event, orders }) => {
      if (from === to) return false
      if (isSettled(from)) return textOf(from.verdict) !== textOf(to.verdict)
      if (!isSettled(to)) return false
      const isGoing = (asker: number) => event.kind === 'withdraw' && event.asker === asker
      return orders.some(
        (order) =>
          order.kind === 'settle' && !isGoing(order.asker) && textOf(order.verdict) !== textOf(to.verdict),
      )
    })
    expect(wrong).toEqual([])
  })

  it('lets one of two go alone, and asks on', () => {
    let alone = 0
    for (const edge of edges) {
      if (edge.event.kind !== 'withdraw' || edge.event.asker === undefined || isSettled(edge.to)) continue
      const isGone = edge.from.askers[edge.event.asker] === 'waiting'
      if (!isGone || edge.to === edge.from) continue
      alone++
      expect(edge.to.phase).toEqual(edge.from.phase)
      expect(edge.to.touched).toBe(edge.from.touched)
      expect(edge.orders).toEqual([
        {
          kind: 'settle',
          asker: edge.event.asker,
          verdict: { kind: 'withdrawn', reason: edge.event.reason },
        },
      ])
    }
    if (effect !== 'written') expect(alone).toBeGreaterThan(10)
  })

  it('counts what one was answered elsewhere for the other, once it is on disk', () => {
    let overtaken = 0
    for (const edge of edges) {
      const { from, to } = edge
      const asks = from.phase.kind === 'queued' || from.phase.kind === 'open'
      if (!asks || !to.answeredThere || to.disk !== 'proposed' || edge.event.kind === 'accept') continue
      if (edge.event.kind !== 'withdraw' && edge.event.kind !== 'disk') continue
      overtaken++
      expect(isSettled(to)).toBe(true)
      if (edge.event.kind === 'withdraw' && edge.event.reason === 'replaced') continue
      // Handed over before, it is what was agreed to.
      const isAgreed = from.accepted === to.disk
      expect(to.phase).toEqual({ kind: 'closed', end: isAgreed ? 'confirmed' : 'answered-there' })
      expect(has(edge, 'reopen-written')).toBe(from.touched && !isAgreed)
    }
    if (effect !== 'written') expect(overtaken).toBeGreaterThan(4)
  })

  it('passes a note on once, with the rejection that it is of', () => {
    const wrong = edges.filter(({ from, to, orders }) => {
      const isSaid = !isSettled(from) && isSettled(to) && to.verdict?.kind === 'rejected'
      const note = isSaid && to.verdict?.kind === 'rejected' && to.verdict.note !== undefined ? 1 : 0
      return orders.filter(({ kind }) => kind === 'pass-note').length !== note
    })
    expect(wrong).toEqual([])
  })

  it('says a decision only when it is recorded', () => {
    for (const edge of edges) {
      const said = edge.orders.find((order) => order.kind === 'settle')?.verdict
      if (said && said.kind !== 'withdrawn') {
        expect(['recording', 'writing']).toContain(edge.from.phase.kind)
        expect(['recorded', 'wrote']).toContain(edge.event.kind)
      }
    }
  })

  it('closes once, as the last thing, and is then deaf', () => {
    const wrong = edges.filter(({ from, to, orders }) => {
      if (from.phase.kind === 'closed') return to !== from || orders.length > 0
      const isClosing = to.phase.kind === 'closed'
      if (orders.filter(({ kind }) => kind === 'close').length !== (isClosing ? 1 : 0)) return true
      return isClosing && (orders.at(-1)?.kind !== 'close' || !isSettled(to))
    })
    expect(wrong).toEqual([])
  })

  it('never loses the work of a person', () => {
    for (const edge of edges) {
      if (edge.to.phase.kind !== 'closed' || edge.from.phase.kind === 'closed' || !edge.from.touched) continue
      const { end } = edge.to.phase
      expect(end).not.toBe('withdrawn')
      if (end === 'answered-there') expect(has(edge, 'reopen-written')).toBe(true)
      if (end === 'discarded') expect(edge.event.kind).toBe('discard')
    }
  })

  it('leaves a draft behind when the agent vanishes before an answer', () => {
    for (const edge of edges) {
      if (edge.event.kind !== 'withdraw' || isSettled(edge.from)) continue
      const { asker, reason } = edge.event
      const isLast = edge.from.askers.every((state, other) => state === 'told' || (asker ?? other) === other)
      const isAsked = edge.from.phase.kind !== 'writing'
      // There already, as proposed or as it was handed over: that counts for all.
      const isThere = edge.to.disk === 'proposed' || edge.to.disk === edge.to.accepted
      if (!isThere) expect(isSettled(edge.to)).toBe(isLast && isAsked)
      if (!isSettled(edge.to) || isThere) continue
      // Where one was answered elsewhere before, what comes of that is waited for.
      const phase = edge.from.answeredThere && reason !== 'shutdown' ? 'watching' : 'orphaned'
      const isVanishing = reason === 'connection-lost' || reason === 'shutdown'
      if (isVanishing) expect(edge.to.phase.kind).toBe(phase)
    }
  })

  it('takes an acceptance that leaves the file as it is for a rejection', () => {
    for (const edge of edges) {
      if (edge.event.kind !== 'accept' || edge.from.phase.kind !== 'open') continue
      const unchanged = effect === 'written' ? edge.from.base : edge.from.disk
      const isRejection = edge.event.fingerprint === unchanged && unchanged !== edge.from.proposed
      expect(edge.to.verdict?.kind).toBe(isRejection ? 'rejected' : 'accepted')
    }
  })

  it('can always come to an end', () => {
    const keys = new Map<Machine, string>()
    const keyOf = (machine: Machine) => {
      const key = keys.get(machine) ?? JSON.stringify(machine)
      keys.set(machine, key)
      return key
    }
    const ends = new Set([...states].filter(([, { phase }]) => phase.kind === 'closed').map(([key]) => key))
    const back = new Map<string, string[]>()
    for (const { from, to } of edges) {
      if (from === to) continue
      const sources = back.get(keyOf(to)) ?? []
      if (sources.push(keyOf(from)) === 1) back.set(keyOf(to), sources)
    }
    const reached = [...ends]
    for (const key of reached) {
      for (const source of back.get(key) ?? []) {
        if (ends.has(source)) continue
        ends.add(source)
        reached.push(source)
      }
    }
    expect(ends.size).toBe(states.size)
  })

  it('writes by itself only where the effect or the person says so', () => {
    for (const edge of edges) {
      if (!has(edge, 'write')) continue
      const { effect: now, verdict, accepted, disk } = edge.to
      const isWhole = now === 'agent-then-host' && verdict?.kind === 'accepted' && disk !== accepted
      if (now === 'agent' || (now === 'agent-then-host' && !isWhole)) expect(edge.event.kind).toBe('keep')
      expect(has(edge, 'expect-write')).toBe(true)
      expect(edge.to.phase.kind).toBe('writing')
    }
  })

  it('lets the next on its path begin once, and never holds it up again', () => {
    const wrong = edges.filter(({ from, to }) => {
      const hadBegun = from.phase.kind !== 'queued'
      return hadBegun && !holdsUpOthers(from) && holdsUpOthers(to)
    })
    expect(wrong).toEqual([])
    const holding = edges.filter(({ from, to }) => holdsUpOthers(from) && !holdsUpOthers(to))
    expect(holding.length > 0).toBe(effect !== 'written')
  })

  it('has no outcome before everyone is told, and tells of a write by the host once it is made', () => {
    for (const { to, event, orders } of edges) {
      const kinds = orders.map(({ kind }) => kind)
      if (kinds.includes('close')) expect(kinds.lastIndexOf('settle')).toBeLessThan(kinds.indexOf('close'))
      const isTold = orders.some((order) => order.kind === 'settle' && order.verdict.kind === 'accepted')
      if (effect === 'host' && isTold) expect(event).toEqual({ kind: 'wrote', ok: true })
      if (effect === 'host' && to.phase.kind === 'awaiting') throw new Error('the host waits for nobody')
    }
  })

  it('forgets a decision that could not be recorded, and tells nobody', () => {
    for (const edge of edges) {
      if (edge.event.kind !== 'unrecorded' || edge.from.phase.kind !== 'recording') continue
      const said = edge.orders.flatMap((order) => (order.kind === 'settle' ? [order.verdict.kind] : []))
      expect(said.filter((kind) => kind !== 'withdrawn')).toEqual([])
      expect(has(edge, 'write')).toBe(false)
      if (edge.to.phase.kind === 'open') expect(edge.to).toMatchObject({ verdict: null, accepted: null })
    }
  })

  it('keeps what the agent was not told, where something else is written than it proposed', () => {
    let kept = 0
    for (const edge of edges) {
      const { from, to } = edge
      if (from.phase.kind === 'closed' || to.phase.kind !== 'closed' || to.phase.end !== 'diverged') continue
      const isToldWhole = from.effect === 'agent' || from.accepted === from.proposed
      expect(has(edge, 'reopen-written')).toBe(!isToldWhole)
      if (!isToldWhole) kept++
    }
    if (effect === 'agent-then-host') expect(kept).toBeGreaterThan(0)
  })

  it('changes what a review is about only where the person can see it', () => {
    for (const { from, to, event } of edges) {
      if (from.base !== to.base || from.proposed !== to.proposed) {
        // Of a question only what it is made from: before it is answered, or because somebody else has written.
        const isOthers = event.kind === 'overwritten' && effect.startsWith('agent')
        expect(isOthers || isWorkedOn(from)).toBe(true)
        if (effect !== 'written') expect(to.proposed).toBe(from.proposed)
      }
    }
  })

  it('never says anything after a restart, and knows what the host has still to put back', () => {
    const restored = new Map<string, Machine>()
    let putBack = 0
    for (const state of states.values()) {
      if (state.phase.kind === 'closed') continue
      for (const disk of fingerprints) {
        const { touched, accepted, base, proposed } = state
        const said = state.verdict?.kind
        const verdict = said === 'accepted' || said === 'rejected' ? said : null
        const start = startMachine(state.effect, base, proposed, false)
        const event = { kind: 'restored', touched, verdict, accepted, disk } as const
        const { machine, orders } = stepMachine(start, event)
        restored.set(JSON.stringify(machine), machine)
        const isSilent = machine.phase.kind === 'closed'
        const isDone = verdict === 'rejected' || disk === accepted
        const isLanded = verdict === null && !touched && disk === proposed
        // What is written waits for nobody: a decision that is not on disk is made anew.
        const isUndone = verdict === 'rejected' && disk === base
        const isOver = state.effect === 'written' ? disk === accepted || isUndone : isDone || isLanded
        expect(isSilent).toBe(isOver)
        if (state.effect === 'written' && !isSilent) expect(machine.phase.kind).toBe('open')
        const isWhole = state.effect === 'agent-then-host' && verdict === 'accepted' && accepted !== null
        const isPutBack = isWhole && disk === proposed && disk !== accepted
        expect(orders.some(({ kind }) => kind === 'write')).toBe(isPutBack)
        if (isPutBack) putBack++
        expect(orders.some(({ kind }) => kind === 'settle')).toBe(false)
      }
    }
    if (effect === 'agent-then-host') expect(putBack).toBeGreaterThan(0)
    const after = explore([startMachine(effect, 'base', 'proposed', false), ...restored.values()]).edges
    expect(after.filter((edge) => has(edge, 'settle') || has(edge, 'pass-note'))).toEqual([])
    // Nobody can join whom nobody can answer.
    expect(after.filter(({ to }) => to.askers.length > 0)).toEqual([])
  }, 60_000)
})

describe('the common lives', () => {
  const play = (effect: Effect, list: MachineEvent[]) => {
    let machine = startMachine(effect, 'base', 'proposed')
    const orders: string[] = []
    for (const event of list) {
      const step = stepMachine(machine, event)
      machine = step.machine
      orders.push(...step.orders.map(({ kind }) => kind))
    }
    return { phase: machine.phase, orders }
  }

  it('accepted in part, written by the agent', () => {
    expect(
      play('agent', [
        { kind: 'turn' },
        { kind: 'touched' },
        { kind: 'accept', text: 'x', fingerprint: 'partial' },
        { kind: 'recorded' },
        { kind: 'disk', fingerprint: 'partial' },
      ]),
    ).toEqual({
      phase: { kind: 'closed', end: 'confirmed' },
      orders: ['record', 'settle', 'expect-write', 'start-timer', 'stop-timer', 'close'],
    })
  })

  it('accepted, but the agent never writes', () => {
    const { phase } = play('agent', [
      { kind: 'turn' },
      { kind: 'accept', text: 'x', fingerprint: 'proposed' },
      { kind: 'recorded' },
      { kind: 'timeout' },
    ])
    expect(phase).toEqual({ kind: 'overdue' })
  })

  it('answered yes in the terminal over the decisions of the person', () => {
    const { orders } = play('agent', [
      { kind: 'turn' },
      { kind: 'touched' },
      { kind: 'withdraw', reason: 'answered-there' },
      { kind: 'disk', fingerprint: 'proposed' },
    ])
    expect(orders).toContain('reopen-written')
  })

  it('asked by two, refused here, and yes to one of them in the terminal', () => {
    const refused: MachineEvent[] = [
      { kind: 'turn' },
      { kind: 'join', effect: 'agent' },
      { kind: 'withdraw', reason: 'answered-there', asker: 0 },
      { kind: 'reject' },
      { kind: 'recorded' },
    ]
    expect(play('agent', refused)).toEqual({
      phase: { kind: 'watching' },
      orders: ['settle', 'record', 'settle', 'start-timer'],
    })
    expect(play('agent', [...refused, { kind: 'timeout' }]).phase).toEqual({
      kind: 'closed',
      end: 'rejected',
    })
    const { orders } = play('agent', [...refused, { kind: 'disk', fingerprint: 'proposed' }])
    expect(orders.slice(4)).toEqual(['reopen-written', 'stop-timer', 'close'])
  })

  it('asked by two, accepted in part, and yes to one of them in the terminal', () => {
    const { phase, orders } = play('agent', [
      { kind: 'turn' },
      { kind: 'join', effect: 'agent' },
      { kind: 'withdraw', reason: 'answered-there', asker: 1 },
      { kind: 'accept', text: 'x', fingerprint: 'partial' },
      { kind: 'recorded' },
      { kind: 'disk', fingerprint: 'proposed' },
    ])
    expect(phase).toEqual({ kind: 'closed', end: 'answered-there' })
    expect(orders).toContain('reopen-written')
  })

  it('answered yes in the terminal, the file first', () => {
    const { phase } = play('agent', [
      { kind: 'turn' },
      { kind: 'disk', fingerprint: 'proposed' },
      { kind: 'withdraw', reason: 'answered-there' },
    ])
    expect(phase).toEqual({ kind: 'closed', end: 'answered-there' })
  })

  it('put back in part after it was written', () => {
    const { phase, orders } = play('written', [
      { kind: 'turn' },
      { kind: 'accept', text: 'x', fingerprint: 'partial' },
      { kind: 'recorded' },
      { kind: 'wrote', ok: true },
    ])
    expect(phase).toEqual({ kind: 'closed', end: 'confirmed' })
    expect(orders).toEqual(['record', 'expect-write', 'write', 'settle', 'stop-timer', 'close'])
  })

  const partly: MachineEvent[] = [
    { kind: 'turn' },
    { kind: 'touched' },
    { kind: 'accept', text: 'x', fingerprint: 'partial' },
    { kind: 'recorded' },
  ]

  it('accepted in part, written whole by the agent, and put to what was accepted by the host', () => {
    const written: MachineEvent[] = [...partly, { kind: 'disk', fingerprint: 'proposed' }]
    expect(play('agent-then-host', written)).toEqual({
      phase: { kind: 'writing', from: 'awaiting' },
      orders: ['record', 'settle', 'start-timer', 'stop-timer', 'expect-write', 'write'],
    })
    expect(play('agent-then-host', [...written, { kind: 'wrote', ok: true }]).phase).toEqual({
      kind: 'closed',
      end: 'confirmed',
    })
    const failed: MachineEvent[] = [...written, { kind: 'wrote', ok: false }]
    expect(play('agent-then-host', failed).phase).toEqual({ kind: 'overdue' })
    const changed = play('agent-then-host', [...failed, { kind: 'disk', fingerprint: 'other' }])
    expect(changed.phase).toEqual({ kind: 'closed', end: 'diverged' })
    expect(changed.orders.slice(6)).toEqual(['reopen-written', 'stop-timer', 'close'])
  })

  it('accepted in part, and written whole by the agent far too late', () => {
    const { phase } = play('agent-then-host', [
      ...partly,
      { kind: 'timeout' },
      { kind: 'disk', fingerprint: 'raw', isAwaited: true },
    ])
    expect(phase).toEqual({ kind: 'writing', from: 'overdue' })
  })
})
