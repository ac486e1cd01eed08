import { language } from '@codemirror/language'
import {
  StateField,
  type ChangeDesc,
  type EditorState,
  type Range,
  type RangeSet,
  type Transaction,
} from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import { isEdited, type Draft, type Hunk } from '../../../../shared/review/draft'
import { countOf } from '../../../ui/wording/number-format'
import { FoldLine } from './fold-line'
import { FoldedHunk, type FoldedFacts } from './folded-hunk'
import { type HunkActions, hunkActions } from './hunk-actions'
import { firstRemovedLines, HeadShadow, HunkHead, mostRemovedLines, type HeadSource } from './hunk-head'
import { countLinesOf } from './hunk-lines'
import { anchorOf, placeOf, type HunkPlace } from './hunk-places'
import { followDraft, picture, sideOf, takeDecision, type Picture } from './draft-picture'
import { placeInReference } from './folded-lines'
import { differInSpaceOnly } from './word-marks'

/** The decorations, and each change's head for the next drawing. */
interface Blocks {
  readonly decorations: RangeSet<Decoration>
  readonly heads: ReadonlyMap<number, Head>
}

/** A change's head as it was drawn, `offset` characters behind the start of the change. */
interface Head {
  readonly hunk: Hunk
  readonly decoration: Decoration
  readonly offset: number
}

/** What is drawn between lines and in place of them: heads of changes, decided changes, folded unchanged lines. */
export const blocks = StateField.define<Blocks>({
  create: (state) => drawBlocks(state, null, null),
  update(before, transaction) {
    const isSame =
      isSameIn(transaction, 'draft', 'look', 'opened', 'revealed', 'folds', 'current') &&
      isSameAround(transaction)
    if (isSame) return before
    return drawBlocks(transaction.state, isTyping(transaction) ? before : null, transaction.changes)
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.decorations),
    EditorView.atomicRanges.of((view) => view.state.field(field).decorations),
  ],
})

/** Whether a transaction has left these parts of the picture as they were. */
function isSameIn({ startState, state }: Transaction, ...parts: (keyof Picture)[]): boolean {
  const [before, now] = [startState.field(picture), state.field(picture)]
  return parts.every((part) => before[part] === now[part])
}

function isSameAround({ startState, state }: Transaction): boolean {
  return (
    state.facet(language) === startState.facet(language) &&
    state.facet(hunkActions) === startState.facet(hunkActions)
  )
}

/** Whether only the result's text changed, so that changes which were not touched look as before. */
function isTyping(transaction: Transaction): boolean {
  return (
    transaction.docChanged &&
    isSameIn(transaction, 'look', 'current', 'opened', 'revealed') &&
    isSameAround(transaction) &&
    !transaction.effects.some((effect) => effect.is(takeDecision) || effect.is(followDraft))
  )
}

function drawBlocks(state: EditorState, before: Blocks | null, changes: ChangeDesc | null): Blocks {
  const look = state.field(picture)
  const { draft, folds } = look
  const side = state.facet(sideOf)
  const heads = new Map<number, Head>()
  const found: Range<Decoration>[] = []
  for (const fold of folds) {
    const shift = side === 'a' ? placeInReference(draft, fold.from) - fold.from : 0
    const widget = new FoldLine(fold.from, fold.lines, side === 'a')
    found.push(Decoration.replace({ widget, block: true }).range(fold.from + shift, fold.to + shift))
  }
  let free = 0
  for (const [index, hunk] of draft.hunks.entries()) {
    const known = before?.heads.get(hunk.number)
    if (known && isLike(known.hunk, hunk) && !changes?.touchesRange(known.hunk.fromB, known.hunk.toB)) {
      heads.set(hunk.number, { ...known, hunk })
      found.push(known.decoration.range(hunk.fromB + known.offset))
      continue
    }
    const place = placeOf(draft, index)
    const lines = place[side]
    const folded = describeFolded(state, look, hunk, place)
    if (folded) {
      const widget = new FoldedHunk(folded)
      // Two changes may share a line, which is replaced only once.
      if (lines && !folded.isOpened && (free === 0 || lines.from > free)) {
        found.push(Decoration.replace({ widget, block: true }).range(lines.from, lines.to))
        free = lines.to
        continue
      }
      const anchor = anchorOf(state.doc, side === 'a' ? hunk.fromA : hunk.fromB, lines)
      found.push(Decoration.widget({ widget, block: true, side: anchor.side < 0 ? -3 : 1 }).range(anchor.pos))
    } else if (side === 'a') {
      if (!lines || !hasRows(state, look)) continue
      const widget = new HeadShadow(hunk.number)
      found.push(Decoration.widget({ widget, block: true, side: -1 }).range(lines.from))
    } else {
      const anchor = anchorOf(state.doc, hunk.fromB, lines)
      const widget = makeHead(state, look, hunk, place)
      // Above what fills the room of lines that are not there.
      const decoration = Decoration.widget({ widget, block: true, side: anchor.side < 0 ? -3 : 1 })
      heads.set(hunk.number, { hunk, decoration, offset: anchor.pos - hunk.fromB })
      found.push(decoration.range(anchor.pos))
    }
  }
  return { decorations: Decoration.set(found, true), heads }
}

/** Whether a change is the same but for where it lies. */
function isLike(one: Hunk, other: Hunk): boolean {
  return (
    one.toA - one.fromA === other.toA - other.fromA &&
    one.toB - one.fromB === other.toB - other.fromB &&
    one.decision === other.decision
  )
}

/** What a folded change says; null for one that is shown as a change. */
function describeFolded(state: EditorState, look: Picture, hunk: Hunk, place: HunkPlace): FoldedFacts | null {
  const kind = foldedKind(look, hunk)
  if (kind === null) return null
  const isOpened = look.opened.has(hunk.number)
  return {
    number: hunk.number,
    kind,
    isOwn: hunk.author === 'person',
    isEdited: kind !== 'whitespace' && isEdited(look.draft, hunk),
    isCurrent: look.current === hunk.number,
    size: sizeOf(hunk, place),
    isOpened,
    rejected: isOpened && hunk.decision.kind === 'rejected' ? hunk.decision.was : '',
    canDecide: state.facet(hunkActions)?.canDecide === true,
    isShadow: state.facet(sideOf) === 'a',
  }
}

/** How a change is folded now, if it is. A change of white space only is shown when opened. */
export function foldedKind(look: Picture, hunk: Hunk): FoldedFacts['kind'] | null {
  if (hunk.decision.kind !== 'undecided') return hunk.decision.kind
  return look.look.ignoreWhitespace && !look.opened.has(hunk.number) && isSpaceOnly(look.draft, hunk)
    ? 'whitespace'
    : null
}

function isSpaceOnly(draft: Draft, hunk: Hunk): boolean {
  return differInSpaceOnly(
    draft.a.sliceString(hunk.fromA, hunk.toA),
    draft.b.sliceString(hunk.fromB, hunk.toB),
  )
}

/** The lines that a change has now; those that it had, where it has none now. */
function sizeOf({ decision }: Hunk, place: HunkPlace): string {
  const now = place.b?.count ?? 0
  switch (decision.kind) {
    case 'undecided':
      return countOf(Math.max(now, place.a?.count ?? 0), 'line')
    case 'accepted':
      return now === 0 ? countOf(countLinesOf(decision.was), 'removed line') : countOf(now, 'line')
    case 'rejected':
      return decision.was === '' ? countOf(now, 'removed line') : countOf(countLinesOf(decision.was), 'line')
  }
}

/** Side by side, most lines reach the narrow side's edge, so a change's bar gets its own row. */
function hasRows(state: EditorState, { look }: Picture): boolean {
  return look.layout === 'side-by-side' && state.facet(hunkActions)?.isProposal === true
}

function barOf(actions: HunkActions | null): HeadSource['bar'] {
  if (actions?.hasBars !== true) return 'nothing'
  return actions.canDecide ? 'buttons' : 'words'
}

function makeHead(state: EditorState, look: Picture, hunk: Hunk, place: HunkPlace): HunkHead {
  const removed = look.look.layout === 'unified' ? place.a : null
  const lines = removed?.count ?? 0
  return new HunkHead({
    draft: look.draft,
    hunk,
    removed,
    added: removed ? place.b : null,
    shown: look.revealed.get(hunk.number) ?? (lines > mostRemovedLines ? firstRemovedLines : lines),
    isRow: hasRows(state, look),
    isCurrent: look.current === hunk.number,
    bar: barOf(state.facet(hunkActions)),
    ignoreWhitespace: look.look.ignoreWhitespace,
    language: removed ? state.facet(language) : null,
  })
}
