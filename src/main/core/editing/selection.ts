import type { Text } from '@codemirror/state'
import { isDeepStrictEqual } from 'node:util'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { offsetAt, positionAt, type Position } from '../../../shared/text/text-facts'

/** What is selected in an editor, as of one version of its document. Lines and UTF-16 units from 0. */
export interface Selection {
  /** Real path of the file. */
  path: string
  version: number
  range: { start: Position; end: Position }
  isEmpty: boolean
  /** The selected text, up to `longestText` characters of it. */
  text: string
  truncated: boolean
}

/** No more characters of a selection than this are kept and handed on. */
export const longestText = 256 * 1024

/**
 * Makes a selection of a range in a text. A range beyond the text is brought inside, one that runs backwards is turned
 * round; a cut never parts a surrogate pair.
 */
export function selectionIn(
  text: Text,
  { path, version, range }: Pick<Selection, 'path' | 'version' | 'range'>,
  limit = longestText,
): Selection {
  const offsets = [offsetAt(text, range.start), offsetAt(text, range.end)]
  const [from, to] = [Math.min(...offsets), Math.max(...offsets)]
  // One unit more than is kept, which tells whether there is more.
  const whole = firstOf(text.sliceString(from, Math.min(to, from + limit + 1)), limit)
  return {
    path,
    version,
    range: { start: positionAt(text, from), end: positionAt(text, to) },
    isEmpty: from === to,
    text: whole,
    truncated: whole.length < to - from,
  }
}

/**
 * The selections of one window. `current` is that of the editor which has one now, if any; `latest` the last there
 * was, until its file closes.
 */
export class Selections implements Disposable {
  #current: Selection | null = null
  #latest: Selection | null = null
  readonly #changes = new Emitter<Selection | null>()
  /** Hears every change of `current`; whoever sends it on waits for a pause. */
  readonly on = this.#changes.on

  get current(): Selection | null {
    return this.#current
  }

  get latest(): Selection | null {
    return this.#latest
  }

  /** Null: no editor has the selection any more. An equal selection is no change. */
  set(selection: Selection | null): void {
    if (isDeepStrictEqual(selection, this.#current)) return
    this.#current = selection
    if (selection) this.#latest = selection
    this.#changes.emit(selection)
  }

  /** The window shows this file no more: nothing is selected in it. */
  closeFile(path: string): void {
    if (this.#latest?.path === path) this.#latest = null
    if (this.#current?.path === path) this.set(null)
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
