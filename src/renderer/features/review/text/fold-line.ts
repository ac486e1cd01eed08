import { WidgetType, type EditorView } from '@codemirror/view'
import { countOf } from '../../../ui/wording/number-format'
import { hunkActions, makeButton } from './hunk-actions'

/** One line in place of a stretch of unchanged lines; pressing it shows them. */
export class FoldLine extends WidgetType {
  constructor(
    /** Where the stretch begins in the result. */
    readonly from: number,
    readonly lines: number,
    /** In the reference's editor the line can be pressed too, but assistive technology hears only one of the two. */
    readonly isShadow: boolean,
  ) {
    super()
  }

  override eq(other: FoldLine): boolean {
    return this.from === other.from && this.lines === other.lines && this.isShadow === other.isShadow
  }

  override toDOM(view: EditorView): HTMLElement {
    const text = countOf(this.lines, 'unchanged line')
    const button = makeButton(text, `Show ${text}`, () => {
      view.state.facet(hunkActions)?.unfold(Number(button.dataset['from']))
    })
    button.className = 'gl-fold'
    button.dataset['from'] = String(this.from)
    if (this.isShadow) {
      button.setAttribute('aria-hidden', 'true')
      button.tabIndex = -1
    }
    return button
  }

  /** Typing above moves the stretch; the line stays the same element. */
  override updateDOM(dom: HTMLElement, _view: EditorView, from: WidgetType): boolean {
    if (!(from instanceof FoldLine) || from.lines !== this.lines || from.isShadow !== this.isShadow)
      return false
    dom.dataset['from'] = String(this.from)
    return true
  }

  override get estimatedHeight(): number {
    return 26
  }
}
