import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markConflicts, mergeThreeWay } from './three-way-merge'

const line = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e')
const text = fc.array(line, { minLength: 1, maxLength: 15 }).map((lines) => Text.of(lines))
const textOf = (content: string) => Text.of(content.split('\n'))
const merge = (base: string, ours: string, theirs: string) =>
  mergeThreeWay(textOf(base), textOf(ours), textOf(theirs))

test('a side that changed nothing yields to the other', () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      for (const result of [mergeThreeWay(base, base, changed), mergeThreeWay(base, changed, base)]) {
        expect(result.text.toString()).toBe(changed.toString())
        expect(result.conflicts).toEqual([])
      }
    }),
  )
})

test('what both made alike is no conflict', () => {
  fc.assert(
    fc.property(text, text, (base, changed) => {
      const result = mergeThreeWay(base, changed, changed)
      expect(result.text.toString()).toBe(changed.toString())
      expect(result.conflicts).toEqual([])
    }),
  )
})

test('swapping the sides swaps the conflicts and nothing else', () => {
  fc.assert(
    fc.property(text, text, text, (base, ours, theirs) => {
      const one = mergeThreeWay(base, ours, theirs)
      const other = mergeThreeWay(base, theirs, ours)
      expect(other.conflicts.length).toBe(one.conflicts.length)
      // Ours with theirs put in place of every conflict is what the other merge has.
      const lines = one.text.toJSON()
      for (const { from, to, theirs: replacement } of one.conflicts.toReversed())
        lines.splice(from, to - from, ...replacement)
      expect(lines.length > 0 ? lines : ['']).toEqual(other.text.toJSON())
    }),
    { numRuns: 1000 },
  )
})

test('edits in different regions all count', () => {
  fc.assert(
    fc.property(text, text, text, text, (head, ours, theirs, tail) => {
      const build = (first: Text, second: Text) =>
        Text.of([...first.toJSON(), '=1', '=2', '=3', ...second.toJSON()])
      const result = mergeThreeWay(build(head, tail), build(ours, tail), build(head, theirs))
      expect(result.conflicts).toEqual([])
      expect(result.text.toString()).toBe(build(ours, theirs).toString())
    }),
    { numRuns: 1000 },
  )
})

test('changes of the same line are a conflict that holds ours and tells theirs', () => {
  const result = merge('a\nb\nc', 'a\nours\nc', 'a\ntheirs\nc')
  expect(result.text.toString()).toBe('a\nours\nc')
  expect(result.conflicts).toEqual([{ from: 1, to: 2, base: ['b'], theirs: ['theirs'] }])
})

test('different lines put in the same place are a conflict', () => {
  expect(merge('a\nb', 'a\nx\nb', 'a\ny\nb').conflicts).toEqual([{ from: 1, to: 2, base: [], theirs: ['y'] }])
})

test('what both say inside a conflict is not in dispute', () => {
  const result = merge('a\nb\nc', 'a\nsame\nours\nc', 'a\nsame\ntheirs\nc')
  expect(result.conflicts).toEqual([{ from: 2, to: 3, base: ['b'], theirs: ['theirs'] }])
})

test('one removes what the other changed: a conflict, nothing lost', () => {
  const result = merge('a\nb\nc', 'a\nc', 'a\nB\nc')
  expect(result.text.toString()).toBe('a\nc')
  expect(result.conflicts).toEqual([{ from: 1, to: 1, base: ['b'], theirs: ['B'] }])
})

test('marked conflicts show both versions', () => {
  const marked = markConflicts(merge('a\nb\nc', 'a\nours\nc', 'a\ntheirs\nc'), 'mine', 'on disk')
  expect(marked.toString()).toBe('a\n<<<<<<< mine\nours\n=======\ntheirs\n>>>>>>> on disk\nc')
})
