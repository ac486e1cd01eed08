import { ChangeSet, type Text } from '@codemirror/state'
import { z } from 'zod'
import { textFacts } from '../../../shared/contract/define'
import type { TextFacts } from '../../../shared/text/text-facts'
import { readCheckedLine, writeCheckedLine } from '../files/checked-line'
import type { Format } from './text-format'

/**
 * The log of one file's unsaved text: its start, then what was typed, one record per line. Every line begins with a
 * checksum of itself and the line before, so that damaged, cut or missing lines are noticed.
 */

/** The text that a backup's changes start from, or that a save may replace. */
export interface BaseRef {
  /** The number of the copy next to the log; null for an empty text, which needs none. */
  copy: number | null
  /** The hash of the file that held it; null if there was no file. */
  baseHash: string | null
  facts: TextFacts
}

/** One line of a log. `start` is always the first, and only the first. */
export type BackupRecord =
  | { kind: 'start'; path: string; base: BaseRef }
  | { kind: 'changes'; changes: ChangeSet }
  /** The disk has a different text now, which becomes the base. The unsaved text itself stays. */
  | { kind: 'base'; base: BaseRef }
  /** How the text is to be written; replaces every earlier choice. */
  | { kind: 'format'; format: Format }

/** The undamaged part of a log, which ends at this character. */
export interface BackupLog {
  end: number
  path: string
  start: BaseRef
  changes: readonly ChangeSet[]
  base: BaseRef
  format: Format
}

const baseSchema = z.object({
  copy: z.number().int().nullable(),
  baseHash: z.string().nullable(),
  facts: textFacts,
})

const recordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), format: z.literal(2), path: z.string(), base: baseSchema }),
  z.object({ kind: z.literal('changes'), changes: z.array(z.unknown()) }),
  z.object({ kind: z.literal('base'), base: baseSchema }),
  z.object({
    kind: z.literal('format'),
    eol: z.enum(['lf', 'crlf', 'cr']).nullable(),
    encoding: textFacts.shape.encoding.nullable(),
    bom: z.boolean().nullable(),
  }),
])
type StoredRecord = z.infer<typeof recordSchema>

/** In characters. Longer insertions become several records, so that damage costs only what comes after it. */
const longInsertion = 4096

/** Changes as the records of a log. */
export function recordsOf(changes: ChangeSet): BackupRecord[] {
  return Array.from(inPieces(changes), (piece) => ({ kind: 'changes', changes: piece }))
}

/** The same changes in text order, without long insertions. */
function* inPieces(changes: ChangeSet): Generator<ChangeSet> {
  const all: { from: number; to: number; insert: Text }[] = []
  let isLong = false
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    all.push({ from, to, insert })
    isLong ||= insert.length > longInsertion
  })
  if (!isLong) {
    yield changes
    return
  }
  let length = changes.length
  /** How much longer the text is because of the pieces so far. */
  let shift = 0
  let group: { from: number; to: number; insert: Text }[] = []
  const take = () => {
    const piece = ChangeSet.of(
      group.map(({ from, to, insert }) => ({ from: from + shift, to: to + shift, insert })),
      length,
    )
    group = []
    shift += piece.newLength - piece.length
    length = piece.newLength
    return piece
  }
  for (const { from, to, insert } of all) {
    for (let at = 0; at === 0 || at < insert.length; at += longInsertion) {
      const piece = insert.slice(at, Math.min(at + longInsertion, insert.length))
      if (at > 0) yield take()
      group.push({ from: at > 0 ? to : from, to, insert: piece })
    }
  }
  yield take()
}

/** Records as log lines that follow a line with this checksum, and the checksum for the next. */
export function writeRecords(records: readonly BackupRecord[], previous = ''): { text: string; sum: string } {
  let [text, sum] = ['', previous]
  for (const record of records) {
    const line = writeCheckedLine(JSON.stringify(toStored(record)), sum)
    text += line.text
    sum = line.sum
  }
  return { text, sum }
}

/** The records of a log up to the first damaged one; null if its start is damaged. */
export function readLog(content: string): BackupLog | null {
  let log: (BackupLog & { changes: ChangeSet[] }) | null = null
  let [from, sum] = [0, '']
  for (let to = content.indexOf('\n'); to >= 0; to = content.indexOf('\n', from)) {
    const line = content.slice(from, to)
    // Earlier versions computed each line's checksum on its own.
    const checked = readCheckedLine(line, sum) ?? readCheckedLine(line)
    const record = checked && readRecord(checked.json)
    if (!record || (record.kind === 'start') === (log !== null)) break
    if (record.kind === 'start') {
      const { path, base } = record
      log = { end: 0, path, start: base, base, changes: [], format: {} }
    } else if (record.kind === 'changes') log?.changes.push(record.changes)
    else if (log && record.kind === 'base') log.base = record.base
    else if (log && record.kind === 'format') log.format = record.format
    from = to + 1
    sum = checked?.sum ?? ''
  }
  return log && { ...log, end: from }
}

/** The text after a log's changes to its start; null if they don't fit. */
export function applyLog({ changes }: BackupLog, start: Text): Text | null {
  let text = start
  for (const change of changes) {
    if (change.length !== text.length) return null
    text = change.apply(text)
  }
  return text
}

function toStored(record: BackupRecord): StoredRecord {
  switch (record.kind) {
    case 'start':
      return { kind: 'start', format: 2, path: record.path, base: record.base }
    case 'changes':
      return { kind: 'changes', changes: record.changes.toJSON() as unknown[] }
    case 'base':
      return record
    case 'format': {
      const { eol = null, encoding = null, bom = null } = record.format
      return { kind: 'format', eol, encoding, bom }
    }
  }
}

function readRecord(json: string): BackupRecord | null {
  try {
    return fromStored(recordSchema.parse(JSON.parse(json)))
  } catch {
    return null
  }
}

function fromStored(stored: StoredRecord): BackupRecord {
  switch (stored.kind) {
    case 'start':
    case 'base':
      return stored
    case 'changes':
      return { kind: 'changes', changes: ChangeSet.fromJSON(stored.changes) }
    case 'format': {
      const { eol, encoding, bom } = stored
      const format = { ...(eol ? { eol } : {}), ...(encoding ? { encoding } : {}) }
      return { kind: 'format', format: { ...format, ...(bom === null ? {} : { bom }) } }
    }
  }
}
