import { indentUnit } from '@codemirror/language'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import type { DocumentMeta } from '../../../shared/contract/documents'
import type { Indentation } from '../../state/tabs/editor-status'

/** How many lines are read to detect a file's indentation. */
const linesRead = 400

/** The tab width where nothing else is asked for. */
const usualTab = 4

/** A file's indentation: what its project asks for, else what the file itself uses. */
export function indentationFor(text: Text, wanted: DocumentMeta['indent']): Indentation {
  if (wanted) return { ...wanted, from: 'editorconfig' }
  const unit = indentationOf(text)
  const size = unit === '\t' ? usualTab : unit.length
  return { style: unit === '\t' ? 'tab' : 'space', size, from: 'file' }
}

export function indentationExtension({ style, size }: Indentation): Extension {
  return [
    indentUnit.of(style === 'tab' ? '\t' : ' '.repeat(size)),
    EditorState.tabSize.of(style === 'tab' ? size : usualTab),
  ]
}

/** One level of a file's own indentation: a tab, or two to eight spaces; two where nothing tells. */
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
    // A step of one, as in a block comment, tells nothing.
    if (step >= 2 && step <= 8) steps.set(' '.repeat(step), (steps.get(' '.repeat(step)) ?? 0) + 1)
  }
  const [most] = [...steps].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? '  '
}
