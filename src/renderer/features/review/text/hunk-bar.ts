import type { EditorView } from '@codemirror/view'
import type { Hunk } from '../../../../shared/review/draft'
import { hunkActions, makeButton, makePart } from './hunk-actions'

/** What the bar of a change shows. */
export interface HunkBar {
  readonly hunk: Hunk
  /** It has its own row, where its bar covers no line. */
  readonly isRow: boolean
  readonly hasButtons: boolean
  readonly isEdited: boolean
  /** The person typed the old text. */
  readonly isVoid: boolean
}

/** The bar of an undecided change: what it is, and the buttons that decide it. */
export function makeHunkBar(shown: HunkBar, view: EditorView): HTMLElement {
  const bar = makePart('gl-bar', '', 'div')
  bar.append(makeHunkWords(shown))
  const actions = view.state.facet(hunkActions)
  if (actions && shown.hasButtons) {
    const { number } = shown.hunk
    const add = (kind: 'accept' | 'reject', sign: string, verb: string) => {
      const button = makeButton('', `${verb} change ${number}`, () => actions[kind](number))
      button.className = `gl-bar-${kind}`
      button.title = `${verb} change ${number}`
      button.append(makePart('gl-bar-sign', sign), makePart('gl-bar-verb', verb))
      bar.append(button)
    }
    add('accept', '✓', 'Accept')
    add('reject', '✕', 'Reject')
    const { comment } = actions
    if (comment) {
      const button = makeButton('', `Comment on change ${number}`, () => comment(number))
      button.title = `Comment on change ${number}`
      button.append(makePart('gl-bar-sign', '✎'), makePart('gl-bar-verb', 'Comment'))
      bar.append(button)
    }
  }
  return bar
}

/** The words of a bar alone. */
export function makeHunkWords({ hunk, isRow, isEdited, isVoid }: HunkBar): HTMLElement {
  const words = makePart('gl-bar-words')
  if (hunk.conflict) words.append(makePart('gl-bar-word gl-bar-conflict', 'Conflict'))
  if (hunk.author === 'person') words.append(makePart('gl-bar-word', 'Yours'))
  else if (isEdited) words.append(makePart('gl-bar-word', isVoid ? 'Edited, as before' : 'Edited'))
  words.append(makePart('gl-bar-number', isRow ? `Change ${hunk.number}` : String(hunk.number)))
  return words
}
