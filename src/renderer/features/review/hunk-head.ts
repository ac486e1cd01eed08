import { language, highlightingFor, type Language } from '@codemirror/language'
import { WidgetType, type EditorView } from '@codemirror/view'
import { highlightTree } from '@lezer/highlight'
import { countOf } from '../../ui/number-format'
import { hunkActions, makeButton, makePart } from './hunk-actions'
import { markWords, type Span } from './word-marks'

/** What a change's head says and shows. */
export interface HeadFacts {
  readonly number: number
  readonly isOwn: boolean
  readonly isEdited: boolean
  readonly isConflict: boolean
  readonly isCurrent: boolean
  /** What is the same as before though edited: the person typed the old text. */
  readonly isVoid: boolean
  readonly canDecide: boolean
  /** The reference's lines of the change, shown above the result's; null side by side and for mere insertions. */
  readonly removed: string | null
  /** Line numbers of the reference begin here. */
  readonly firstLine: number
  readonly lines: number
  /** How many of the removed lines are shown. */
  readonly shown: number
  /** The result's lines, with which the removed ones are compared word by word. */
  readonly compared: string
  readonly ignoreWhitespace: boolean
  /** Only to be drawn again when a language has been loaded. */
  readonly language: Language | null
}

/** A change that removes more lines than this shows its first ones and a button for the rest. */
export const mostRemovedLines = 500
/** So many it shows at first then, and so many more at each press. */
export const firstRemovedLines = 40
export const moreRemovedLines = 2000
const longestHighlighted = 3000
const longestLine = 5000

/** Stands in front of an undecided change: its bar with the buttons, and the lines that it removes. */
export class HunkHead extends WidgetType {
  constructor(readonly facts: HeadFacts) {
    super()
  }

  override eq(other: HunkHead): boolean {
    return this.#hasSameText(other) && this.#hasSameBar(other)
  }

  #hasSameText(other: HunkHead): boolean {
    const [one, two] = [this.facts, other.facts]
    return (
      one.number === two.number &&
      one.removed === two.removed &&
      one.firstLine === two.firstLine &&
      one.shown === two.shown &&
      one.compared === two.compared &&
      one.ignoreWhitespace === two.ignoreWhitespace &&
      one.language === two.language
    )
  }

  #hasSameBar(other: HunkHead): boolean {
    const [one, two] = [this.facts, other.facts]
    return (
      one.isOwn === two.isOwn &&
      one.isEdited === two.isEdited &&
      one.isConflict === two.isConflict &&
      one.isCurrent === two.isCurrent &&
      one.isVoid === two.isVoid &&
      one.canDecide === two.canDecide
    )
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = makePart('gl-head', '', 'div')
    dom.append(makeBar(this.facts, view))
    if (this.facts.removed !== null) dom.append(makeRemoved(this.facts, view))
    this.#mark(dom)
    return dom
  }

  /** The bar changes in place, so that a button keeps the focus. */
  override updateDOM(dom: HTMLElement, view: EditorView, from: WidgetType): boolean {
    if (!(from instanceof HunkHead) || !this.#hasSameText(from)) return false
    const bar = dom.firstElementChild
    if (from.facts.canDecide !== this.facts.canDecide || !bar) {
      bar?.replaceWith(makeBar(this.facts, view))
    } else {
      bar.querySelector('.gl-bar-words')?.replaceWith(makeWords(this.facts))
    }
    this.#mark(dom)
    return true
  }

  #mark(dom: HTMLElement): void {
    dom.dataset['hunk'] = String(this.facts.number)
    dom.classList.toggle('gl-current', this.facts.isCurrent)
    dom.classList.toggle('gl-conflict', this.facts.isConflict)
  }

  override get estimatedHeight(): number {
    const { removed, lines, shown } = this.facts
    return removed === null ? 0 : Math.min(lines, shown) * 20 + (lines > shown ? 24 : 0)
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function makeBar(facts: HeadFacts, view: EditorView): HTMLElement {
  const bar = makePart('gl-bar', '', 'div')
  bar.append(makeWords(facts))
  const actions = view.state.facet(hunkActions)
  if (actions && facts.canDecide) {
    const { number } = facts
    const accept = makeButton('', `Accept change ${number}`, () => actions.accept(number))
    const reject = makeButton('', `Reject change ${number}`, () => actions.reject(number))
    accept.className = 'gl-bar-accept'
    accept.title = `Accept change ${number}`
    accept.append(makePart('gl-bar-sign', '✓'), makePart('gl-bar-verb', 'Accept'))
    reject.className = 'gl-bar-reject'
    reject.title = `Reject change ${number}`
    reject.append(makePart('gl-bar-sign', '✕'), makePart('gl-bar-verb', 'Reject'))
    bar.append(accept, reject)
  }
  return bar
}

function makeWords(facts: HeadFacts): HTMLElement {
  const words = makePart('gl-bar-words')
  if (facts.isConflict) words.append(makePart('gl-bar-word gl-bar-conflict', 'Conflict'))
  if (facts.isOwn) words.append(makePart('gl-bar-word', 'Yours'))
  else if (facts.isEdited)
    words.append(makePart('gl-bar-word', facts.isVoid ? 'Edited, as before' : 'Edited'))
  words.append(makePart('gl-bar-number', String(facts.number)))
  return words
}

function makeRemoved(facts: HeadFacts, view: EditorView): HTMLElement {
  const dom = makePart('gl-removed-lines', '', 'div')
  const all = facts.removed ?? ''
  const isWhole = facts.lines <= facts.shown
  const text = isWhole ? all : all.slice(0, endOfLine(all, facts.shown))
  const spans = highlight(text, view)
  const marks = markWords(all, facts.compared).a.filter(
    ({ from, to }) => !facts.ignoreWhitespace || all.slice(from, to).trim() !== '',
  )
  let at = 0
  for (const line of text.split('\n')) {
    const element = makePart('gl-removed-line', '', 'div')
    element.dataset['line'] = String(facts.firstLine + dom.childElementCount)
    const content = document.createElement('del')
    const end = at + Math.min(line.length, longestLine)
    appendStyled(content, text, at, end, spans, marks)
    if (line.length > longestLine) {
      content.append(makePart('gl-more', `… ${countOf(line.length - longestLine, 'more character')}`))
    }
    if (line === '') content.append(document.createElement('br'))
    element.append(content)
    dom.append(element)
    at += line.length + 1
  }
  if (!isWhole) dom.append(makeMore(facts, view))
  return dom
}

function makeMore(facts: HeadFacts, view: EditorView): HTMLElement {
  const rest = countOf(facts.lines - facts.shown, 'more removed line')
  const name = `Show ${rest} of change ${facts.number}`
  const more = makeButton(rest, name, () => {
    view.state.facet(hunkActions)?.reveal(facts.number, facts.shown + moreRemovedLines)
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
  marks: readonly Span[],
): void {
  const inside = (list: readonly { from: number; to: number }[]) =>
    list.filter((span) => span.from < to && span.to > from)
  const styled = inside(spans) as Styled[]
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
    if (marked.some((span) => span.from <= start && span.to >= end)) classes.push('gl-removed-word')
    if (classes.length === 0) parent.append(text.slice(start, end))
    else parent.append(makePart(classes.join(' '), text.slice(start, end)))
  }
}
