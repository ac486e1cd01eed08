import { Facet } from '@codemirror/state'

/** What the buttons in a review's text do. The reference's editor has none: its buttons act on the result. */
export interface HunkActions {
  accept(hunk: number): void
  reject(hunk: number): void
  undo(hunk: number): void
  /** Absent where nothing can be said. */
  comment?(hunk: number): void
  toggleOpened(hunk: number): void
  reveal(hunk: number, lines: number): void
  unfold(from: number): void
  /** Whether changes can be decided now. */
  readonly canDecide: boolean
  /** Whether the changes are a proposal, not a mere comparison. */
  readonly isProposal: boolean
  /** Whether changes have their bars, which take no room of their own and come after the first frame. */
  readonly hasBars: boolean
}

/** The actions of the review that an editor belongs to. */
export const hunkActions = Facet.define<HunkActions, HunkActions | null>({
  combine: (values) => values[0] ?? null,
})

/** A button for use inside an editor: works by click and by keyboard. */
export function makeButton(text: string, name: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  if (name !== text) button.setAttribute('aria-label', name)
  button.addEventListener('click', (event) => {
    event.preventDefault()
    run()
  })
  return button
}

/** A part of a widget with a class and, maybe, text. */
export function makePart(className: string, text = '', tag: 'span' | 'div' = 'span'): HTMLElement {
  const part = document.createElement(tag)
  part.className = className
  part.textContent = text
  return part
}
