import type { ChangeDesc } from '@codemirror/state'
import { firstIndex } from '../../../../shared/first-index'
import type { Draft } from '../../../../shared/review/draft'
import { foldMargin as margin, shortestFold as shortest } from '../../../../shared/review/draft-head'
import { anchorOf, placeOf } from './hunk-places'

/** A folded stretch of unchanged lines, in the result: the first line's start to the last line's end. */
export interface Fold {
  readonly from: number
  readonly to: number
  readonly lines: number
}

/** The stretches of unchanged lines to fold, but for what ends a mere head. A draft without changes is not folded. */
export function foldUnchanged(draft: Draft, isHead = false): Fold[] {
  const folds: Fold[] = []
  if (draft.hunks.length === 0) return folds
  const doc = draft.b
  let firstFree = 1
  const fold = (first: number, last: number) => {
    if (last - first + 1 < shortest) return
    folds.push({ from: doc.line(first).from, to: doc.line(last).to, lines: last - first + 1 })
  }
  for (const [index, hunk] of draft.hunks.entries()) {
    const lines = placeOf(draft, index).b
    const anchor = lines ? null : anchorOf(doc, hunk.fromB, null)
    // The last line before the change, and the first one after it.
    const before = lines
      ? lines.first - 1
      : doc.lineAt(anchor?.pos ?? 0).number - (anchor?.side === -1 ? 1 : 0)
    const after = lines ? lines.first + lines.count : before + 1
    fold(index === 0 ? 1 : firstFree + margin, before - margin)
    firstFree = Math.max(firstFree, after)
  }
  if (!isHead) fold(firstFree + margin, doc.lines)
  return folds
}

/** The folds after a change of the result; one that a change of the draft has reached is gone. */
export function keepFolds(folds: readonly Fold[], draft: Draft, changes: ChangeDesc): readonly Fold[] {
  if (folds.length === 0) return folds
  const mapped = changes.empty ? folds : folds.flatMap((fold) => mapFold(fold, changes))
  let at = 0
  return mapped.filter((fold) => {
    let hunk = draft.hunks[at]
    while (hunk && hunk.toB <= fold.from) hunk = draft.hunks[++at]
    return !hunk || hunk.fromB > fold.to
  })
}

function mapFold(fold: Fold, changes: ChangeDesc): Fold[] {
  if (changes.touchesRange(fold.from, fold.to)) return []
  return [{ ...fold, from: changes.mapPos(fold.from, 1), to: changes.mapPos(fold.to, -1) }]
}

/** Where a place of the result that no change covers lies in the reference. */
export function placeInReference(draft: Draft, pos: number): number {
  const behind = firstIndex(draft.hunks.length, (index) => (draft.hunks[index]?.toB ?? 0) > pos)
  const before = draft.hunks[behind - 1]
  return before ? before.toA + (pos - before.toB) : pos
}
