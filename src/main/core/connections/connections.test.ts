import { expect, test } from 'vitest'
import type { Connection } from '../../../shared/contract/connections'
import { Connections } from './connections'

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
