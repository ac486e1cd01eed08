import { expect, test } from 'vitest'
import type { SentEntry, SentItem } from '../../../shared/contract/context'
import { holdersOfFile, holdersOfSelection } from './holders'

const place = (line: number, character = 0) => ({ line, character })
const selection = { path: '/a', start: place(1), end: place(2, 3) }
const selected: SentItem = { kind: 'selection', ...selection, text: 'x', length: 1 }
let id = 0
const entry = (connection: string, at: number, item: SentItem, agent = 'Claude'): SentEntry => ({
  id: ++id,
  at,
  connection,
  agent,
  how: 'told',
  item,
})

test('a selection is held by whoever was told of it last, while connected', () => {
  const sent = [
    entry('one', 1, selected),
    entry('two', 2, selected),
    entry('two', 3, { kind: 'nothing' }),
    entry('three', 4, selected),
    entry('four', 5, selected, 'Gemini'),
    entry('four', 6, { ...selected, end: place(9) }, 'Gemini'),
  ]
  expect(holdersOfSelection(sent, new Set(['one', 'two', 'four']), selection)).toEqual([
    { agent: 'Claude', at: 1, count: 1 },
  ])
  expect(holdersOfSelection(sent, new Set(['one', 'three']), selection)).toEqual([
    { agent: 'Claude', at: 4, count: 2 },
  ])
})

test('mentions and lists take no selection away; a cursor counts for its file', () => {
  const sent = [entry('one', 1, selected), entry('one', 2, { kind: 'mention', path: '/b', lines: null })]
  expect(holdersOfSelection(sent, new Set(['one']), selection)).toHaveLength(1)
  sent.push(entry('one', 3, { kind: 'cursor', path: '/a', at: place(7) }))
  expect(holdersOfSelection(sent, new Set(['one']), selection)).toEqual([])
  const cursor = { path: '/a', start: place(8), end: place(8) }
  expect(holdersOfSelection(sent, new Set(['one']), cursor)).toEqual([{ agent: 'Claude', at: 3, count: 1 }])
})

test('a file is known to whoever heard of it in any way', () => {
  const sent = [
    entry('one', 1, selected),
    entry('two', 2, { kind: 'files', paths: ['/a', '/b'] }, 'Gemini'),
    entry('three', 3, { kind: 'diagnostics', paths: ['/c'], count: 1 }),
  ]
  const all = new Set(['one', 'two', 'three'])
  expect(holdersOfFile(sent, all, '/a').map(({ agent }) => agent)).toEqual(['Claude', 'Gemini'])
  expect(holdersOfFile(sent, all, '/c')).toEqual([{ agent: 'Claude', at: 3, count: 1 }])
  expect(holdersOfFile(sent, new Set(), '/a')).toEqual([])
})
