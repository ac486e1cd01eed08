import { ChangeSet, type Text } from '@codemirror/state'
import { z } from 'zod'
import type { TextFacts } from '../../../shared/text'
import { readCheckedLine, writeCheckedLine } from '../files/checked-line'
import type { Format } from './text-format'

/**
 * The log of one file's unsaved text: a start, then what was typed, a line for each record. Every line begins with a
 * checksum, so that a record whose write was cut short is told from one that is whole.
 */

/** Which text a backup's changes start from, or a save may write over. */
export interface BaseRef {
  /** The number of the copy beside the log; null: an empty text, of which there is none. */
  copy: number | null
  /** The hash of the file that held it; null where no file was. */
  baseHash: string | null
  facts: TextFacts
}

/** One line of a log. `start` is always the first, and only there. */
export type BackupRecord =
  | { kind: 'start'; path: string; base: BaseRef }
  | { kind: 'changes'; changes: ChangeSet }
  /** The disk has another text now: that is the base of what is unsaved. The text itself stays. */
  | { kind: 'base'; base: BaseRef }
  /** Somebody has chosen how the text shall be written: this and nothing else, as all that came before. */
  | { kind: 'format'; format: Format }

/** A log as far as it is whole. */
export interface BackupLog {
  path: string
  start: BaseRef
  changes: readonly ChangeSet[]
  base: BaseRef
  format: Format
}

const encodingSchema = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])

const factsSchema = z.object({
  encoding: encodingSchema,
  bom: z.boolean(),
  eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
  finalNewline: z.boolean(),
})

const baseSchema = z.object({
  copy: z.number().int().nullable(),
  baseHash: z.string().nullable(),
  facts: factsSchema,
})

const recordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), format: z.literal(2), path: z.string(), base: baseSchema }),
  z.object({ kind: z.literal('changes'), changes: z.array(z.unknown()) }),
  z.object({ kind: z.literal('base'), base: baseSchema }),
  z.object({
    kind: z.literal('format'),
    eol: z.enum(['lf', 'crlf', 'cr']).nullable(),
    encoding: encodingSchema.nullable(),
    bom: z.boolean().nullable(),
  }),
])
type StoredRecord = z.infer<typeof recordSchema>

/** A record as it stands in a log. */
export function writeRecord(record: BackupRecord): string {
  return writeCheckedLine(JSON.stringify(toStored(record))).text
}

/** The records of a log up to the first that is not whole; null where not even its start is. */
export function readLog(content: string): BackupLog | null {
  let log: (BackupLog & { changes: ChangeSet[] }) | null = null
  let from = 0
  for (let to = content.indexOf('\n'); to >= 0; to = content.indexOf('\n', from)) {
    const record = readRecord(content.slice(from, to))
    if (!record || (record.kind === 'start') === (log !== null)) break
    if (record.kind === 'start') {
      log = { path: record.path, start: record.base, base: record.base, changes: [], format: {} }
    } else if (record.kind === 'changes') log?.changes.push(record.changes)
    else if (log && record.kind === 'base') log.base = record.base
    else if (log && record.kind === 'format') log.format = record.format
    from = to + 1
  }
  return log
}

/** The text that a log's changes make of its start; null where they do not fit it. */
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

function readRecord(line: string): BackupRecord | null {
  const checked = readCheckedLine(line)
  if (!checked) return null
  try {
    return fromStored(recordSchema.parse(JSON.parse(checked.json)))
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
