import { createHash } from 'node:crypto'

/**
 * A line of a log that shows damage: a checksum, a space, JSON. With `previous`, the checksum also covers the line
 * before, so that a missing, doubled or moved line counts as damage too.
 */
export interface CheckedLine {
  readonly json: string
  readonly sum: string
}

/** Hex digits of the checksum. */
const sumLength = 16

/** The line to write, with its break, and its checksum for the next line. */
export function writeCheckedLine(json: string, previous = ''): { text: string; sum: string } {
  const sum = sumOf(previous + json)
  return { text: `${sum} ${json}\n`, sum }
}

/** Reads a line without its break; null if it isn't as it was written. */
export function readCheckedLine(line: string, previous = ''): CheckedLine | null {
  const json = line.slice(sumLength + 1)
  const sum = line.slice(0, sumLength)
  return line[sumLength] === ' ' && sum === sumOf(previous + json) ? { json, sum } : null
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, sumLength)
}
