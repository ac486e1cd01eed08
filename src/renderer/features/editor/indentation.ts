import type { Text } from '@codemirror/state'

/** Lines looked at to learn how a file is indented. */
const linesRead = 400

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
