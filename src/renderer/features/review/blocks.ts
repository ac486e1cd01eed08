import { language } from '@codemirror/language'
import { StateField, type EditorState, type Range, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { isEdited, type Draft, type Hunk } from '../../../shared/draft'
import { countOf } from '../../ui/number-format'
import { FoldLine } from './fold-line'
import { FoldedHunk, type FoldedFacts } from './folded-hunk'
import { hunkActions } from './hunk-actions'
import { firstRemovedLines, HunkHead, mostRemovedLines } from './hunk-head'
import { countLines, countLinesOf, linesIn, placeOf, type Lines } from './hunk-lines'
import { picture, sideOf, type Picture } from './picture'
import { placeInReference } from './unchanged'
import { differInSpaceOnly, longestMarked } from './word-marks'

/** What stands between and instead of lines: heads of changes, decided changes, folded unchanged lines. */
export const blocks = StateField.define<DecorationSet>({
  create: drawBlocks,
  update(before, transaction) {
    const { state, startState } = transaction
    const isSame =
      state.field(picture) === startState.field(picture) &&
      state.facet(language) === startState.facet(language) &&
      state.facet(hunkActions) === startState.facet(hunkActions)
    return isSame ? before : drawBlocks(state)
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => view.state.field(field)),
  ],
})

function drawBlocks(state: EditorState): DecorationSet {
  const { draft, folds } = state.field(picture)
  const side = state.facet(sideOf)
  const found: Range<Decoration>[] = []
  for (const fold of folds) {
    const shift = side === 'a' ? placeInReference(draft, fold.from) - fold.from : 0
    const widget = new FoldLine(fold.from, fold.lines, side === 'a')
    found.push(Decoration.replace({ widget, block: true }).range(fold.from + shift, fold.to + shift))
  }
  let free = 0
  for (const hunk of draft.hunks) {
    for (const range of drawHunk(state, hunk, free)) {
      if (range.to > range.from) free = range.to
      found.push(range)
    }
  }
  return Decoration.set(found, true)
}

/** A change's decorations; nothing in front of `free` is replaced, since two changes may share a line. */
function drawHunk(state: EditorState, hunk: Hunk, free: number): Range<Decoration>[] {
  const side = state.facet(sideOf)
  const [from, to] = side === 'a' ? [hunk.fromA, hunk.toA] : [hunk.fromB, hunk.toB]
  const look = state.field(picture)
  const folded = describeFolded(state, look, hunk)
  const lines = linesIn(state.doc, from, to)
  const place = placeOf(state.doc, from, to)
  if (folded) {
    const widget = new FoldedHunk(folded)
    const canReplace = lines && !folded.isOpened && (free === 0 || lines.from > free)
    if (canReplace) return [Decoration.replace({ widget, block: true }).range(lines.from, lines.to)]
    return [Decoration.widget({ widget, block: true, side: place.side }).range(place.pos)]
  }
  if (side === 'a') return []
  const widget = new HunkHead(describeHead(state, look, hunk))
  return [Decoration.widget({ widget, block: true, side: place.side }).range(place.pos)]
}

/** What a folded change says; null for one that is shown as a change. */
function describeFolded(state: EditorState, look: Picture, hunk: Hunk): FoldedFacts | null {
  const kind = foldedKind(look, hunk)
  if (kind === null) return null
  const { draft } = look
  return {
    number: hunk.number,
    kind,
    isOwn: hunk.author === 'person',
    isEdited: kind !== 'whitespace' && isEdited(draft, hunk),
    isCurrent: look.current === hunk.number,
    size: sizeOf(draft, hunk),
    isOpened: look.opened.has(hunk.number),
    canDecide: state.facet(hunkActions)?.canDecide === true,
    isShadow: state.facet(sideOf) === 'a',
  }
}

/** How a change is folded at present, if it is. A change of white space only is shown when opened. */
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
function sizeOf(draft: Draft, hunk: Hunk): string {
  const now = countLines(draft.b, hunk.fromB, hunk.toB)
  const was = hunk.decision.kind === 'undecided' ? 0 : countLinesOf(hunk.decision.was)
  switch (hunk.decision.kind) {
    case 'undecided':
      return countOf(Math.max(now, countLines(draft.a, hunk.fromA, hunk.toA)), 'line')
    case 'accepted':
      return now === 0 ? countOf(was, 'removed line') : countOf(now, 'line')
    case 'rejected':
      return was === 0 ? countOf(now, 'removed line') : countOf(was, 'line')
  }
}

function describeHead(state: EditorState, look: Picture, hunk: Hunk): HunkHead['facts'] {
  const { draft, current, revealed } = look
  const isUnified = look.look.layout === 'unified'
  const removedLines: Lines | null = isUnified ? linesIn(draft.a, hunk.fromA, hunk.toA) : null
  const lines = removedLines?.count ?? 0
  const isLong = lines > mostRemovedLines
  const shown = revealed.get(hunk.number) ?? (isLong ? firstRemovedLines : lines)
  return {
    number: hunk.number,
    isOwn: hunk.author === 'person',
    isEdited: isEdited(draft, hunk),
    isConflict: hunk.conflict,
    isCurrent: current === hunk.number,
    isVoid:
      hunk.toB - hunk.fromB === hunk.toA - hunk.fromA &&
      draft.a.sliceString(hunk.fromA, hunk.toA) === draft.b.sliceString(hunk.fromB, hunk.toB),
    canDecide: state.facet(hunkActions)?.canDecide === true,
    removed: removedLines ? draft.a.sliceString(removedLines.from, removedLines.to) : null,
    firstLine: removedLines ? draft.a.lineAt(removedLines.from).number : 0,
    lines,
    shown,
    compared: removedLines ? comparedText(draft.b, linesIn(draft.b, hunk.fromB, hunk.toB)) : '',
    ignoreWhitespace: look.look.ignoreWhitespace,
    language: removedLines ? state.facet(language) : null,
  }
}

/** The text that removed lines are compared with; empty when it is too long for word marks. */
function comparedText(doc: Text, lines: Lines | null): string {
  return lines && lines.to - lines.from <= longestMarked ? doc.sliceString(lines.from, lines.to) : ''
}
