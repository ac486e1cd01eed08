import { afterEach, beforeEach, expect, it } from 'vitest'
import { Emitter } from '../../../shared/lifetime'
import { AgentTurns, turnTail } from './agent-turns'
import type { PresentAgent } from './changes-ports'

let now: number
let used: number | null
let written: number
let looks: number
let agents: PresentAgent[]
let changed: Emitter<void>
let turns: AgentTurns

beforeEach(() => {
  now = 1_000_000
  used = 0
  written = 0
  looks = 0
  agents = []
  changed = new Emitter()
  turns = new AgentTurns(
    { list: () => agents, onChange: changed.on },
    {
      workOf: () => {
        looks += 1
        return Promise.resolve(used === null ? null : { processor: used, written })
      },
      now: () => now,
    },
  )
})
afterEach(() => turns.dispose())

const agent = (more: Partial<PresentAgent>): PresentAgent => ({
  id: 'a',
  name: 'Claude',
  pid: 1,
  workedAt: null,
  mayBeQuiet: false,
  ...more,
})
const names = () => turns.inTurn().map(({ id }) => id)

it('is a turn until three seconds after the last output', () => {
  agents = [agent({ workedAt: now }), agent({ id: 'b', workedAt: now - turnTail - 1 })]
  expect(names()).toEqual(['a'])
  now += turnTail
  expect(names()).toEqual(['a'])
  now += 1
  expect(names()).toEqual([])
})

it('looks once at a process that has several connections', async () => {
  agents = [agent({}), agent({ id: 'b' }), agent({ id: 'c', pid: 2 })]
  await turns.sample()
  expect(looks).toBe(2)
})

it('goes by the processor where there is no output to go by', async () => {
  agents = [agent({})]
  // Nothing is known of it yet, so it may be at work.
  expect(names()).toEqual(['a'])
  await turns.sample()
  now += 1000
  used = 20
  await turns.sample()
  expect(names()).toEqual([])
  now += 1000
  used = 120
  await turns.sample()
  expect(names()).toEqual(['a'])
  now += turnTail + 1
  await turns.sample()
  expect(names()).toEqual([])
})

it('is always in a turn where the system tells nothing', async () => {
  used = null
  agents = [agent({})]
  await turns.sample()
  now += 60_000
  expect(names()).toEqual(['a'])
})

it('counts silent work of one that may be quiet, and of no other in a terminal of ours', async () => {
  agents = [agent({ workedAt: 0, mayBeQuiet: true }), agent({ id: 'b', workedAt: 0 })]
  await turns.sample()
  now += 1000
  used = 500
  await turns.sample()
  expect(names()).toEqual(['a'])
})

it('has one that has just gone for its tail', () => {
  agents = [agent({ workedAt: 0 })]
  changed.emit()
  agents = []
  changed.emit()
  expect(names()).toEqual(['a'])
  now += turnTail + 1
  expect(names()).toEqual([])
})

it('is one from the start to the first output, however long that takes', () => {
  agents = [agent({ workedAt: 0, silentSince: 'start' })]
  expect(names()).toEqual(['a'])
  now += 60_000
  expect(names()).toEqual(['a'])
  agents = [agent({ workedAt: 0 })]
  expect(names()).toEqual([])
})

it('is one as soon as something is typed, which may be the answer to a question', () => {
  agents = [agent({ workedAt: 0, typedAt: now })]
  expect(names()).toEqual(['a'])
  now += 1001
  expect(names()).toEqual([])
})

it('is one while a silent program in our terminal writes anything, and not for what a foreign one draws', async () => {
  agents = [agent({ workedAt: 0, mayBeQuiet: true }), agent({ id: 'b', mayBeQuiet: true })]
  await turns.sample()
  now += 1000
  written = 1
  expect((await turns.silentlyInTurn()).map(({ id }) => id)).toEqual(['a'])
  now += turnTail + 1
  expect(await turns.silentlyInTurn()).toEqual([])
})

it('is one from a line to the answer where the system does not tell what a process does', async () => {
  used = null
  const quiet = agent({ workedAt: 0, mayBeQuiet: true, silentSince: 'line' })
  agents = [quiet]
  await turns.sample()
  now += 60_000
  expect(names()).toEqual(['a'])
  agents = [{ ...quiet, silentSince: undefined }]
  expect(names()).toEqual([])
})

it('is one agent whose terminal was found only after it had connected', () => {
  const terminal = agent({ id: 'terminal', name: 'My agent', workedAt: now })
  agents = [terminal, agent({ id: 'connection' })]
  changed.emit()
  expect(names()).toEqual(['terminal', 'connection'])
  agents = [{ ...terminal, name: 'Claude', connection: 'connection' }]
  changed.emit()
  expect(names()).toEqual(['terminal'])
  // One that has gone still counts for a moment.
  agents = []
  changed.emit()
  expect(names()).toEqual(['terminal'])
})

it('forgets those that have gone, also where nobody asks and where they go during a look', async () => {
  const stays = agent({ id: 'stays' })
  for (let client = 0; client < 100; client++) {
    agents = [stays, agent({ id: `client ${client}` })]
    changed.emit()
    const look = turns.sample()
    agents = [stays]
    changed.emit()
    await look
  }
  now += turnTail + 1
  await turns.sample()
  expect(turns.known).toBe(1)
})
