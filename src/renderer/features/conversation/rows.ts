import type { Item, OtherLine } from '../../../shared/transcript'
import type { ReadTranscript } from './conversation'
import type { Density } from '../../state/conversation-layout'

/** A row of the list. Places count in the transcript: `from` is the first, `to` is behind the last. */
export type Row =
  | { kind: 'item'; key: string; index: number }
  /** Items in which nothing was said, as one line. */
  | { kind: 'work'; key: string; from: number; to: number }
  /** Lines that are no part of the conversation, as one line; places in `others`. */
  | { kind: 'lines'; key: string; from: number; to: number }

/** The rows of a transcript at one moment. */
export interface Rows {
  readonly length: number
  at(index: number): Row | undefined
  /** Stable: the same row has the same key whatever comes before it. */
  keyAt(index: number): string
  /** The row that shows an item, by its place in the transcript; -1 where none does. */
  rowOf(item: number): number
}

/** Lays a transcript out. In `normal` each item is a row and nothing is computed, however many there are. */
export function layOutRows(transcript: ReadTranscript, density: Density): Rows {
  switch (density) {
    case 'normal':
      return {
        length: transcript.length,
        at: (index) => {
          const key = transcript.idAt(index)
          return key === undefined ? undefined : { kind: 'item', key, index }
        },
        keyAt: (index) => transcript.idAt(index) ?? String(index),
        rowOf: (item) => (item < transcript.length ? item : -1),
      }
    case 'verbose':
      return listed(withOtherLines(transcript))
    case 'summary':
      return listed(withoutWork(transcript))
  }
}

function listed(rows: readonly Row[]): Rows {
  return {
    length: rows.length,
    at: (index) => rows[index],
    keyAt: (index) => rows[index]?.key ?? String(index),
    rowOf: (item) =>
      rows.findIndex((row) =>
        row.kind === 'item' ? row.index === item : row.kind === 'work' && row.from <= item && item < row.to,
      ),
  }
}

/** Other lines stand before the first item that is written behind them. */
function withOtherLines(transcript: ReadTranscript): Row[] {
  const { others, length } = transcript
  const rows: Row[] = []
  let at = 0
  const takeUntil = (offset: number) => {
    const from = at
    while (at < others.length && (others[at]?.offset ?? 0) < offset) at++
    // By its last line, for others may come before its first.
    if (at > from) rows.push({ kind: 'lines', key: `lines:${others[at - 1]?.offset ?? 0}`, from, to: at })
  }
  for (let index = 0; index < length; index++) {
    const item = transcript.at(index)
    if (!item) continue
    takeUntil(item.offset)
    rows.push({ kind: 'item', key: item.id, index })
  }
  takeUntil(Number.POSITIVE_INFINITY)
  return rows
}

function withoutWork(transcript: ReadTranscript): Row[] {
  const rows: Row[] = []
  for (let index = 0; index < transcript.length; index++) {
    const item = transcript.at(index)
    if (!item) continue
    const last = rows.at(-1)
    if (isSaying(item)) rows.push({ kind: 'item', key: item.id, index })
    else if (last?.kind === 'work') last.to = index + 1
    else rows.push({ kind: 'work', key: `work:${item.id}`, from: index, to: index + 1 })
  }
  return rows
}

/** Whether an item says something to the person, and is not only work. */
export function isSaying(item: Item): boolean {
  switch (item.kind) {
    case 'prompt':
      return true
    case 'notice':
      return item.what !== 'output' && item.what !== 'information'
    case 'reply':
      return item.isError || item.blocks.some((block) => block.kind === 'text' && block.text.trim() !== '')
  }
}

/** What other lines are, in a few words: "3 of the agent's own, 1 that is no JSON". */
export function describeLines(lines: readonly OtherLine[]): string {
  const words: Record<OtherLine['standing'], string> = {
    known: "of the agent's own",
    unknown: 'of an unknown kind',
    'not-json': 'not readable',
    'too-long': 'too long to be read',
  }
  const counts = new Map<OtherLine['standing'], number>()
  for (const { standing } of lines) counts.set(standing, (counts.get(standing) ?? 0) + 1)
  const told = [...counts].map(([standing, count]) => `${count} ${words[standing]}`)
  return `${lines.length === 1 ? 'Line' : 'Lines'}: ${told.join(', ')}`
}
