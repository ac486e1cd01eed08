import { expect, test } from 'vitest'
import type { SentEntry } from '../../../shared/contract/context'
import { SentRecord, beginningOf, describeSelected } from './sent-record'

const claude = { connection: 'c1', agent: 'Claude' }
const cursor = (path: string, line = 0) => ({ kind: 'cursor' as const, path, at: { line, character: 0 } })

test('keeps what was sent, when and to whom, and tells it', () => {
  let clock = 0
  const record = new SentRecord(() => (clock += 10))
  const heard: SentEntry[] = []
  record.onEntry((entry) => heard.push(entry))
  record.add(claude, 'told', { kind: 'mention', path: '/a', lines: null })
  record.add({ connection: 'c2', agent: 'Gemini' }, 'asked', { kind: 'nothing' })
  expect(record.entries).toEqual(heard)
  expect(record.entries).toMatchObject([
    { id: 1, at: 10, agent: 'Claude', how: 'told', item: { path: '/a' } },
    { id: 2, at: 20, agent: 'Gemini', how: 'asked' },
  ])
})

test('a cursor that wanders in a file is one entry; another file, agent or thing between is not', () => {
  const record = new SentRecord()
  record.add(claude, 'told', cursor('/a', 1))
  record.add(claude, 'told', cursor('/a', 2))
  expect(record.entries).toMatchObject([{ id: 1, item: { at: { line: 2 } } }])
  record.add({ ...claude, connection: 'c2' }, 'told', cursor('/a', 3))
  record.add(claude, 'told', cursor('/b'))
  record.add(claude, 'asked', cursor('/b'))
  record.add(claude, 'told', { kind: 'nothing' })
  record.add(claude, 'told', cursor('/b'))
  expect(record.entries.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
})

test('is bounded: entries, paths of one, characters of a text', () => {
  const record = new SentRecord()
  const paths = Array.from({ length: 3000 }, (_, index) => `/${index}`)
  for (let count = 0; count < 600; count++) record.add(claude, 'asked', { kind: 'files', paths })
  expect(record.entries).toHaveLength(500)
  expect(record.entries[0]?.id).toBe(101)
  const last = record.entries.at(-1)?.item
  expect(last?.kind === 'files' && last.paths.length).toBe(100)
  record.add(claude, 'told', describeSelected(select('x'.repeat(10_000))))
  expect(record.entries.at(-1)?.item).toMatchObject({ length: 10_000, text: 'x'.repeat(400) })
  expect(beginningOf(`${'x'.repeat(399)}\u{1f600}`)).toBe('x'.repeat(399))
})

test('names what a selection is', () => {
  expect(describeSelected(null)).toEqual({ kind: 'nothing' })
  expect(describeSelected(select('ab'))).toMatchObject({ kind: 'selection', text: 'ab', length: 2 })
  expect(describeSelected(select(''))).toEqual({ kind: 'cursor', path: '/a', at: { line: 0, character: 0 } })
})

function select(text: string) {
  return { path: '/a', start: { line: 0, character: 0 }, end: { line: 0, character: text.length }, text }
}
