import { createHash } from 'node:crypto'

/**
 * A line of a log that can be told from a damaged one: a checksum, a space, JSON. The checksum also covers that of the
 * line before (`previous`), where one is given: then a line that is missing, doubled or in another place is damage too.
 */
export interface CheckedLine {
  readonly json: string
  readonly sum: string
}

/** Hex digits of the checksum. */
const sumLength = 16

/** The line as it is written, with its break, and its checksum for the one after it. */
export function writeCheckedLine(json: string, previous = ''): { text: string; sum: string } {
  const sum = sumOf(previous + json)
  return { text: `${sum} ${json}\n`, sum }
}

/** A line without its break; null where it is not as it was written. */
export function readCheckedLine(line: string, previous = ''): CheckedLine | null {
  const json = line.slice(sumLength + 1)
  const sum = line.slice(0, sumLength)
  return line[sumLength] === ' ' && sum === sumOf(previous + json) ? { json, sum } : null
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, sumLength)
}
