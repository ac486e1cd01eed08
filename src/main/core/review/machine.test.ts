import { describe, expect, it } from 'vitest'
import type { Effect, WithdrawnReason } from '../../../shared/review'
import {
  type Order,
  type Machine,
  type MachineEvent,
  restoreMachine,
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
const fingerprints = ['base', 'proposed', 'partial', 'other'] as const

/** Every event that can happen, with every kind of content the disk or the draft can have. */
const events: MachineEvent[] = [
  { kind: 'turn' },
  { kind: 'touched' },
  { kind: 'reject' },
  { kind: 'reject', note: 'no' },
  { kind: 'recorded' },
  { kind: 'timeout' },
  { kind: 'wrote', ok: true },
  { kind: 'wrote', ok: false },
  { kind: 'keep' },
  { kind: 'discard' },
  ...fingerprints.map((fingerprint) => ({ kind: 'disk' as const, fingerprint })),
  ...fingerprints.map((fingerprint) => ({
    kind: 'accept' as const,
    fingerprint,
    text: `text of ${fingerprint}`,
  })),
  ...reasons.map((reason) => ({ kind: 'withdraw' as const, reason })),
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
      const { machine, orders } = stepMachine(from, event)
      edges.push({ from, event, to: machine, orders })
      const key = JSON.stringify(machine)
      if (!states.has(key)) states.set(key, machine)
    }
  }
  return { states, edges }
}

const effects: Effect[] = ['agent', 'host', 'agent-then-host', 'written']

describe.each(effects)('every order of events of a proposal that is written by: %s', (effect) => {
  const { states, edges } = explore([startMachine(effect, 'base', 'proposed')])
  const has = (edge: Edge, kind: Order['kind']) => edge.orders.some((order) => order.kind === kind)

  it('reaches a bounded number of states', () => {
    expect(states.size).toBeGreaterThan(50)
    expect(states.size).toBeLessThan(5000)
  })

  it('answers the agent once and never changes what it said', () => {
    for (const edge of edges) {
      const settles = edge.orders.filter((order) => order.kind === 'settle')
      expect(settles.length).toBe(edge.to.settled && !edge.from.settled ? 1 : 0)
      if (edge.from.settled) expect(edge.to.verdict).toEqual(edge.from.verdict)
      if (settles[0]) expect(settles[0].verdict).toEqual(edge.to.verdict)
    }
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
    for (const edge of edges) {
      const isClosing = edge.from.phase.kind !== 'closed' && edge.to.phase.kind === 'closed'
      expect(edge.orders.filter((order) => order.kind === 'close').length).toBe(isClosing ? 1 : 0)
      if (isClosing) expect(edge.orders.at(-1)?.kind).toBe('close')
      if (edge.from.phase.kind === 'closed') {
        expect(edge.orders).toEqual([])
        expect(edge.to).toEqual(edge.from)
      }
      if (isClosing) expect(edge.to.settled).toBe(true)
    }
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
      if (edge.event.kind !== 'withdraw' || edge.from.settled) continue
      expect(edge.to.settled).toBe(edge.from.phase.kind !== 'writing')
      const isVanishing = edge.event.reason === 'connection-lost' || edge.event.reason === 'shutdown'
      if (isVanishing && edge.to.settled && edge.to.disk !== 'proposed') {
        expect(edge.to.phase.kind).toBe('orphaned')
      }
    }
  })

  it('takes an acceptance that leaves the file as it is for a rejection', () => {
    for (const edge of edges) {
      if (edge.event.kind !== 'accept' || edge.from.phase.kind !== 'open') continue
      const unchanged = effect === 'written' ? 'base' : edge.from.disk
      const isRejection = edge.event.fingerprint === unchanged && unchanged !== 'proposed'
      expect(edge.to.verdict?.kind).toBe(isRejection ? 'rejected' : 'accepted')
    }
  })

  it('can always come to an end', () => {
    const ends = new Set([...states].filter(([, { phase }]) => phase.kind === 'closed').map(([key]) => key))
    const back = new Map<string, string[]>()
    for (const { from, to } of edges) {
      const key = JSON.stringify(to)
      back.set(key, [...(back.get(key) ?? []), JSON.stringify(from)])
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
      if (effect === 'agent' || effect === 'agent-then-host') expect(edge.event.kind).toBe('keep')
      expect(has(edge, 'expect-write')).toBe(true)
      expect(edge.to.phase.kind).toBe('writing')
    }
  })

  it('never says anything after a restart', () => {
    for (const state of states.values()) {
      if (state.phase.kind === 'closed') continue
      for (const disk of fingerprints) {
        const restored = restoreMachine(state, disk)
        expect(restored.orders.some(({ kind }) => kind === 'settle')).toBe(false)
        const isSilent = restored.machine.phase.kind === 'closed'
        const isDone = state.verdict?.kind === 'rejected' || disk === state.accepted
        const isLanded =
          state.verdict === null && !state.touched && disk === 'proposed' && effect !== 'written'
        expect(isSilent).toBe(isDone || isLanded)
        const after = explore([restored.machine])
        expect(after.edges.some((edge) => edge.orders.some(({ kind }) => kind === 'settle'))).toBe(false)
      }
    }
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
})
