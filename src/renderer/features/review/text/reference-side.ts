import { searchKeymap } from '@codemirror/search'
import { searchPanel } from '../../../code/find-panel'
import { EditorState, type Extension, type StateEffect, type Transaction } from '@codemirror/state'
import { EditorView, keymap, type ViewUpdate } from '@codemirror/view'
import type { Disposable } from '../../../../shared/lifetime'
import { hunkActions } from './hunk-actions'
import { copyPicture, picture, sideOf } from './draft-picture'
import { Alignment } from './side-by-side'

/** The read-only editor of the reference beside the result's; it follows the result's picture and height. */
export class ReferenceSide implements Disposable {
  readonly view: EditorView
  readonly #alignment: Alignment

  constructor(parent: HTMLElement, result: EditorView, extensions: Extension) {
    const now = result.state.field(picture)
    const actions = result.state.facet(hunkActions)
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: now.draft.a,
        extensions: [
          sideOf.of('a'),
          picture.init(() => now),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ tabindex: '-1' }),
          keymap.of(searchKeymap),
          searchPanel,
          // Its only buttons are those of unchanged lines, which unfold both sides.
          actions ? hunkActions.of({ ...actions, canDecide: false, hasBars: false }) : [],
          extensions,
          EditorView.updateListener.of((update) => this.#alignment.hear(update)),
        ],
      }),
    })
    this.#alignment = new Alignment(this.view, result)
  }

  /** Hears each update of the result's editor. */
  hear(update: ViewUpdate): void {
    this.#follow(update.transactions)
    this.#alignment.hear(update)
  }

  reconfigure(effect: StateEffect<unknown>): void {
    this.view.dispatch({ effects: effect })
  }

  dispose(): void {
    this.#alignment.dispose()
    this.view.destroy()
  }

  #follow(transactions: readonly Transaction[]): void {
    for (const { startState, state } of transactions) {
      const now = state.field(picture)
      if (now === startState.field(picture)) continue
      this.view.dispatch({
        ...(now.reference ? { changes: now.reference } : {}),
        effects: copyPicture.of(now),
      })
    }
  }
}
