import { beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../../shared/contract/connections'
import { disposable } from '../../../shared/lifetime'
import { Connections } from '../../core/connections/connections'
import { GateStates } from '../../core/gate/gate-states'
import type { NotedStatus } from '../../core/history/running-sessions'
import type { HookCall } from '../../protocols/claude-hooks/hook-wire'
import { GateWatch } from './gate-watch'

let connections: Connections
let states: GateStates
let watch: GateWatch
let followed: Map<number, (status: NotedStatus) => void>
let explained: (string | null)[]
let now: number
let switchedOff: string[]
/** The terminal that the environment of a command line names. */
let named: string | null
beforeEach(() => {
  connections = new Connections()
  states = new GateStates()
  followed = new Map()
  explained = []
  now = 1_000_000
  switchedOff = []
  named = null
  watch = new GateWatch({
    ...{ connections, states, isGiven: (terminal) => terminal === 'given', now: () => now },
    followStatus(pid, listener) {
      followed.set(pid, listener)
      return disposable(() => followed.delete(pid))
    },
    explain(_, refusal) {
      explained.push(refusal)
      return Promise.resolve({ sentence: refusal ?? 'Why.', terminal: named })
    },
    areSwitchedOff: (folder) => Promise.resolve(switchedOff.includes(folder)),
  })
})

function connect(id: string, terminal: string | null): void {
  const connection: Connection = {
    ...{ id, pid: 7, dialect: 'd', protocol: 'P', agent: 'Claude', version: null, since: 0 },
    ...{ terminal, unasked: null, note: null },
  }
  connections.tellProposing(id)
  connections.put(connection)
}

const any = { session_id: 's', cwd: '/' }
const prompt: HookCall = { ...any, hook_event_name: 'UserPromptSubmit', prompt: '' }
const before = (call: string): HookCall => ({
  ...{ ...any, hook_event_name: 'PreToolUse', tool_use_id: call },
  ...{ tool_name: 'Write', tool_input: {} },
})

test('one that was given hooks is shown from the beginning, and one that was not once it shows a turn', () => {
  connect('a', 'given')
  connect('b', 'other')
  expect(states.list()).toEqual([
    ['a', { state: 'unseen', terminal: 'given', isExpected: true, sentence: null }],
  ])
  connections.tellTurn('b')
  expect(states.of('b')).toMatchObject({ state: 'unseen', isExpected: false })
  connections.remove('a')
  expect(states.of('a')).toBeNull()
})

test('a turn without hooks is noticed when the command line notes that it is over', async () => {
  connect('a', 'given')
  connections.tellTurn('a')
  followed.get(7)?.('working')
  expect(states.of('a')?.state).toBe('unseen')
  followed.get(7)?.('idle')
  expect(states.of('a')).toMatchObject({ state: 'not-in-force', sentence: null })
  await Promise.resolve()
  expect(states.of('a')?.sentence).toBe('Why.')
  expect(followed.size).toBe(0)
  watch.heard('a', prompt, 'given')
  expect(states.of('a')).toMatchObject({ state: 'in-force', sentence: null })
})

test('while hooks are called, nobody’s notes are followed', () => {
  connect('a', 'given')
  watch.heard('a', prompt, 'given')
  connections.tellTurn('a')
  expect(followed.size).toBe(0)
  connections.tellTurn('a')
  expect(followed.size).toBe(1)
  watch.heard('a', before('x'), 'given')
  expect(followed.size).toBe(0)
  expect(states.of('a')?.state).toBe('in-force')
})

test('a write whose tool had no hook is noticed at once, also of one that was started elsewhere', () => {
  connect('a', null)
  watch.heard('a', prompt, 'outside-1')
  connections.tellTurn('a')
  watch.heard('a', before('x'), 'outside-1')
  connections.tellWrote({ connection: 'a', path: '/p', call: 'x' })
  expect(states.of('a')).toMatchObject({ state: 'in-force', terminal: 'outside-1', isExpected: true })
  connections.tellWrote({ connection: 'a', path: '/p', call: 'y' })
  expect(states.of('a')?.state).toBe('not-in-force')
})

test('settings that switch hooks off in a session’s folder are noticed by the last hook that is called', async () => {
  connect('a', 'given')
  const changed: HookCall = { ...any, hook_event_name: 'ConfigChange' }
  watch.heard('a', changed, 'given')
  await Promise.resolve()
  expect(states.of('a')?.state).toBe('in-force')
  switchedOff = ['/']
  watch.heard('a', changed, 'given')
  await vi.waitFor(() => expect(states.of('a')).toMatchObject({ state: 'not-in-force', sentence: 'Why.' }))
  watch.heard('a', prompt, 'given')
  expect(states.of('a')?.state).toBe('in-force')
})

test('one in a terminal of another program is expected to call hooks if it was started with them', async () => {
  named = 'given'
  connect('a', null)
  connections.tellTurn('a')
  connections.tellTurn('a')
  await vi.waitFor(() =>
    expect(states.of('a')).toEqual({
      ...{ state: 'not-in-force', terminal: 'given', isExpected: true, sentence: 'Why.' },
    }),
  )
  // Those of another window or app are none of ours.
  named = 'theirs'
  connect('b', null)
  connections.tellTurn('b')
  connections.tellTurn('b')
  await vi.waitFor(() => expect(states.of('b')).toMatchObject({ sentence: 'Why.', isExpected: false }))
})

test('a request that was refused in the turn is the reason', () => {
  connect('a', 'given')
  watch.refused('Old.')
  now += 60_000
  connections.tellTurn('a')
  connections.tellTurn('a')
  connections.remove('a')
  connect('a', 'given')
  watch.refused('No token.')
  now += 20
  connections.tellTurn('a')
  connections.tellTurn('a')
  expect(explained).toEqual([null, 'No token.'])
})

test('a reason that comes when hooks are called again is dropped', async () => {
  connect('a', 'given')
  connections.tellTurn('a')
  connections.tellTurn('a')
  watch.heard('a', prompt, 'given')
  await Promise.resolve()
  expect(states.of('a')).toMatchObject({ state: 'in-force', sentence: null })
})

test('while hooks are off nothing is told, and afterwards it begins anew', () => {
  connect('a', 'given')
  watch.heard('a', prompt, 'given')
  watch.isOn = false
  expect(states.list()).toEqual([])
  connections.tellTurn('a')
  connections.tellTurn('a')
  connect('b', 'given')
  expect([followed.size, explained, states.list()]).toEqual([0, [], []])
  watch.isOn = true
  expect(states.of('a')).toMatchObject({ state: 'unseen', isExpected: true })
  expect(states.of('b')).toMatchObject({ state: 'unseen' })
})

test('after its disposal nothing is followed', () => {
  connect('a', 'given')
  connections.tellTurn('a')
  watch.dispose()
  expect([followed.size, states.list()]).toEqual([0, []])
})
