import { type Range, RangeSet, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  GutterMarker,
  gutter,
  type PluginValue,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { firstIndex } from '../../../../shared/first-index'
import type { Hunk } from '../../../../shared/review/draft'
import { foldedKind } from './text-blocks'
import { HunkHead } from './hunk-head'
import { linesIn } from './hunk-lines'
import { picture, sideOf } from './draft-picture'
import { canMarkWords, markWords } from './word-marks'

const classes = { a: 'gl-removed', b: 'gl-added', underBar: 'gl-added gl-first' }
const wordClasses = { a: 'gl-removed-word', b: 'gl-added-word' }
const wordMarks = {
  a: Decoration.mark({ class: wordClasses.a }),
  b: Decoration.mark({ class: wordClasses.b }),
}

function signMark(side: 'a' | 'b', sign: string): Decoration {
  return Decoration.mark({ class: wordClasses[side], attributes: { 'data-sign': sign } })
}

/** Colours the visible lines of undecided changes and the words that differ in them. */
export const lineMarks = ViewPlugin.define<LineMarks>(
  (view) => {
    let drawn = drawLines(view)
    return {
      get decorations() {
        return drawn.decorations
      },
      get stripes() {
        return drawn.stripes
      },
      update(update: ViewUpdate) {
        const isSame = update.state.field(picture) === update.startState.field(picture)
        if (!isSame || update.docChanged || update.viewportChanged) drawn = drawLines(update.view)
      },
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

interface LineMarks extends PluginValue {
  readonly decorations: DecorationSet
  readonly stripes: RangeSet<GutterMarker>
}

function drawLines(view: EditorView): Pick<LineMarks, 'decorations' | 'stripes'> {
  const { state } = view
  const { doc } = state
  const look = state.field(picture)
  const side = state.facet(sideOf)
  const found: Range<Decoration>[] = []
  const striped: Range<GutterMarker>[] = []
  for (const hunk of hunksBetween(look.draft.hunks, side, view.viewport.from, view.viewport.to)) {
    if (foldedKind(look, hunk) !== null) continue
    const a = linesIn(look.draft.a, hunk.fromA, hunk.toA)
    const b = linesIn(look.draft.b, hunk.fromB, hunk.toB)
    const lines = side === 'a' ? a : b
    if (!lines) continue
    const isUnderBar = !a && look.look.layout === 'unified'
    const current = look.current === hunk.number ? ' gl-current' : ''
    const conflict = hunk.conflict ? ' gl-conflict' : ''
    const from = Math.max(lines.from, view.viewport.from)
    const to = Math.min(lines.to, view.viewport.to)
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      const name = isUnderBar && line.from === lines.from ? classes.underBar : classes[side]
      found.push(Decoration.line({ class: name + current + conflict }).range(line.from))
      striped.push(stripes[side].range(line.from))
      if (line.to >= to || line.number === doc.lines) break
    }
    if (!a || !b || !canMarkWords(a, b)) continue
    const before = look.draft.a.sliceString(a.from, a.to)
    const words = markWords(before, look.draft.b.sliceString(b.from, b.to))
    for (const { from: start, to: end, sign } of words[side]) {
      if (sign !== undefined && look.look.ignoreWhitespace) continue
      const mark = sign === undefined ? wordMarks[side] : signMark(side, sign)
      found.push(mark.range(lines.from + start, lines.from + end))
    }
  }
  return { decorations: Decoration.set(found, true), stripes: RangeSet.of(striped, true) }
}

/** The changes that reach into a range of one document; found by halving, there may be ten thousands. */
export function hunksBetween(
  hunks: readonly Hunk[],
  side: 'a' | 'b',
  from: number,
  to: number,
): readonly Hunk[] {
  const start = (hunk: Hunk) => (side === 'a' ? hunk.fromA : hunk.fromB)
  const end = (hunk: Hunk) => (side === 'a' ? hunk.toA : hunk.toB)
  const first = firstIndex(hunks.length, (index) => {
    const hunk = hunks[index]
    return !hunk || end(hunk) >= from
  })
  let last = first
  for (let hunk = hunks[last]; hunk && start(hunk) <= to; hunk = hunks[++last]);
  return hunks.slice(first, last)
}

class Stripe extends GutterMarker {
  constructor(override readonly elementClass: string) {
    super()
  }
}
const stripes = { a: new Stripe('gl-stripe-removed'), b: new Stripe('gl-stripe-added') }

class LineNumber extends GutterMarker {
  constructor(readonly number: number) {
    super()
  }

  override eq(other: LineNumber): boolean {
    return this.number === other.number
  }

  override toDOM(): Node {
    return document.createTextNode(String(this.number))
  }
}

/** The reference's line numbers beside the lines that a change removes; none of them where those are wrapped. */
class RemovedNumbers extends GutterMarker {
  override readonly elementClass = stripes.a.elementClass

  constructor(
    readonly first: number,
    readonly count: number,
  ) {
    super()
  }

  override eq(other: RemovedNumbers): boolean {
    return this.first === other.first && this.count === other.count
  }

  override toDOM(): Node {
    const dom = document.createElement('div')
    dom.className = 'gl-removed-numbers'
    dom.textContent = Array.from({ length: this.count }, (_, index) => this.first + index).join('\n')
    return dom
  }
}

const lastNumber = (doc: Text) => new LineNumber(doc.lines)

/**
 * The numbers of the lines, with a stripe beside those of undecided changes. One gutter for both: each has an element
 * for every line, which is most of what a line costs.
 */
export const numberGutter = gutter({
  class: 'cm-lineNumbers',
  markers: (view) => view.plugin(lineMarks)?.stripes ?? RangeSet.empty,
  lineMarker: (view, line) => new LineNumber(view.state.doc.lineAt(line.from).number),
  widgetMarker(view, widget) {
    const removed = widget instanceof HunkHead ? widget.source.removed : null
    if (!(widget instanceof HunkHead) || !removed) return null
    // Only as long as lines are not wrapped each has the height of one.
    return new RemovedNumbers(
      removed.first,
      view.lineWrapping ? 0 : Math.min(removed.count, widget.source.shown),
    )
  },
  initialSpacer: (view) => lastNumber(view.state.doc),
  updateSpacer: (spacer, { docChanged, state }) => (docChanged ? lastNumber(state.doc) : spacer),
})
