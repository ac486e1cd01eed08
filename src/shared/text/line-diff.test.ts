import fc from 'fast-check'
import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { changesBetween, diffLines, diffTexts, textChanges } from './line-diff'
import type { LineChange } from './line-change'

/** Files of few different lines: every kind of repetition, blank lines and indentation. */
const line = fc.constantFrom('', 'a', 'b', '  c', '    d', '}', '\tt', 'a\r')
const lines = fc.array(line, { minLength: 1, maxLength: 40 })
/** Two files that have much in common, as two versions of one file do. */
const versions = fc
  .tuple(lines, fc.array(fc.tuple(fc.nat(40), fc.nat(5), fc.array(line, { maxLength: 5 })), { maxLength: 5 }))
  .map(([a, edits]) => {
    const b = [...a]
    for (const [at, remove, add] of edits) b.splice(Math.min(at, b.length), remove, ...add)
    return { a, b: b.length > 0 ? b : [''] }
  })
const pairs = fc.oneof(versions, fc.record({ a: lines, b: lines }))

function applyLines(a: readonly string[], b: readonly string[], changes: readonly LineChange[]): string[] {
  const result: string[] = []
  let at = 0
  for (const change of changes) {
    result.push(...a.slice(at, change.fromA), ...b.slice(change.fromB, change.toB))
    at = change.toA
  }
  return [...result, ...a.slice(at)]
}

function invert(changes: readonly LineChange[]): LineChange[] {
  return changes.map(({ fromA, toA, fromB, toB }) => ({ fromA: fromB, toA: toB, fromB: fromA, toB: toA }))
}

function touched(changes: readonly LineChange[]): number {
  return changes.reduce((sum, c) => sum + c.toA - c.fromA + c.toB - c.fromB, 0)
}

/** The length of the shortest diff, by the book: a table of longest common subsequences. */
function shortest(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const left of a) {
    const next = [0]
    for (let j = 0; j < b.length; j++)
      next.push(left === b[j] ? (row[j] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0))
    row = next
  }
  return a.length + b.length - 2 * (row.at(-1) ?? 0)
}

test('the changes make B of A, and inverted A of B', () => {
  fc.assert(
    fc.property(pairs, ({ a, b }) => {
      const changes = diffLines(a, b)
      expect(applyLines(a, b, changes)).toEqual(b)
      expect(applyLines(b, a, invert(changes))).toEqual(a)
    }),
    { numRuns: 2000 },
  )
})

test('changes are not empty, in order, and at least one equal line stands between two', () => {
  fc.assert(
    fc.property(pairs, ({ a, b }) => {
      let [lastA, lastB] = [-1, -1]
      for (const { fromA, toA, fromB, toB } of diffLines(a, b)) {
        expect(toA - fromA + (toB - fromB)).toBeGreaterThan(0)
        expect(fromA).toBeGreaterThan(lastA)
        expect(fromB).toBeGreaterThan(lastB)
        expect(fromA - lastA).toBe(fromB - lastB)
        ;[lastA, lastB] = [toA, toB]
        expect(toA).toBeGreaterThanOrEqual(fromA)
        expect(toB).toBeGreaterThanOrEqual(fromB)
        // The next change begins after at least one equal line.
        expect(applyLines(a.slice(0, toA), b, [{ fromA, toA, fromB, toB }]).length).toBe(fromA + toB - fromB)
      }
    }),
    { numRuns: 2000 },
  )
})

test('on small files the diff is at most a quarter and two lines longer than the shortest', () => {
  fc.assert(
    fc.property(pairs, ({ a, b }) => {
      const length = touched(diffLines(a, b))
      const least = shortest(a, b)
      expect(length).toBeGreaterThanOrEqual(least)
      expect(length).toBeLessThanOrEqual(least * 1.25 + 4)
    }),
    { numRuns: 3000 },
  )
})

test('a unique line that moved past a long repetition does not tear the repetition out', () => {
  const repeated = new Array<string>(3000).fill('r')
  const changes = diffLines(['u', ...repeated], [...repeated, 'u'])
  expect(touched(changes)).toBe(2)
})

test('equal files have no changes', () => {
  expect(diffLines(['a', ''], ['a', ''])).toEqual([])
  expect(diffLines([''], [''])).toEqual([])
})

test('a function added before another is shown whole, from its first line to the blank line after it', () => {
  const a = ['function one() {', '  return 1', '}', '', 'function two() {', '  return 2', '}', '']
  const b = a.toSpliced(4, 0, 'function more() {', '  return 3', '}', '')
  expect(diffLines(a, b)).toEqual([{ fromA: 4, toA: 4, fromB: 4, toB: 8 }])
})

test('a block added at the end of a list of blocks starts with its head, not with the brace before it', () => {
  const a = ['class A {', '  one() {', '    x()', '  }', '}', '']
  const b = ['class A {', '  one() {', '    x()', '  }', '', '  two() {', '    x()', '  }', '}', '']
  expect(diffLines(a, b)).toEqual([{ fromA: 4, toA: 4, fromB: 4, toB: 8 }])
})

test('an element repeated in a list is added as one block with its own braces', () => {
  const a = ['[', '  {', '    "id": 1,', '  },', ']']
  const b = ['[', '  {', '    "id": 1,', '  },', '  {', '    "id": 2,', '  },', ']']
  expect(diffLines(a, b)).toEqual([{ fromA: 4, toA: 4, fromB: 4, toB: 7 }])
})

test('a moved unique line does not break up what stayed in place', () => {
  const body = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const moved = [...body.slice(1), 'line 0']
  expect(touched(diffLines(body, moved))).toBe(2)
})

const texts = pairs.map(({ a, b }) => ({ a: Text.of(a), b: Text.of(b) }))

test('replacing every range of A by its range of B gives B, and the reverse', () => {
  fc.assert(
    fc.property(texts, ({ a, b }) => {
      const changes = diffTexts(a, b)
      let forward = a
      let back = b
      for (const { fromA, toA, fromB, toB } of changes.toReversed()) {
        forward = forward.replace(fromA, toA, b.slice(fromB, toB))
        back = back.replace(fromB, toB, a.slice(fromA, toA))
      }
      expect(forward.toString()).toBe(b.toString())
      expect(back.toString()).toBe(a.toString())
    }),
    { numRuns: 3000 },
  )
})

test('offset changes lie within the documents and never touch each other', () => {
  fc.assert(
    fc.property(texts, ({ a, b }) => {
      let [lastA, lastB] = [-1, -1]
      for (const { fromA, toA, fromB, toB } of diffTexts(a, b)) {
        expect(fromA).toBeGreaterThan(lastA)
        expect(fromB).toBeGreaterThan(lastB)
        expect(toA).toBeLessThanOrEqual(a.length)
        expect(toB).toBeLessThanOrEqual(b.length)
        expect(toA - fromA + (toB - fromB)).toBeGreaterThan(0)
        ;[lastA, lastB] = [toA, toB]
      }
    }),
    { numRuns: 3000 },
  )
})

test.each([
  ['a line in the middle', 'a\nb\nc', 'a\nX\nc', { fromA: 2, toA: 4, fromB: 2, toB: 4 }],
  ['the last line', 'a\nb', 'a\nX', { fromA: 2, toA: 3, fromB: 2, toB: 3 }],
  ['a line after a last line without break', 'x', 'x\ny', { fromA: 1, toA: 1, fromB: 1, toB: 3 }],
  ['a line after the final break', 'x\n', 'x\ny\n', { fromA: 2, toA: 2, fromB: 2, toB: 4 }],
  ['the final break added', 'x', 'x\n', { fromA: 1, toA: 1, fromB: 1, toB: 2 }],
  ['the final break removed', 'x\n', 'x', { fromA: 1, toA: 2, fromB: 1, toB: 1 }],
  ['everything removed', 'a\nb', '', { fromA: 0, toA: 3, fromB: 0, toB: 0 }],
  ['everything added', '', 'a\nb\n', { fromA: 0, toA: 0, fromB: 0, toB: 4 }],
])('offsets of %s', (_, a, b, change) => {
  const [textA, textB] = [Text.of(a.split('\n')), Text.of(b.split('\n'))]
  expect(diffTexts(textA, textB)).toEqual([change])
})

test('a change set between two texts makes one of the other, and a cursor in an unchanged word stays there', () => {
  fc.assert(
    fc.property(texts, ({ a, b }) => {
      expect(changesBetween(a, b).apply(a).toString()).toBe(b.toString())
    }),
    { numRuns: 2000 },
  )
  const [a, b] = [Text.of(['const one = 1 // note', 'x']), Text.of(['const two = 1 // note', 'x', 'y'])]
  expect(changesBetween(a, b).mapPos(a.toString().indexOf('note'))).toBe(b.toString().indexOf('note'))
})

test('changes whose break would be shared are told as one', () => {
  const [a, b] = [Text.of(['x', '']), Text.of(['y', '', 'z'])]
  const changes = [
    { fromA: 0, toA: 1, fromB: 0, toB: 1 },
    { fromA: 2, toA: 2, fromB: 2, toB: 3 },
  ]
  expect(textChanges(a, b, changes)).toEqual([{ fromA: 0, toA: 2, fromB: 0, toB: 4 }])
})

test.each([
  ['two files without a line in common', (i: number) => `a${i}`, (i: number) => `b${i}`],
  ['three lines over and over', (i: number) => `${(i * i) % 3}`, (i: number) => `${((i * 7919) % 11) % 3}`],
  ['every line twice, out of step', (i: number) => `${i >> 1}`, (i: number) => `${(i + 1) >> 1}`],
  ['the reverse', (i: number) => `${i}`, (i: number) => `${50_000 - i}`],
])(
  '%s: 50,000 lines stay far from a quadratic number of steps',
  (_, makeA, makeB) => {
    const a = Array.from({ length: 50_000 }, (_line, i) => makeA(i))
    const b = Array.from({ length: 50_000 }, (_line, i) => makeB(i))
    const changes = diffLines(a, b)
    expect(applyLines(a, b, changes)).toEqual(b)
  },
  20_000,
)
