import type { Text } from '@codemirror/state'
import { isDeepStrictEqual } from 'node:util'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { offsetAt, positionAt, type Position } from '../../../shared/text/text-facts'

/** What is selected in an editor, at one version of its document. Lines and UTF-16 units from 0. */
export interface Selection {
  /** Real path of the file. */
  path: string
  version: number
  range: { start: Position; end: Position }
  isEmpty: boolean
  /** The selected text, at most `longestText` characters. */
  text: string
  truncated: boolean
}

/** In characters; the rest of a longer selection isn't kept. */
export const longestText = 256 * 1024

/**
 * A range of a text as a selection. Positions beyond the text are moved inside, a backwards range is turned round, and
 * a cut never splits a surrogate pair.
 */
export function selectionIn(
  text: Text,
  { path, version, range }: Pick<Selection, 'path' | 'version' | 'range'>,
  limit = longestText,
): Selection {
  const offsets = [offsetAt(text, range.start), offsetAt(text, range.end)]
  const [from, to] = [Math.min(...offsets), Math.max(...offsets)]
  // One unit more than is kept, to tell whether there is more.
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
 * The selections of one window. `current`: of the editor that has one now, if any; `latest`: the last there was, until
 * its file closes.
 */
export class Selections implements Disposable {
  #current: Selection | null = null
  #latest: Selection | null = null
  readonly #changes = new Emitter<Selection | null>()
  /** Emits every change of `current`; whoever sends it to agents waits for a pause. */
  readonly on = this.#changes.on

  get current(): Selection | null {
    return this.#current
  }

  get latest(): Selection | null {
    return this.#latest
  }

  /** Null: no editor has the selection any more. An equal selection isn't a change. */
  set(selection: Selection | null): void {
    if (isDeepStrictEqual(selection, this.#current)) return
    this.#current = selection
    if (selection) this.#latest = selection
    this.#changes.emit(selection)
  }

  /** The window no longer shows this file. */
  closeFile(path: string): void {
    if (this.#latest?.path === path) this.#latest = null
    if (this.#current?.path === path) this.set(null)
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
