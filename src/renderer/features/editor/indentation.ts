import { indentUnit } from '@codemirror/language'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import type { DocumentMeta } from '../../../shared/contract/documents'
import type { Indentation } from '../../state/tabs/editor-status'

/** Lines looked at to learn how a file is indented. */
const linesRead = 400

/** How wide a tab is drawn where nothing else is asked for. */
const usualTab = 4

/** The indentation of a file: as its project asks, else as it is itself. */
export function indentationFor(text: Text, wanted: DocumentMeta['indent']): Indentation {
  if (wanted) return { ...wanted, from: 'editorconfig' }
  const unit = indentationOf(text)
  const size = unit === '\t' ? usualTab : unit.length
  return { style: unit === '\t' ? 'tab' : 'space', size, from: 'file' }
}

/** What an indentation means to an editor. */
export function indentationExtension({ style, size }: Indentation): Extension {
  return [
    indentUnit.of(style === 'tab' ? '\t' : ' '.repeat(size)),
    EditorState.tabSize.of(style === 'tab' ? size : usualTab),
  ]
}

/** One level of indentation as a file itself has it: a tab, or two to eight spaces; two where nothing tells. */
export function indentationOf(text: Text): string {
  const steps = new Map<string, number>()
  let before = 0
  for (let number = 1; number <= Math.min(text.lines, linesRead); number++) {
    const { text: line } = text.line(number)
    if (line.trim() === '') continue
    if (line.startsWith('\t')) {
      steps.set('\t', (steps.get('\t') ?? 0) + 1)
      continue
    }
    const depth = line.length - line.trimStart().length
    const step = depth - before
    before = depth
    // A line of a comment block stands one further in and tells nothing.
    if (step >= 2 && step <= 8) steps.set(' '.repeat(step), (steps.get(' '.repeat(step)) ?? 0) + 1)
  }
  const [most] = [...steps].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? '  '
}
