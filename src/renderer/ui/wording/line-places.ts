import { formatNumber } from './number-format'

/** A cursor or a selection as people count, from 1: "line 3, column 7", "lines 3–7". */
export function describePlaceIn({ start, end }: { start: Place; end: Place }): string {
  if (start.line === end.line && start.character === end.character) {
    return `line ${formatNumber(start.line + 1)}, column ${formatNumber(start.character + 1)}`
  }
  // A selection that ends at the start of a line has nothing of that line.
  const isBefore = end.character === 0 && end.line > start.line
  return describeLines({ first: start.line, last: isBefore ? end.line - 1 : end.line })
}

/** Takes lines from 0, the last one included; writes them from 1. */
export function describeLines({ first, last }: { first: number; last: number }): string {
  return first === last
    ? `line ${formatNumber(first + 1)}`
    : `lines ${formatNumber(first + 1)}–${formatNumber(last + 1)}`
}

interface Place {
  line: number
  character: number
}
