import { type Selected, isCursor } from '../../../shared/agent-view'
import { fileUri } from '../../../shared/file-uri'
import { firstOf } from '../../../shared/rpc/message-pieces'
import { pathFlavour } from './tools'

/** How much of a selection's text is sent unasked. Claude Code itself passes on about 2,000 characters. */
export const textLimit = 65_536

/** What clears a selection that is gone: an empty one of no file. A null selection is ignored (measured). */
const gone = {
  text: '',
  selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, isEmpty: true },
}

/**
 * The parameters of `selection_changed`. A cursor without a selection tells which file is looked at; without any
 * selection the frame clears what the client had.
 */
export function selectionFrame(selection: Selected | null): Record<string, unknown> {
  if (selection === null) return gone
  const { path, start, end, text } = selection
  return {
    text: firstOf(text, textLimit),
    filePath: path,
    fileUrl: fileUri(path, pathFlavour),
    selection: { start, end, isEmpty: isCursor(selection) },
  }
}
