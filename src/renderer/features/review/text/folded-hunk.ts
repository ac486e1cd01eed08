import { WidgetType, type EditorView } from '@codemirror/view'
import { shallow } from 'zustand/vanilla/shallow'
import { countOf } from '../../../ui/wording/number-format'
import { hunkActions, makeButton, makePart } from './hunk-actions'
import { countLinesOf } from './hunk-lines'

/** What the line in place of a change says. */
export interface FoldedFacts {
  readonly number: number
  readonly kind: 'accepted' | 'rejected' | 'whitespace'
  readonly isOwn: boolean
  readonly isEdited: boolean
  readonly isCurrent: boolean
  /** How much of the file it is about, such as "3 lines". */
  readonly size: string
  /** Its lines are shown below. */
  readonly isOpened: boolean
  /** What was rejected, to be shown above the lines that stand instead; empty while it is not opened. */
  readonly rejected: string
  readonly canDecide: boolean
  /** In the reference's editor the line only keeps the place. */
  readonly isShadow: boolean
}

/** More lines than this are counted, not shown. */
const mostRejectedLines = 500
/** More characters of a line than this are not shown. */
const longestLine = 5000

const titles = { accepted: 'Accepted', rejected: 'Rejected', whitespace: 'Whitespace only' }

/** One line in place of a decided change, or of one of white space only while such are hidden. */
export class FoldedHunk extends WidgetType {
  constructor(readonly facts: FoldedFacts) {
    super()
  }

  override eq(other: FoldedHunk): boolean {
    return shallow(this.facts, other.facts)
  }

  override toDOM(view: EditorView): HTMLElement {
    const { facts } = this
    const dom = makePart(`gl-folded gl-folded-${facts.kind}`, '', 'div')
    if (facts.isShadow) {
      dom.setAttribute('aria-hidden', 'true')
      return dom
    }
    const line = makePart('gl-folded-line', '', 'div')
    line.append(makePart('gl-folded-title', titles[facts.kind]))
    const details = [facts.size, facts.isOwn ? 'yours' : facts.isEdited ? 'edited' : '']
    for (const detail of details) if (detail !== '') line.append(makePart('gl-folded-detail', detail))
    line.append(...this.#buttons(view))
    dom.append(line)
    if (facts.rejected !== '') dom.append(makeRejected(facts.rejected))
    this.#mark(dom)
    return dom
  }

  #buttons(view: EditorView): HTMLElement[] {
    const actions = view.state.facet(hunkActions)
    const { number, kind, canDecide, isOpened } = this.facts
    if (!actions) return []
    const buttons: HTMLElement[] = []
    if (canDecide && kind === 'whitespace') {
      buttons.push(makeButton('Accept', `Accept change ${number}`, () => actions.accept(number)))
      buttons.push(makeButton('Reject', `Reject change ${number}`, () => actions.reject(number)))
    } else if (canDecide) {
      buttons.push(makeButton('Undo', `Undo change ${number}`, () => actions.undo(number)))
    }
    const toggle = makeButton(
      isOpened ? 'Hide' : 'Show',
      `${isOpened ? 'Hide' : 'Show'} change ${number}`,
      () => actions.toggleOpened(number),
    )
    return [...buttons, toggle]
  }

  override updateDOM(dom: HTMLElement, _view: EditorView, from: WidgetType): boolean {
    if (!(from instanceof FoldedHunk)) return false
    const isSame = new FoldedHunk({ ...from.facts, isCurrent: this.facts.isCurrent }).eq(this)
    if (isSame) this.#mark(dom)
    return isSame
  }

  #mark(dom: HTMLElement): void {
    dom.dataset['hunk'] = String(this.facts.number)
    dom.classList.toggle('gl-current', this.facts.isCurrent)
  }

  override get estimatedHeight(): number {
    return 26 + Math.min(countLinesOf(this.facts.rejected), mostRejectedLines) * 20
  }
}

function makeRejected(text: string): HTMLElement {
  const dom = makePart('gl-rejected-lines', '', 'div')
  dom.setAttribute('role', 'group')
  dom.setAttribute('aria-label', 'What was rejected')
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text.replace(/^\n/, '')).split('\n')
  for (const line of lines.slice(0, mostRejectedLines)) {
    const element = makePart('gl-rejected-line', '', 'div')
    const content = document.createElement('del')
    content.textContent = line.length > longestLine ? `${line.slice(0, longestLine)} …` : line
    element.append(content)
    dom.append(element)
  }
  const left = lines.length - mostRejectedLines
  if (left > 0) dom.append(makePart('gl-more', countOf(left, 'more line'), 'div'))
  return dom
}
