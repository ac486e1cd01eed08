import { expect, test } from 'vitest'
import { tellApart } from './look-alikes'

const asked = (id: string, connection: string, more: object = {}) => ({
  id,
  path: '/p/a.ts',
  phase: 'open' as const,
  agent: 'Claude',
  connection,
  askedAt: Number(id),
  ...more,
})
const connections = [
  { id: 'c1', pid: 11, terminal: 't1' },
  { id: 'c2', pid: 12, terminal: 't2' },
  { id: 'c3', pid: 13, terminal: null },
]
const terminals = [
  { id: 't1', title: 'Claude Code' },
  { id: 't2', title: 'Claude Code 2' },
]

test('a review that is like no other says nothing', () => {
  const one = asked('1', 'c1')
  const other = asked('2', 'c2', { agent: 'Gemini', path: '/p/b.ts' })
  expect(tellApart(one, [one, other], connections, terminals)).toEqual({ who: null, turn: null })
})

test('two command lines of one agent are told apart by their terminals, or by their processes', () => {
  const all = [
    asked('1', 'c1'),
    asked('2', 'c2', { phase: 'queued' }),
    asked('3', 'c3', { phase: 'queued' }),
    asked('4', 'gone', { phase: 'orphaned' }),
  ]
  const told = all.map((review) => tellApart(review, all, connections, terminals))
  expect(told.map(({ who }) => who)).toEqual(['in “Claude Code”', 'in “Claude Code 2”', 'pid 13', null])
  const alike = terminals.map((terminal) => ({ ...terminal, title: 'Claude Code' }))
  expect(tellApart(all[0] as never, all, connections, alike).who).toBe('pid 11')
})

test('those that wait for the same file say how far they are', () => {
  const all = Array.from({ length: 24 }, (_, i) =>
    asked(String(i + 1), 'c1', { phase: i === 0 ? 'open' : 'queued' }),
  )
  const turns = all.map((review) => tellApart(review, all, connections, terminals).turn)
  expect(turns.slice(0, 4)).toEqual([null, '2nd in line', '3rd in line', '4th in line'])
  expect([turns[10], turns[11], turns[20], turns[21], turns[22]]).toEqual(
    ['11th', '12th', '21st', '22nd', '23rd'].map((place) => `${place} in line`),
  )
})
