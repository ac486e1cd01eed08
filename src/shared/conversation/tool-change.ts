import { diffLines } from '../text/line-diff'
import { type Json, numberOf, objectOf, stringOf } from '../json'
import type { ToolCall } from './transcript'

/** One changed place in a file. */
export interface ChangedPart {
  /** The first line of the new text, counted from 1; null if unknown. */
  line: number | null
  before: string
  after: string
}

/** What a tool changed in a file, or tried to, as far as its call and result say. */
export interface FileChange {
  path: string
  /** The whole texts, if both are known for certain; `before` is null if there was no file. */
  whole: { before: string | null; after: string } | null
  /** The changed places with some lines around them; to be shown if `whole` isn't known. */
  parts: readonly ChangedPart[]
  /** The file was created. */
  isNew: boolean
  /** Every occurrence was changed; `parts` may show only one. */
  isEverywhere: boolean
  /** Lines. */
  added: number
  /** Null if it isn't known what the file held: `parts` then has the new text alone. */
  removed: number | null
}

/** Longer whole texts are neither shown nor restored. UTF-16 units. */
const longestWhole = 2_000_000
/** Further places are ignored. */
const mostParts = 500

/** What a call changed; null if it isn't known to change a file's text. */
export function readFileChange(call: ToolCall): FileChange | null {
  const input = objectOf(call.input)
  const detail = call.state === 'done' ? objectOf(call.result?.detail) : undefined
  const path =
    stringOf(detail?.['filePath']) ?? stringOf(input?.['file_path']) ?? stringOf(input?.['notebook_path'])
  if (!input || path === null) return null
  const meant = meantParts(input)
  if (!meant) return null
  const hunks = readHunks(detail?.['structuredPatch'])
  const whole = detail ? wholeOf(input, detail, hunks) : null
  const isNew = detail?.['type'] === 'create'
  const isNewText = meant.every(({ before }) => before === null)
  const known =
    hunks.length > 0
      ? hunks.map(partOf)
      : isNewText && whole
        ? [{ line: 1, before: whole.before ?? '', after: whole.after }]
        : null
  const parts = known ?? meant.map(({ before, ...part }) => ({ ...part, before: before ?? '' }))
  const { added, removed } = countLines(parts)
  return {
    ...{ path, whole, parts, isNew, isEverywhere: input['replace_all'] === true, added },
    removed: isNewText && known === null && !isNew ? null : removed,
  }
}

/** What a tool was asked to write; `before` is null where it was only told the new text. */
type MeantPart = Omit<ChangedPart, 'before'> & { before: string | null }

/** What the tool was asked to change; null if it wasn't asked to change a file's text. */
function meantParts(input: Json): MeantPart[] | null {
  const { old_string: before, new_string: after, edits, content, new_source: source } = input
  if (typeof before === 'string' && typeof after === 'string') return [{ line: null, before, after }]
  if (Array.isArray(edits)) {
    const parts = (edits as unknown[]).slice(0, mostParts).flatMap((value) => {
      const edit = objectOf(value)
      const [one, other] = [stringOf(edit?.['old_string']), stringOf(edit?.['new_string'])]
      return one === null || other === null ? [] : { line: null, before: one, after: other }
    })
    return parts.length > 0 ? parts : null
  }
  if (typeof content === 'string') return [newPart(content)]
  if (typeof source === 'string') return [newPart(source)]
  return null
}

const newPart = (after: string): MeantPart => ({ line: 1, before: null, after })

interface PatchHunk {
  oldStart: number
  newStart: number
  /** Each with its sign in front. */
  lines: readonly string[]
}

function readHunks(value: unknown): PatchHunk[] {
  if (!Array.isArray(value)) return []
  return (value as unknown[]).slice(0, mostParts).flatMap((each) => {
    const hunk = objectOf(each)
    const [oldStart, newStart] = [numberOf(hunk?.['oldStart']), numberOf(hunk?.['newStart'])]
    const lines = hunk?.['lines']
    if (oldStart === null || newStart === null || !Array.isArray(lines)) return []
    const signed = (lines as unknown[]).filter((line) => typeof line === 'string')
    return { oldStart, newStart, lines: signed.filter((line) => !line.startsWith('\\')) }
  })
}

function partOf({ newStart, lines }: PatchHunk): ChangedPart {
  const side = (sign: '-' | '+') =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n')
  return { line: Math.max(1, newStart), before: side('-'), after: side('+') }
}

function wholeOf(input: Json, detail: Json, hunks: readonly PatchHunk[]): FileChange['whole'] {
  const original = stringOf(detail['originalFile'])
  const content = stringOf(detail['content'])
  if (detail['type'] === 'create' && original === null) {
    return content === null || content.length > longestWhole ? null : { before: null, after: content }
  }
  if (original === null || original.length > longestWhole) return null
  // The patch is what was really written, but it doesn't apply if its lines were reformatted for display.
  const patched = hunks.length > 0 ? applyHunks(original, hunks) : null
  const after =
    patched ?? content ?? (detail['userModified'] === true ? null : replaced(original, input, detail))
  return after === null || after.length > longestWhole ? null : { before: original, after }
}

/** The text with the hunks applied; null if they don't fit. */
function applyHunks(text: string, hunks: readonly PatchHunk[]): string | null {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const old = text.split(eol)
  const made: string[] = []
  let at = 0
  for (const { oldStart, lines } of hunks) {
    const from = Math.max(0, oldStart - 1)
    if (from < at || from > old.length) return null
    while (at < from) made.push(old[at++] ?? '')
    for (const line of lines) {
      const rest = line.slice(1)
      if (line.startsWith('+')) made.push(rest)
      else {
        if (old[at] !== rest) return null
        if (line.startsWith(' ')) made.push(rest)
        at++
      }
    }
  }
  return made.concat(old.slice(at)).join(eol)
}

/** The text with the requested replacements; null if a text isn't found, or is found more often than asked for. */
function replaced(text: string, input: Json, detail: Json): string | null {
  const steps = Array.isArray(input['edits'])
    ? (input['edits'] as unknown[])
    : [detail['oldString'] === undefined ? input : detail]
  let now = text
  for (const value of steps) {
    const step = objectOf(value)
    const before = stringOf(step?.['old_string']) ?? stringOf(step?.['oldString'])
    const after = stringOf(step?.['new_string']) ?? stringOf(step?.['newString'])
    if (before === null || after === null || before === '') return null
    const isEverywhere = (step?.['replace_all'] ?? step?.['replaceAll'] ?? input['replace_all']) === true
    const pieces = now.split(before)
    if (pieces.length < 2 || (!isEverywhere && pieces.length > 2)) return null
    now = pieces.join(after)
    if (now.length > longestWhole) return null
  }
  return now
}

function countLines(parts: readonly ChangedPart[]): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { before, after } of parts) {
    for (const { fromA, toA, fromB, toB } of diffLines(linesOf(before), linesOf(after))) {
      removed += toA - fromA
      added += toB - fromB
    }
  }
  return { added, removed }
}

/** The lines of a text; a line break at its end begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}
