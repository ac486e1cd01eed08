import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { selectionIn, Selections, type Selection } from './selection'

const text = Text.of(['one', 'two 😀', 'three'])
const at = (line: number, character: number) => ({ line, character })
const select = (
  start: { line: number; character: number },
  end = start,
  path = '/a',
  version = 1,
): Selection => selectionIn(text, { path, version, range: { start, end } })

test('a selection holds its text and its range', () => {
  expect(select(at(0, 1), at(1, 2))).toEqual({
    path: '/a',
    version: 1,
    range: { start: at(0, 1), end: at(1, 2) },
    isEmpty: false,
    text: 'ne\ntw',
    truncated: false,
  })
  expect(select(at(1, 1))).toMatchObject({ isEmpty: true, text: '' })
})

test('a range beyond the text or backwards is put right', () => {
  expect(select(at(9, 9), at(2, 1)).range).toEqual({ start: at(2, 1), end: at(2, 5) })
})

test('a long selection is cut, never within a surrogate pair', () => {
  const range = { start: at(1, 0), end: at(2, 5) }
  for (const [limit, cut] of [
    [4, 'two '],
    [5, 'two '],
    [6, 'two 😀'],
  ] as const) {
    const selection = selectionIn(text, { path: '/a', version: 1, range }, limit)
    expect(selection).toMatchObject({ text: cut, truncated: true, range })
  }
})

test('the latest selection outlives the current one, until its file closes', () => {
  const selections = new Selections()
  const first = select(at(0, 0), at(0, 3))
  selections.set(first)
  selections.set(null)
  expect([selections.current, selections.latest]).toEqual([null, first])
  selections.closeFile('/b')
  expect(selections.latest).toBe(first)
  selections.closeFile('/a')
  expect(selections.latest).toBeNull()
})

test('changes are told once, closing the file included', () => {
  const selections = new Selections()
  const heard: (string | undefined)[] = []
  selections.on((selection) => heard.push(selection?.text))
  selections.set(select(at(0, 0), at(0, 3)))
  selections.set(select(at(0, 0), at(0, 3)))
  selections.set(select(at(0, 0), at(0, 2)))
  selections.closeFile('/a')
  selections.set(null)
  expect(heard).toEqual(['one', 'on', undefined])
})
