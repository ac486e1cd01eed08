import { EditorState, type Extension, type Text, type Transaction } from '@codemirror/state'
import { createStore } from 'zustand/vanilla'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { client } from '../../state/host/client'
import { link } from '../../state/host/link'
import { DocumentSync, type TextHolder } from './document/document-sync'

/** Changes are published once per this many milliseconds. */
const pause = 80

/** The text of an open file as it is typed, read-only. */
export class FollowedText implements Disposable {
  readonly text = createStore<{ text: string | null }>()(() => ({ text: null }))
  readonly sync: DocumentSync
  readonly #owned = new DisposableStack()
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(path: string) {
    this.sync = this.#owned.add(
      new DocumentSync(
        client,
        path,
        crypto.randomUUID(),
        () => link.getState().state === 'live',
        (text, sync) => this.#hold(text, sync),
      ),
    )
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#owned.dispose()
  }

  #hold(doc: Text, sync: Extension): TextHolder {
    let state = EditorState.create({ doc, extensions: [EditorState.lineSeparator.of('\n'), sync] })
    const tell = () => {
      this.#timer = null
      this.text.setState({ text: state.doc.toString() })
    }
    tell()
    return {
      get state() {
        return state
      },
      dispatch: (transaction: Transaction) => {
        state = transaction.state
        this.#timer ??= setTimeout(tell, pause)
      },
    }
  }
}
