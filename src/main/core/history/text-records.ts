import { speakers, type Speaker } from './searchable-text'

/** Where a text stands in its session, and whose it is. */
export interface TextPlace {
  /** Of the line that it is shown in; null where that has none. */
  uuid: string | null
  /** Of the same line, in bytes. */
  offset: number
  /** Milliseconds since the epoch. */
  at: number | null
  speaker: Speaker
}

/** A longer name of a line is cut, in characters: such a line is found by its offset only. */
const longestName = 200
/** How many fields stand before a text, each with a tab behind it. */
const fields = 4

/** What is written before a text; the text follows on the same line. */
export function textHeader({ uuid, offset, at, speaker }: TextPlace): string {
  const name = (uuid ?? '').slice(0, longestName).replaceAll(/[\t\n]/g, ' ')
  return `${name}\t${offset}\t${at ?? ''}\t${speakers.indexOf(speaker)}\t`
}

/** Where a line's text begins, behind its header; -1 where there is none. */
export function textStart(line: string, from = 0): number {
  let at = from
  for (let count = 0; count < fields; count++) {
    at = line.indexOf('\t', at) + 1
    if (at === 0) return -1
  }
  return at
}

/** Reads a header. */
export function readHeader(header: string): TextPlace {
  const [uuid = '', offset, at = '', speaker] = header.split('\t')
  return {
    uuid: uuid === '' ? null : uuid,
    offset: Number(offset),
    at: at === '' ? null : Number(at),
    speaker: speakers[Number(speaker)] ?? 'notice',
  }
}
