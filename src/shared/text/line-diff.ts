import { ChangeSet, type ChangeSpec, type Text } from '@codemirror/state'
import type { LineChange } from './line-change'
import { matchLines } from './line-matching'
import { slideChanges } from './line-sliding'

/** A change in UTF-16 offsets of two documents, half-open and never beyond a document's length. */
export type TextChange = LineChange

/**
 * The changes that turn `a` into `b`, in order and separated by at least one equal line. Made to be read: lines that
 * are unique on both sides stay together, and a block that could be in several places goes where indentation and blank
 * lines suggest. Rarely longer than the shortest diff, and then not by much; the time is bounded by (lines × a
 * constant) for any input. Patience diff is by Bram Cohen, the shortest path inside its gaps by Eugene Myers (An O(ND)
 * Difference Algorithm, 1986).
 */
export function diffLines(a: readonly string[], b: readonly string[]): LineChange[] {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const middleA = a.length - start - end
  const middleB = b.length - start - end
  if (middleA === 0 && middleB === 0) return []

  const ids = new Map<string, number>()
  const numbersA = numberLines(a, start, start + middleA, ids)
  const numbersB = numberLines(b, start, start + middleB, ids)
  const { changedA, changedB } = matchLines(numbersA, numbersB, ids.size)
  return slideChanges(a, b, readChanges(changedA, changedB, start))
}

/** `diffLines` of two documents, in offsets. See `textChanges` for what the offsets cover. */
export function diffTexts(a: Text, b: Text): TextChange[] {
  return textChanges(a, b, diffLines(a.toJSON(), b.toJSON()))
}

/**
 * Offsets for line changes. A change covers whole lines with their line break: from the start of its first line to
 * the start of the line after its last. The last line of a document has no break, so a change that reaches the end
 * stops at `length`; if it has no lines at all on one side there, it takes the break before it instead ("x" to
 * "x\ny" is the insertion of "\ny" at 1). Replacing every range of A by its range of B therefore gives exactly B.
 *
 * `@codemirror/merge` counts differently there: its Chunk ends one past the document and includes the line before. Pass
 * these changes through `DiffConfig.override` and let it make its own chunks.
 *
 * Between two changes at least one character is equal; changes that would touch become one.
 */
export function textChanges(a: Text, b: Text, changes: readonly LineChange[]): TextChange[] {
  const result: TextChange[] = []
  for (const change of changes) {
    let fromA = lineStart(a, change.fromA)
    let fromB = lineStart(b, change.fromB)
    let toA = lineStart(a, change.toA)
    let toB = lineStart(b, change.toB)
    if (toA > a.length) {
      if (fromA > a.length || fromB > b.length) {
        fromA--
        fromB--
      }
      toA--
      toB--
    }
    const last = result.at(-1)
    if (last && (last.toA === fromA || last.toB === fromB)) {
      last.toA = toA
      last.toB = toB
    } else result.push({ fromA, toA, fromB, toB })
  }
  return result
}

/**
 * A change set that turns `a` into `b` and touches little, so that cursors stay: whole lines, without the beginning and
 * end that the old and new lines share. If text was only appended, nothing is compared.
 */
export function changesBetween(a: Text, b: Text): ChangeSet {
  if (a.length < b.length && b.slice(0, a.length).eq(a)) {
    return ChangeSet.of({ from: a.length, insert: b.slice(a.length) }, a.length)
  }
  const specs = diffTexts(a, b).map((change): ChangeSpec => {
    const removed = a.sliceString(change.fromA, change.toA)
    const inserted = b.sliceString(change.fromB, change.toB)
    const shorter = Math.min(removed.length, inserted.length)
    let start = 0
    while (start < shorter && removed.charCodeAt(start) === inserted.charCodeAt(start)) start++
    let end = 0
    while (
      end < shorter - start &&
      removed.charCodeAt(removed.length - 1 - end) === inserted.charCodeAt(inserted.length - 1 - end)
    )
      end++
    return {
      from: change.fromA + start,
      to: change.toA - end,
      insert: b.slice(change.fromB + start, change.toB - end),
    }
  })
  return ChangeSet.of(specs, a.length)
}

/** Where line `index` starts, as if the document ended with one more line break. */
function lineStart(text: Text, index: number): number {
  return index < text.lines ? text.line(index + 1).from : text.length + 1
}

function numberLines(
  lines: readonly string[],
  from: number,
  to: number,
  ids: Map<string, number>,
): Int32Array {
  const numbers = new Int32Array(to - from)
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? ''
    let id = ids.get(line)
    if (id === undefined) {
      id = ids.size
      ids.set(line, id)
    }
    numbers[i - from] = id
  }
  return numbers
}

/** Turns marks of changed lines into changes; unmarked lines pair up in order. */
function readChanges(changedA: Uint8Array, changedB: Uint8Array, offset: number): LineChange[] {
  const changes: LineChange[] = []
  let a = 0
  let b = 0
  while (a < changedA.length || b < changedB.length) {
    if (changedA[a] !== 1 && changedB[b] !== 1) {
      a++
      b++
      continue
    }
    const [fromA, fromB] = [a, b]
    while (changedA[a] === 1) a++
    while (changedB[b] === 1) b++
    changes.push({ fromA: fromA + offset, toA: a + offset, fromB: fromB + offset, toB: b + offset })
  }
  return changes
}
