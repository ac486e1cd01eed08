import { Text } from '@codemirror/state'
import { diffLines } from '../../../shared/text/line-diff'
import type { LineChange } from '../../../shared/text/line-change'

/** A merge of two texts with one base. Where both changed the same lines, `text` holds ours. */
export interface Merge {
  text: Text
  conflicts: Conflict[]
}

/** Lines `from` to `to` (from 0, half-open) of the merged text are ours; `theirs` are the other side's. */
export interface Conflict {
  from: number
  to: number
  base: string[]
  theirs: string[]
}

/**
 * Merges what `ours` and `theirs` each made of `base`, line by line. Changes separated by at least one line of the base
 * both apply; changes that touch are a conflict, unless both sides are the same.
 */
export function mergeThreeWay(base: Text, ours: Text, theirs: Text): Merge {
  const [baseLines, ourLines, theirLines] = [base.toJSON(), ours.toJSON(), theirs.toJSON()]
  const merged: string[] = []
  const conflicts: Conflict[] = []
  let at = 0
  for (const region of joinChanges(diffLines(baseLines, ourLines), diffLines(baseLines, theirLines))) {
    for (; at < region.from; at++) merged.push(baseLines[at] ?? '')
    at = region.to
    const from = baseLines.slice(region.from, region.to)
    const mine = ourLines.slice(region.ourFrom, region.ourTo)
    const other = theirLines.slice(region.theirFrom, region.theirTo)
    if (equal(mine, from)) pushAll(merged, other)
    else if (equal(other, from) || equal(mine, other)) pushAll(merged, mine)
    else addConflict(merged, conflicts, from, mine, other)
  }
  for (; at < baseLines.length; at++) merged.push(baseLines[at] ?? '')
  // Both sides may have removed every line; a text has at least one.
  return { text: Text.of(merged.length > 0 ? merged : ['']), conflicts }
}

/** The merged text with both versions of every conflict, between lines of seven `<`, `=` and `>`. */
export function markConflicts(merge: Merge, ourName: string, theirName: string): Text {
  const lines = merge.text.toJSON()
  const marked: string[] = []
  let at = 0
  for (const conflict of merge.conflicts) {
    pushAll(marked, lines.slice(at, conflict.from))
    marked.push(`<<<<<<< ${ourName}`)
    pushAll(marked, lines.slice(conflict.from, conflict.to))
    marked.push('=======')
    pushAll(marked, conflict.theirs)
    marked.push(`>>>>>>> ${theirName}`)
    at = conflict.to
  }
  pushAll(marked, lines.slice(at))
  return Text.of(marked)
}

/** Lines of the base that at least one side changed, and what each side has instead. */
interface Region {
  from: number
  to: number
  ourFrom: number
  ourTo: number
  theirFrom: number
  theirTo: number
}

function joinChanges(ours: readonly LineChange[], theirs: readonly LineChange[]): Region[] {
  const regions: Region[] = []
  let [i, j] = [0, 0]
  // Each side's line offset from the base, outside its changes.
  let [ourShift, theirShift] = [0, 0]
  while (i < ours.length || j < theirs.length) {
    const from = Math.min(ours[i]?.fromA ?? Infinity, theirs[j]?.fromA ?? Infinity)
    const region = {
      from,
      to: from,
      ourFrom: from + ourShift,
      ourTo: 0,
      theirFrom: from + theirShift,
      theirTo: 0,
    }
    for (let grown = true; grown;) {
      grown = false
      for (let change = ours[i]; change && change.fromA <= region.to; change = ours[i]) {
        region.to = Math.max(region.to, change.toA)
        ourShift = change.toB - change.toA
        i++
        grown = true
      }
      for (let change = theirs[j]; change && change.fromA <= region.to; change = theirs[j]) {
        region.to = Math.max(region.to, change.toA)
        theirShift = change.toB - change.toA
        j++
        grown = true
      }
    }
    region.ourTo = region.to + ourShift
    region.theirTo = region.to + theirShift
    regions.push(region)
  }
  return regions
}

/** Lines that both sides have in common at the beginning or end aren't part of the conflict. */
function addConflict(
  merged: string[],
  conflicts: Conflict[],
  base: string[],
  ours: string[],
  theirs: string[],
): void {
  const shorter = Math.min(ours.length, theirs.length)
  let start = 0
  while (start < shorter && ours[start] === theirs[start]) start++
  let end = 0
  while (end < shorter - start && ours[ours.length - 1 - end] === theirs[theirs.length - 1 - end]) end++
  const from = merged.length + start
  pushAll(merged, ours)
  conflicts.push({ from, to: merged.length - end, base, theirs: theirs.slice(start, theirs.length - end) })
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i])
}

/** `push(...lines)` would overflow the stack for a large file. */
function pushAll(target: string[], lines: readonly string[]): void {
  for (const line of lines) target.push(line)
}
