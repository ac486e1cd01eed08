import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LivenessState, type Witness, hear, unseen } from './gate-liveness'

const turn: Witness = { kind: 'turn' }
const prompt: Witness = { kind: 'hook', event: 'UserPromptSubmit' }
const stop: Witness = { kind: 'hook', event: 'Stop' }
const working: Witness = { kind: 'status', status: 'working' }
const idle: Witness = { kind: 'status', status: 'idle' }
const before = (call: string): Witness => ({ kind: 'hook', event: 'PreToolUse', call })
const written = (call: string | null): Witness => ({ kind: 'written', call })

/** What is known after these, each `apart` milliseconds after the one before. */
function after(witnesses: readonly Witness[], apart = 20): LivenessState {
  return witnesses.reduce((state, witness, index) => hear(state, witness, index * apart), unseen)
}

test('nothing is claimed before a first turn is over, or a hook is called', () => {
  expect(after([]).is).toBe('unseen')
  expect(after([turn, working]).is).toBe('unseen')
  expect(after([prompt]).is).toBe('in-force')
})

test('a turn that ends without any hook shows that none is called', () => {
  expect(after([turn, working, idle]).is).toBe('not-in-force')
  expect(after([turn, turn]).is).toBe('not-in-force')
  expect(after([prompt, turn, working, stop, idle, turn, working, idle]).is).toBe('not-in-force')
})

test('settings that switch hooks off show it at once, until a hook is called all the same', () => {
  const off: Witness = { kind: 'off' }
  expect(after([prompt, off]).is).toBe('not-in-force')
  expect(after([prompt, turn, stop, off, idle]).is).toBe('not-in-force')
  expect(after([off, before('a')]).is).toBe('in-force')
})

test('what it noted before the turn doesn’t end it', () => {
  expect(after([turn, idle]).is).toBe('unseen')
  expect(after([turn, { kind: 'status', status: 'unknown' }, idle]).is).toBe('unseen')
  expect(after([turn, working, { kind: 'status', status: 'unknown' }]).is).toBe('unseen')
})

test('a prompt’s hook comes shortly before its turn, also if the person ends that at once', () => {
  expect(after([prompt, turn, working, idle]).is).toBe('in-force')
  expect(after([prompt, turn, working, idle, turn, working, idle]).is).toBe('not-in-force')
  expect(after([prompt, turn], 6000).is).toBe('in-force')
  expect(after([prompt, turn, working, idle], 6000).is).toBe('not-in-force')
})

test('a command typed with “!” has no hook before the end of its turn', () => {
  expect(after([prompt, turn, stop, idle, turn, working, stop, idle]).is).toBe('in-force')
})

test('a write whose tool had no hook shows it at once, in a turn that was heard of', () => {
  expect(after([prompt, turn, before('a'), written('a')]).is).toBe('in-force')
  expect(after([prompt, turn, before('a'), written('b')]).is).toBe('not-in-force')
  expect(after([prompt, turn, written(null)]).is).toBe('in-force')
  expect(after([turn, written(null)]).is).toBe('not-in-force')
  expect(after([written('a'), written(null)]).is).toBe('unseen')
})

const witness = fc.oneof(
  fc.constantFrom<Witness>(turn, prompt, stop, working, idle, { kind: 'off' }),
  fc.constantFrom('a', 'b', 'c').map(before),
  fc.constantFrom('a', 'b', 'c', null).map(written),
)
const witnesses = fc.array(witness, { maxLength: 40 })

test('a hook always shows that hooks are called, and nothing else does', () => {
  fc.assert(
    fc.property(witnesses, (all) => {
      let state = unseen
      for (const [index, one] of all.entries()) {
        const was = state.is
        state = hear(state, one, index)
        if (one.kind === 'hook') expect(state.is).toBe('in-force')
        else if (was !== 'in-force') expect(state.is).not.toBe('in-force')
      }
    }),
  )
})

test('a whole turn without a hook is always noticed, and never one with', () => {
  const inTurn = fc.array(fc.constantFrom(working, { kind: 'status', status: 'waiting' } as const), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(witnesses, inTurn, fc.boolean(), (all, during, heard) => {
      const long = all.reduce((state, one, index) => hear(state, one, index), unseen)
      const begun = hear(long, turn, 100_000)
      const rest = heard ? [...during, stop, idle] : [...during, idle]
      const end = rest.reduce((state, one) => hear(state, one, 100_001), begun)
      expect(end.is).toBe(heard ? 'in-force' : 'not-in-force')
    }),
  )
})

test('remembers a bounded number of calls', () => {
  const many = after(Array.from({ length: 2000 }, (_, index) => before(String(index))))
  expect(many.calls).toHaveLength(500)
  expect(many.calls.at(-1)).toBe('1999')
})
