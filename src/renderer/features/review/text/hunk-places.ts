import type { Text } from '@codemirror/state'
import type { Draft, Hunk } from '../../../../shared/review/draft'
import { linesIn, type Lines } from './hunk-lines'
import { canMarkWords, commonStart } from './word-marks'

/** Where a change lies in both documents; null on a side where it has no lines. */
export interface HunkPlace {
  readonly a: Lines | null
  readonly b: Lines | null
}

const none: HunkPlace = { a: null, b: null }
const known = new WeakMap<readonly Hunk[], (HunkPlace | undefined)[]>()

/** The place of a draft's change, by its index. Looked up once for a draft and when asked for. */
export function placeOf(draft: Draft, index: number): HunkPlace {
  let places = known.get(draft.hunks)
  if (!places) {
    places = []
    known.set(draft.hunks, places)
  }
  const found = places[index]
  if (found) return found
  const hunk = draft.hunks[index]
  if (!hunk) return none
  const place = {
    a: linesIn(draft.a, hunk.fromA, hunk.toA),
    b: linesIn(draft.b, hunk.fromB, hunk.toB),
  }
  places[index] = place
  return place
}

/** Where something that stands for a change itself is put: in front of its lines, or where they would be. */
export function anchorOf(doc: Text, from: number, lines: Lines | null): { pos: number; side: -1 | 1 } {
  if (lines) return { pos: lines.from, side: -1 }
  const line = doc.lineAt(from)
  return from === line.from ? { pos: from, side: -1 } : { pos: line.to, side: 1 }
}

/** Where the result's text of a change begins to differ, which in a long line is far to the right. */
export function differenceIn({ a, b }: Draft, { decision, fromA, toA, fromB, toB }: Hunk): number {
  const [before, after] = [linesIn(a, fromA, toA), linesIn(b, fromB, toB)]
  const { pos } = anchorOf(b, fromB, after)
  if (!before || !after || decision.kind !== 'undecided' || !canMarkWords(before, after)) return pos
  return pos + commonStart(a.sliceString(before.from, before.to), b.sliceString(after.from, after.to))
}
