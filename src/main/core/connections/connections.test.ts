import { expect, test } from 'vitest'
import type { Connection } from '../../../shared/contract/connections'
import { Connections, type ToldWork } from './connections'

const connection = (id: string, pid: number | null): Connection => ({
  ...{ id, pid, dialect: 'd', protocol: 'P', agent: 'Claude', version: null, since: 0 },
  ...{ terminal: null, unasked: null, note: null },
})

test('a process proposes over its connection once it is known, and for as long as that is there', () => {
  const connections = new Connections()
  connections.put(connection('a', null))
  connections.put(connection('b', 2))
  connections.tellProposing('a')
  expect([...connections.proposing()]).toEqual([])
  connections.update('a', { pid: 1 })
  expect([...connections.proposing()]).toEqual([1])
  connections.remove('a')
  expect([...connections.proposing()]).toEqual([])
  connections.put(connection('a', 1))
  expect([...connections.proposing()]).toEqual([])
})

test('what an agent does is known only if each of its connections says it, by who worked last', () => {
  const connections = new Connections()
  let second: ToldWork | null = { at: 20, command: 'make' }
  expect(connections.workOf([])).toBeNull()
  connections.put(connection('a', 1))
  expect(connections.workOf(['a'])).toBeNull()
  connections.tellWork('a', () => ({ at: 10, command: 'ls' }))
  connections.put(connection('b', 1))
  expect(connections.workOf(['a'])).toEqual({ at: 10, command: 'ls' })
  expect(connections.workOf(['a', 'b'])).toBeNull()
  connections.tellWork('b', () => second)
  expect(connections.workOf(['a', 'b'])).toEqual(second)
  second = { at: 5, command: null }
  expect(connections.workOf(['a', 'b'])).toEqual({ at: 10, command: 'ls' })
  second = null
  expect(connections.workOf(['a', 'b'])).toBeNull()
  connections.remove('a')
  expect(connections.workOf(['a'])).toBeNull()
})
