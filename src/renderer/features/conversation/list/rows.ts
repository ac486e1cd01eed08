import { firstIndex } from '../../../../shared/first-index'
import type { Item, OtherLine, ReadTranscript } from '../../../../shared/conversation/transcript'
import type { Density } from '../../../state/sessions/conversation-layout'
import type { Gap } from '../../../state/sessions/loaded-stretches'

/** A row of the list. Places count in the transcript: `from` is the first, `to` is behind the last. */
export type Row =
  | { kind: 'item'; key: string; index: number }
  /** Items in which nothing was said, as one line. */
  | { kind: 'work'; key: string; from: number; to: number }
  /** Lines that are no part of the conversation, as one line; places in `others`. */
  | { kind: 'lines'; key: string; from: number; to: number }
  /** An unloaded part; `after` is where it begins in the source. */
  | { kind: 'gap'; key: string; after: number }

/** The rows of a transcript at one moment. */
export interface Rows {
  readonly length: number
  at(index: number): Row | undefined
  /** Stable: the same row has the same key whatever comes before it. */
  keyAt(index: number): string
  /** The row that shows an item, by its place in the transcript; -1 where none does. */
  rowOf(item: number): number
}

/** The items of a transcript from one place up to another. */
export function itemsOf(transcript: ReadTranscript, from = 0, to = transcript.length): Item[] {
  const items = Array.from({ length: to - from }, (_, index) => transcript.at(from + index))
  return items.filter((item) => item !== undefined)
}

/** Lays a transcript out. In `normal` each item is a row, and nothing is computed in advance. */
export function layOutRows(transcript: ReadTranscript, density: Density, gaps: readonly Gap[] = []): Rows {
  switch (density) {
    case 'normal':
      return gaps.length === 0 ? itemRows(transcript) : withGaps(itemRows(transcript), transcript, gaps)
    case 'verbose':
      return listed(withOtherLines(transcript, gaps))
    case 'summary':
      return listed(withoutWork(transcript, gaps))
  }
}

function itemRows(transcript: ReadTranscript): Rows {
  return {
    length: transcript.length,
    at: (index) => {
      const key = transcript.idAt(index)
      return key === undefined ? undefined : { kind: 'item', key, index }
    },
    keyAt: (index) => transcript.idAt(index) ?? String(index),
    rowOf: (item) => (item < transcript.length ? item : -1),
  }
}

/** A gap comes before the first item behind it. */
function withGaps(rows: Rows, transcript: ReadTranscript, gaps: readonly Gap[]): Rows {
  const places = gaps.map(({ before }, nth) => firstFrom(transcript, before) + nth)
  const passed = (row: number) => places.filter((place) => place < row).length
  const at = (row: number): Row | undefined => {
    const gap = gaps[places.indexOf(row)]
    return gap ? gapRow(gap) : rows.at(row - passed(row))
  }
  return {
    length: rows.length + gaps.length,
    at,
    keyAt: (row) => at(row)?.key ?? String(row),
    rowOf: (item) => {
      const row = rows.rowOf(item)
      return row < 0 ? row : row + places.filter((place, nth) => place - nth <= row).length
    },
  }
}

/** The first item that begins at an offset or behind it; items stand in the order of their offsets. */
function firstFrom(transcript: ReadTranscript, offset: number): number {
  return firstIndex(transcript.length, (index) => (transcript.at(index)?.offset ?? 0) >= offset)
}

function gapRow({ after, before }: Gap): Row {
  // What follows it stays the same while pieces of it come.
  return { kind: 'gap', key: `gap:${before}`, after }
}

/** Returns the rows of gaps, each once, when what follows it comes. */
function gapTeller(gaps: readonly Gap[]): (offset: number) => Row[] {
  let at = 0
  return (offset) => {
    const from = at
    while (at < gaps.length && (gaps[at]?.before ?? 0) <= offset) at++
    return gaps.slice(from, at).map(gapRow)
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

/** Other lines come before the first item that was written after them. */
function withOtherLines(transcript: ReadTranscript, gaps: readonly Gap[]): Row[] {
  const { others, length } = transcript
  const rows: Row[] = []
  const gapsUntil = gapTeller(gaps)
  let at = 0
  const takeUntil = (offset: number) => {
    let from = at
    const end = () => {
      // By its last line, for others may come before its first.
      if (at > from) rows.push({ kind: 'lines', key: `lines:${others[at - 1]?.offset ?? 0}`, from, to: at })
      from = at
    }
    for (let line = others[at]; line && line.offset < offset; line = others[at]) {
      const between = gapsUntil(line.offset)
      if (between.length > 0) end()
      rows.push(...between)
      at++
    }
    end()
  }
  for (let index = 0; index < length; index++) {
    const item = transcript.at(index)
    if (!item) continue
    takeUntil(item.offset)
    rows.push(...gapsUntil(item.offset), { kind: 'item', key: item.id, index })
  }
  takeUntil(Number.POSITIVE_INFINITY)
  return rows
}

function withoutWork(transcript: ReadTranscript, gaps: readonly Gap[]): Row[] {
  const rows: Row[] = []
  const gapsUntil = gapTeller(gaps)
  for (let index = 0; index < transcript.length; index++) {
    const item = transcript.at(index)
    if (!item) continue
    rows.push(...gapsUntil(item.offset))
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
