import { beforeEach, expect, test } from 'vitest'
import { Emitter } from '../../../shared/lifetime'
import { Connections } from '../../core/connections/connections'
import { ProtocolLog } from '../../core/connections/protocol-log'
import type { NotedStatus, RunningSession } from '../../core/history/running-sessions'
import { Notices } from '../../core/notices/notices'
import type { HookSource } from '../../protocols/claude-hooks/ports'
import { AgentConnections } from '../dialect-kit/agent-connections'
import type { AgentRooms } from '../dialect-kit/dialect'
import { logTo } from '../../../../test/plain-app'
import { claudeHooks } from './claude-hooks'
import { HookSessions } from './hook-sessions'

const from: HookSource = { terminal: 'given', parent: null }

let rooms: AgentRooms
/** The looks for a session's processes that wait for the test. */
let looks: (() => void)[]
let running: RunningSession[]
let noted: Emitter<void>
let turns: string[]
let terminals: Map<string, { record: { profile: string; pid: number } }>
let sessions: HookSessions

beforeEach(() => {
  ;[looks, running, turns] = [[], [], []]
  noted = new Emitter()
  terminals = new Map([['given', { record: { profile: 'claude', pid: process.pid } }]])
  rooms = {
    connections: new Connections(),
    protocolLog: new ProtocolLog(() => []),
    notices: new Notices(),
    terminals: {
      get: (id: string) => terminals.get(id),
      terminalOfPid: async (pid: number) => (pid === process.pid ? 'given' : null),
    } as unknown as AgentRooms['terminals'],
  }
  rooms.connections.onTurn((id) => turns.push(id))
  sessions = new HookSessions(
    {
      ...rooms,
      processes: { in: () => new Promise((resolve) => looks.push(() => resolve([]))) },
      noted: () => ({
        of: (id) => running.find(({ sessionId }) => sessionId === id) ?? null,
        all: running,
        onChange: noted.on,
      }),
      isAsking: () => false,
      isGiven: (terminal) => terminal === 'given',
    },
    new AgentConnections(claudeHooks, rooms, logTo([])),
  )
})

/** A command line notes what it does, or, with null, that it has ended. */
async function note(status: NotedStatus | null, sessionId = 's', pid = process.pid): Promise<void> {
  running = running.filter((one) => one.pid !== pid)
  if (status) running.push({ pid, sessionId, status, startedAt: null })
  noted.emit()
  await new Promise((resolve) => setImmediate(resolve))
}
const shown = () => rooms.connections.list().map(({ id, terminal }) => [id, terminal])

test('a session that has ended is not shown again by a look that began before', async () => {
  const early = sessions.of('s', from)
  const last = sessions.of('s', from).then((session) => session.ended())
  // Whichever look for the last one's processes there is, is over first.
  looks.at(-1)?.()
  await last
  for (const answer of looks) answer()
  await early
  expect(shown()).toEqual([])
})

test('one that works in a terminal without calling is shown from its first turn until it ends', async () => {
  await note('working')
  expect(shown()).toEqual([])
  sessions.follow()
  await note('idle')
  expect(shown()).toEqual([])
  await note('working')
  await note('waiting')
  await note('working')
  expect(shown()).toEqual([['hooks s', 'given']])
  expect(turns).toEqual(['hooks s'])
  await note('idle')
  await note('working')
  expect(turns).toEqual(['hooks s', 'hooks s'])
  // After /clear it is another session.
  await note('idle', 'later')
  expect(shown()).toEqual([])
  await note('working', 'later')
  expect(shown()).toEqual([['hooks later', 'given']])
  await note(null)
  expect(shown()).toEqual([])
})

test('nobody is shown who runs elsewhere, or is connected', async () => {
  sessions.follow()
  await note('working', 'elsewhere', process.ppid)
  expect(shown()).toEqual([])
  await note('working')
  expect(shown()).toHaveLength(1)
  rooms.connections.put({
    ...{ id: 'linked', dialect: 'd', protocol: 'P', agent: 'Claude', version: null, since: 0 },
    ...{ pid: process.pid, terminal: 'given', unasked: null, note: null },
  })
  expect(shown()).toEqual([['linked', 'given']])
  await note('idle')
  await note('working')
  expect(shown()).toEqual([['linked', 'given']])
})

test('one that notes nothing of itself is shown once it has written, until it ends or connects', async () => {
  const { connections } = rooms
  sessions.follow()
  const wrote: string[] = []
  connections.onWrote(({ connection }) => wrote.push(connection))
  const write = () => connections.tellWrote({ connection: 'given', path: '/p', call: null })
  write()
  expect(shown()).toEqual([['hooks given', 'given']])
  expect([turns, wrote]).toEqual([['hooks given'], ['hooks given', 'given']])
  // Another program runs there now.
  terminals.set('given', { record: { profile: 'claude', pid: process.ppid } })
  await note('idle', 'another')
  expect(shown()).toEqual([])
  terminals.set('given', { record: { profile: 'shell', pid: process.pid } })
  write()
  expect(shown()).toEqual([])
})

test('one that calls is shown once, and stays while it says nothing', async () => {
  sessions.follow()
  await note('working')
  const called = sessions.of('s', from)
  looks[0]?.()
  const { origin, ended } = await called
  expect(origin).toMatchObject({ connection: 'hooks s', pid: process.pid })
  await note('idle')
  await note('working')
  expect(turns).toHaveLength(1)
  await note(null)
  expect(shown()).toEqual([['hooks s', 'given']])
  ended()
  expect(shown()).toEqual([])
})

test('after its disposal nobody is shown', async () => {
  sessions.follow()
  await note('working')
  sessions.dispose()
  await note('idle')
  await note('working')
  expect(shown()).toEqual([])
})
