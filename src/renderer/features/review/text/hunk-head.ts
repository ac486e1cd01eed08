import { language, highlightingFor, type Language } from '@codemirror/language'
import { WidgetType, type EditorView } from '@codemirror/view'
import { highlightTree } from '@lezer/highlight'
import { isEdited, type Draft, type Hunk } from '../../../../shared/review/draft'
import { countOf } from '../../../ui/wording/number-format'
import { hunkActions, makeButton, makePart } from './hunk-actions'
import { type HunkBar, makeHunkBar, makeHunkWords } from './hunk-bar'
import type { Lines } from './hunk-lines'
import { canMarkWords, markWords, type WordSpan } from './word-marks'

/** What a change's head is made from. */
export interface HeadSource {
  readonly draft: Draft
  readonly hunk: Hunk
  /** The reference's lines of the change, shown above the result's; null side by side and for mere insertions. */
  readonly removed: Lines | null
  /** The result's lines, with which the removed ones are compared word by word. */
  readonly added: Lines | null
  /** It has its own row, where its bar covers no line. */
  readonly isRow: boolean
  /** How many of the removed lines are shown. */
  readonly shown: number
  readonly isCurrent: boolean
  /** What its bar holds now. */
  readonly bar: 'nothing' | 'words' | 'buttons'
  readonly ignoreWhitespace: boolean
  /** Only so that it is drawn again when a language has been loaded. */
  readonly language: Language | null
}

/** What it says, computed when it is drawn: most heads never are. */
interface HeadFacts {
  readonly removed: string | null
  readonly compared: string
  readonly isEdited: boolean
  /** The person typed the old text. */
  readonly isVoid: boolean
}

/** A change that removes more lines than this shows its first ones and a button for the rest. */
export const mostRemovedLines = 500
/** How many lines it shows at first then, and how many more at each press. */
export const firstRemovedLines = 40
export const moreRemovedLines = 2000
/** In pixels; as a decided change, so that deciding moves nothing. */
const rowHeight = 26
const longestHighlighted = 3000
const longestLine = 5000
const shownBeforeMark = 1000

/** In front of an undecided change: its bar with the buttons, and the lines that it removes. */
export class HunkHead extends WidgetType {
  #facts: HeadFacts | null = null

  constructor(readonly source: HeadSource) {
    super()
  }

  get facts(): HeadFacts {
    this.#facts ??= findFacts(this.source)
    return this.#facts
  }

  override eq(other: HunkHead): boolean {
    return this.#hasSameBar(other) && this.#hasSameText(other)
  }

  #hasSameText(other: HunkHead): boolean {
    const [one, two] = [this.source, other.source]
    return (
      one.hunk.number === two.hunk.number &&
      one.removed?.first === two.removed?.first &&
      one.removed?.count === two.removed?.count &&
      one.shown === two.shown &&
      one.isRow === two.isRow &&
      one.ignoreWhitespace === two.ignoreWhitespace &&
      one.language === two.language &&
      (this.#hasSameFacts(other) ||
        (this.facts.removed === other.facts.removed && this.facts.compared === other.facts.compared))
    )
  }

  /** Whether both say the same, without computing it. */
  #hasSameFacts(other: HunkHead): boolean {
    const [one, two] = [this.source, other.source]
    return one.hunk === two.hunk && one.draft.a === two.draft.a && one.draft.b === two.draft.b
  }

  #hasSameBar(other: HunkHead): boolean {
    const [one, two] = [this.source, other.source]
    return (
      one.hunk.author === two.hunk.author &&
      one.hunk.conflict === two.hunk.conflict &&
      one.isCurrent === two.isCurrent &&
      one.bar === two.bar &&
      (this.#hasSameFacts(other) ||
        (this.facts.isEdited === other.facts.isEdited && this.facts.isVoid === other.facts.isVoid))
    )
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = makePart(this.source.isRow ? 'gl-head gl-head-row' : 'gl-head', '', 'div')
    if (this.source.bar !== 'nothing') dom.append(makeHunkBar(this.#bar, view))
    if (this.facts.removed !== null) dom.append(makeRemoved(this, this.facts.removed, view))
    this.#mark(dom)
    return dom
  }

  /** The bar changes in place, so that a button keeps the focus. */
  override updateDOM(dom: HTMLElement, view: EditorView, from: WidgetType): boolean {
    if (!(from instanceof HunkHead) || !this.#hasSameText(from)) return false
    const bar = dom.querySelector(':scope > .gl-bar')
    if (from.source.bar === this.source.bar)
      bar?.querySelector('.gl-bar-words')?.replaceWith(makeHunkWords(this.#bar))
    else {
      bar?.remove()
      if (this.source.bar !== 'nothing') dom.prepend(makeHunkBar(this.#bar, view))
    }
    this.#mark(dom)
    return true
  }

  get #bar(): HunkBar {
    const { hunk, isRow, bar } = this.source
    const { isEdited, isVoid } = this.facts
    return { hunk, isRow, hasButtons: bar === 'buttons', isEdited, isVoid }
  }

  #mark(dom: HTMLElement): void {
    dom.dataset['hunk'] = String(this.source.hunk.number)
    dom.classList.toggle('gl-current', this.source.isCurrent)
    dom.classList.toggle('gl-conflict', this.source.hunk.conflict)
  }

  override get estimatedHeight(): number {
    const { removed, shown, isRow } = this.source
    if (isRow) return rowHeight
    return removed === null ? 0 : Math.min(removed.count, shown) * 20 + (removed.count > shown ? 26 : 0)
  }
}

/** In the reference's editor, the space beside a change's row. */
export class HeadShadow extends WidgetType {
  constructor(readonly number: number) {
    super()
  }

  override eq(other: HeadShadow): boolean {
    return this.number === other.number
  }

  override toDOM(): HTMLElement {
    const dom = makePart('gl-head gl-head-row', '', 'div')
    dom.setAttribute('aria-hidden', 'true')
    return dom
  }

  override get estimatedHeight(): number {
    return rowHeight
  }
}

function findFacts({ draft, hunk, removed, added }: HeadSource): HeadFacts {
  const isCompared = removed !== null && added !== null && canMarkWords(removed, added)
  const isVoid =
    hunk.toB - hunk.fromB === hunk.toA - hunk.fromA &&
    draft.a.sliceString(hunk.fromA, hunk.toA) === draft.b.sliceString(hunk.fromB, hunk.toB)
  return {
    removed: removed ? draft.a.sliceString(removed.from, removed.to) : null,
    compared: isCompared ? draft.b.sliceString(added.from, added.to) : '',
    isEdited: isEdited(draft, hunk),
    isVoid,
  }
}

function makeRemoved(head: HunkHead, all: string, view: EditorView): HTMLElement {
  const { facts, source } = head
  const [first, count] = [source.removed?.first ?? 1, source.removed?.count ?? 0]
  const dom = makePart('gl-removed-lines', '', 'div')
  const isWhole = count <= source.shown
  const text = isWhole ? all : all.slice(0, endOfLine(all, source.shown))
  const spans = highlight(text, view)
  const marks = markWords(all, facts.compared).a.filter(
    ({ sign }) => sign === undefined || !source.ignoreWhitespace,
  )
  let at = 0
  for (const line of text.split('\n')) {
    const element = makePart('gl-removed-line', '', 'div')
    element.dataset['line'] = String(first + dom.childElementCount)
    const content = document.createElement('del')
    const from = firstShown(line.length, at, marks)
    const end = at + Math.min(line.length, from + longestLine)
    if (from > 0) content.append(makePassed(from))
    appendStyled(content, text, at + from, end, spans, marks)
    if (at + line.length > end) {
      content.append(makePart('gl-more', `… ${countOf(at + line.length - end, 'more character')}`))
    }
    if (line === '') content.append(document.createElement('br'))
    element.append(content)
    dom.append(element)
    at += line.length + 1
  }
  if (!isWhole) dom.append(makeMore(source, count, view))
  return dom
}

/** The first character shown of a line of `length` at `at`: in a long one, a little before its first mark. */
function firstShown(length: number, at: number, marks: readonly WordSpan[]): number {
  const mark = marks.find(({ from, to }) => to > at && from < at + length)
  if (length <= longestLine || !mark) return 0
  return Math.min(Math.max(0, mark.from - at - shownBeforeMark), length - longestLine)
}

/** As wide as the characters that it replaces, so that what follows lies where it does in the other text. */
function makePassed(characters: number): HTMLElement {
  const passed = makePart('gl-passed', '')
  passed.append(makePart('gl-more', `${countOf(characters, 'character')} …`))
  passed.style.setProperty('--passed', String(characters))
  return passed
}

function makeMore({ hunk, shown }: HeadSource, count: number, view: EditorView): HTMLElement {
  const rest = countOf(count - shown, 'more removed line')
  const more = makeButton(rest, `Show ${rest} of change ${hunk.number}`, () => {
    view.state.facet(hunkActions)?.reveal(hunk.number, shown + moreRemovedLines)
  })
  more.className = 'gl-fold'
  return more
}

function endOfLine(text: string, lines: number): number {
  let at = -1
  for (let i = 0; i < lines; i++) {
    const next = text.indexOf('\n', at + 1)
    if (next < 0) return text.length
    at = next
  }
  return at
}

interface Styled {
  from: number
  to: number
  className: string
}

function highlight(text: string, view: EditorView): Styled[] {
  const spans: Styled[] = []
  const parser = text.length <= longestHighlighted ? view.state.facet(language)?.parser : undefined
  if (!parser) return spans
  highlightTree(
    parser.parse(text),
    { style: (tags) => highlightingFor(view.state, tags) },
    (from, to, className) => spans.push({ from, to, className }),
  )
  return spans
}

/** Appends a piece of text, cut where a highlight or a word mark begins or ends. */
function appendStyled(
  parent: HTMLElement,
  text: string,
  from: number,
  to: number,
  spans: readonly Styled[],
  marks: readonly WordSpan[],
): void {
  const inside = <S extends WordSpan>(list: readonly S[]) =>
    list.filter((span) => span.from < to && span.to > from)
  const styled = inside(spans)
  const marked = inside(marks)
  const cuts = new Set([from, to])
  for (const span of [...styled, ...marked]) {
    cuts.add(Math.max(from, span.from))
    cuts.add(Math.min(to, span.to))
  }
  const places = [...cuts].sort((one, two) => one - two)
  for (const [index, start] of places.entries()) {
    const end = places[index + 1]
    if (end === undefined) break
    const classes = styled
      .filter((span) => span.from <= start && span.to >= end)
      .map((span) => span.className)
    const mark = marked.find((span) => span.from <= start && span.to >= end)
    if (mark) classes.push('gl-removed-word')
    if (classes.length === 0) {
      parent.append(text.slice(start, end))
      continue
    }
    const part = makePart(classes.join(' '), text.slice(start, end))
    if (mark?.sign !== undefined) part.dataset['sign'] = mark.sign
    parent.append(part)
  }
}
