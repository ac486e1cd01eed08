import { describe, expect, it } from 'vitest'
import { type Machine, type MachineEvent, type Order, startMachine, stepMachine } from './machine'

/** Runs events; gives the last machine and all orders. */
function run(machine: Machine, ...events: MachineEvent[]): { machine: Machine; orders: Order[] } {
  const orders: Order[] = []
  let now = machine
  for (const event of events) {
    const step = stepMachine(now, event)
    now = step.machine
    orders.push(...step.orders)
  }
  return { machine: now, orders }
}

const open = run(startMachine('agent', 'base', 'proposed'), { kind: 'turn' }).machine
const handOver: MachineEvent = { kind: 'hand-over', fingerprint: 'draft' }
const withdraw: MachineEvent = { kind: 'withdraw', reason: 'answered-there' }
const disk = (fingerprint: string): MachineEvent => ({ kind: 'disk', fingerprint })
const endOf = (orders: readonly Order[]) =>
  orders.flatMap((order) => (order.kind === 'close' ? order.end : []))

describe('a draft that was handed over because it was answered elsewhere', () => {
  it('is over when it is written, although the person had worked on it, and is expected', () => {
    const { machine, orders } = run(open, { kind: 'touched' }, handOver, withdraw, disk('draft'))
    expect(machine.phase).toEqual({ kind: 'closed', end: 'confirmed' })
    expect(orders.map(({ kind }) => kind)).toEqual([
      'expect-write',
      'settle',
      'start-timer',
      'stop-timer',
      'close',
    ])
  })

  it('stays with the person when nothing is written', () => {
    const { machine } = run(open, { kind: 'touched' }, handOver, withdraw, { kind: 'timeout' })
    expect(machine.phase).toEqual({ kind: 'orphaned', reason: 'answered-there' })
    expect(endOf(run(machine, disk('draft')).orders)).toEqual(['confirmed'])
  })

  it('comes back where the whole proposal was written instead', () => {
    const { orders } = run(open, { kind: 'touched' }, handOver, withdraw, disk('proposed'))
    expect(orders.map(({ kind }) => kind)).toContain('reopen-written')
  })

  it('is over at once where the file holds it already', () => {
    const { orders } = run(open, { kind: 'hand-over', fingerprint: 'base' }, withdraw)
    expect(endOf(orders)).toEqual(['rejected'])
    expect(endOf(run(open, disk('draft'), handOver, withdraw).orders)).toEqual(['confirmed'])
  })

  it('ends the question of everyone else who asked for the same when it is written', () => {
    const asked = run(open, { kind: 'join', effect: 'agent' }, handOver, { ...withdraw, asker: 0 }).machine
    expect(asked.phase.kind).toBe('open')
    const { orders } = run(asked, disk('draft'))
    expect(orders.filter(({ kind }) => kind === 'settle')).toEqual([
      { kind: 'settle', asker: 1, verdict: { kind: 'withdrawn', reason: 'answered-there' } },
    ])
    expect(endOf(orders)).toEqual(['confirmed'])
  })
})
