import { type Range, StateEffect, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, type ViewUpdate, WidgetType } from '@codemirror/view'
import type { Draft, Hunk } from '../../../../shared/review/draft'
import type { Disposable } from '../../../../shared/lifetime'
import { FoldedHunk } from './folded-hunk'
import { HeadShadow, HunkHead } from './hunk-head'
import { picture } from './draft-picture'

/** Empty, hatched space that keeps equal lines of two editors at one height. */
class Filler extends WidgetType {
  constructor(readonly height: number) {
    super()
  }

  override eq(other: Filler): boolean {
    return this.height === other.height
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement('div')
    dom.className = 'gl-filler'
    dom.style.height = `${this.height}px`
    return dom
  }

  override updateDOM(dom: HTMLElement): boolean {
    dom.style.height = `${this.height}px`
    return true
  }

  override get estimatedHeight(): number {
    return this.height
  }

  override ignoreEvent(): boolean {
    return false
  }
}

/** A filler's place and height in pixels. */
interface Space {
  pos: number
  height: number
  side: 2 | -2
}

const setFillers = StateEffect.define<readonly Space[]>()

/** The fillers of one editor. */
export const fillers = StateField.define<{ spaces: readonly Space[]; decorations: DecorationSet }>({
  create: () => ({ spaces: [], decorations: Decoration.none }),
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setFillers)) return { spaces: effect.value, decorations: drawFillers(effect.value) }
    }
    if (!transaction.docChanged || before.spaces.length === 0) return before
    const spaces = before.spaces.map((space) => ({
      ...space,
      pos: transaction.changes.mapPos(space.pos, space.side),
    }))
    return { spaces, decorations: drawFillers(spaces) }
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
})

function drawFillers(spaces: readonly Space[]): DecorationSet {
  const found: Range<Decoration>[] = spaces.map(({ pos, height, side }) =>
    Decoration.widget({ widget: new Filler(height), block: true, side }).range(pos),
  )
  return Decoration.set(found, true)
}

/** Differences below this many pixels are left alone. */
const tolerance = 0.5
/** Filling changes heights, which asks for filling again: at most this many times without a frame between. */
const mostRounds = 4

/**
 * Keeps the equal lines of the reference (a) and the result (b) at one height. After every change it compares the
 * heights at which the lines behind each change begin and fills the side that is behind. Heights of lines that were
 * never drawn are the editors' guesses; they are corrected as the lines come into view.
 */
export class Alignment implements Disposable {
  readonly #a: EditorView
  readonly #b: EditorView
  /** At first it waits for a frame: neither editor has been measured. */
  #rounds = mostRounds
  #frame = 0
  #isAligning = false

  constructor(a: EditorView, b: EditorView) {
    this.#a = a
    this.#b = b
    this.#request()
  }

  /** To be called for each update of either editor. */
  hear(update: ViewUpdate): void {
    const isOwn = update.transactions.some((each) => each.effects.some((effect) => effect.is(setFillers)))
    const isMoved = update.heightChanged || update.viewportChanged
    if (!isMoved || isOwn || this.#isAligning) return
    if (this.#rounds < mostRounds) this.#align()
    this.#request()
  }

  /** Aligns again when the browser has laid out what was drawn. */
  #request(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      this.#rounds = 0
      this.#align()
    })
  }

  #align(): void {
    const [a, b] = [this.#a, this.#b]
    const { draft } = b.state.field(picture)
    // In the middle of a change the two are out of step; the next update comes at once.
    if (draft.a.length !== a.state.doc.length || draft.b.length !== b.state.doc.length) return
    this.#rounds++
    const wanted = computeFillers(a, b, draft)
    this.#isAligning = true
    try {
      if (differ(wanted.a, a.state.field(fillers).spaces)) a.dispatch({ effects: setFillers.of(wanted.a) })
      if (differ(wanted.b, b.state.field(fillers).spaces)) b.dispatch({ effects: setFillers.of(wanted.b) })
    } finally {
      this.#isAligning = false
    }
  }

  /** Stops, and takes the fillers out of the result's editor, which stays. */
  dispose(): void {
    cancelAnimationFrame(this.#frame)
    this.#isAligning = true
    this.#b.dispatch({ effects: setFillers.of([]) })
  }
}

function computeFillers(a: EditorView, b: EditorView, draft: Draft): { a: Space[]; b: Space[] } {
  const wanted = { a: [] as Space[], b: [] as Space[] }
  const naturalA = new NaturalHeights(a)
  const naturalB = new NaturalHeights(b)
  let [addedA, addedB] = [0, 0]
  for (const point of alignedPoints(a, b, draft)) {
    const difference =
      naturalA.topOf(point.a, point.change) + addedA - (naturalB.topOf(point.b, point.change) + addedB)
    if (difference < -tolerance) {
      wanted.a.push({ pos: point.a, height: -difference, side: -2 })
      addedA -= difference
    } else if (difference > tolerance) {
      wanted.b.push({ pos: point.b, height: difference, side: -2 })
      addedB += difference
    }
  }
  const rest = naturalA.total + addedA - (naturalB.total + addedB)
  if (rest < -tolerance) wanted.a.push({ pos: a.state.doc.length, height: -rest, side: 2 })
  else if (rest > tolerance) wanted.b.push({ pos: b.state.doc.length, height: rest, side: 2 })
  return wanted
}

/** Heights as they would be without fillers. Places must be asked for in order. */
class NaturalHeights {
  readonly #view: EditorView
  readonly #spaces: readonly Space[]
  #index = 0
  #filled = 0

  constructor(view: EditorView) {
    this.#view = view
    this.#spaces = view.state.field(fillers).spaces
  }

  /** Of the line at `pos`; the row of `change`, which has no lines of its own here, is above that. */
  topOf(pos: number, change: number | null): number {
    for (
      let space = this.#spaces[this.#index];
      space && space.pos < pos;
      space = this.#spaces[++this.#index]
    ) {
      this.#filled += space.height
    }
    const block = this.#view.lineBlockAt(pos)
    const parts = typeof block.type === 'number' ? [] : block.type
    const rows = parts.filter(({ widget }) => isRowOf(widget, change))
    return block.top + rows.reduce((sum, { height }) => sum + height, 0) - this.#filled
  }

  get total(): number {
    return this.#view.contentHeight - this.#spaces.reduce((sum, space) => sum + space.height, 0)
  }
}

function isRowOf(widget: WidgetType | null, change: number | null): boolean {
  if (widget instanceof HunkHead) return widget.source.hunk.number === change
  if (widget instanceof HeadShadow) return widget.number === change
  return widget instanceof FoldedHunk && widget.facts.number === change
}

interface Point {
  readonly a: number
  readonly b: number
  /** The change that ends here, by number. */
  readonly change: number | null
}

const knownPoints = new WeakMap<readonly Hunk[], readonly Point[]>()

/** Where equal lines begin behind each change, found once for a draft. */
function pointsBehind({ a, b, hunks }: Draft): readonly Point[] {
  const known = knownPoints.get(hunks)
  if (known) return known
  const points = hunks.flatMap(({ toA, toB, number }) =>
    startsLine(a, toA) && startsLine(b, toB) ? [{ a: toA, b: toB, change: number }] : [],
  )
  knownPoints.set(hunks, points)
  return points
}

/** Where equal lines begin on both sides: behind each change, and at the top of what is visible. */
function alignedPoints(a: EditorView, b: EditorView, draft: Draft): readonly Point[] {
  const points = pointsBehind(draft)
  const top = b.viewport.from
  const index = points.findIndex((point) => point.b >= top)
  const at = index < 0 ? points.length : index
  const before = points[at - 1] ?? { a: 0, b: 0, change: null }
  const hunk = draft.hunks.find(({ toB }) => toB > before.b)
  const topA = before.a + (top - before.b)
  const isUnchanged = top > before.b && top < (hunk?.fromB ?? draft.b.length) && topA < a.state.doc.length
  if (!isUnchanged || !startsLine(draft.a, topA) || !startsLine(draft.b, top)) return points
  return [...points.slice(0, at), { a: topA, b: top, change: null }, ...points.slice(at)]
}

function startsLine(doc: Text, pos: number): boolean {
  return pos === 0 || doc.sliceString(pos - 1, pos) === '\n'
}

function differ(wanted: readonly Space[], had: readonly Space[]): boolean {
  return (
    wanted.length !== had.length ||
    wanted.some((space, i) => {
      const other = had[i]
      return !other || other.pos !== space.pos || Math.abs(other.height - space.height) > tolerance
    })
  )
}
