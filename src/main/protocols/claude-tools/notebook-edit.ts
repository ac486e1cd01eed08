import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { fail, type Result, succeed } from '../../../shared/result'
import { readAsClaude, writtenByClaude } from './file-text'

/** What Claude Code's NotebookEdit is given. */
export const notebookEdit = z.looseObject({
  notebook_path: z.string(),
  cell_id: z.string().optional(),
  new_source: z.string(),
  cell_type: z.enum(['code', 'markdown']).optional(),
  edit_mode: z.enum(['replace', 'insert', 'delete']).optional(),
})
export type NotebookEdit = z.infer<typeof notebookEdit>

/** As much of it as the program looks at. */
const cell = z.looseObject({
  id: z.unknown().optional(),
  cell_type: z.unknown().optional(),
  source: z.union([z.string(), z.array(z.string())]),
})
const notebook = z.looseObject({
  cells: z.array(cell),
  nbformat: z.number().optional(),
  nbformat_minor: z.number().optional(),
})
type Notebook = z.infer<typeof notebook>

/**
 * The notebook's raw text after an edit, as Claude Code's NotebookEdit writes it (measured; see
 * docs/protocols/claude-sdk.md): the JSON anew with one space for each level, an edited code cell without its outputs.
 */
export function notebookAfter(edit: NotebookEdit, raw: string): Result<string> {
  const read = readAsClaude(raw)
  const found = parse(read.text)
  if (!found.ok) return found
  const { cells, nbformat = 0, nbformat_minor = 0 } = found.value
  const at = placeOf(edit, cells)
  if (at === null) return fail('not-found', 'The notebook has no such cell. Have Claude read it again.')
  const { new_source, cell_type } = edit
  switch (edit.edit_mode ?? 'replace') {
    case 'delete':
      cells.splice(at, 1)
      break
    case 'insert': {
      const hasIds = nbformat > 4 || (nbformat === 4 && nbformat_minor >= 5)
      const rest = cell_type === 'markdown' ? {} : { execution_count: null, outputs: [] }
      cells.splice(at, 0, {
        cell_type: cell_type ?? 'code',
        ...(hasIds ? { id: ownId } : {}),
        ...{ source: new_source, metadata: {}, ...rest },
      })
      break
    }
    case 'replace': {
      const edited = cells[at]
      if (!edited) break
      edited.source = new_source
      if (edited.cell_type === 'code') Object.assign(edited, { execution_count: null, outputs: [] })
      if (cell_type !== undefined) edited.cell_type = cell_type
    }
  }
  const text = JSON.stringify(found.value, null, 1) + (read.text.endsWith('\n') ? '\n' : '')
  return succeed(writtenByClaude(text, read))
}

/** The source with which the edit leads to the accepted text; a failure if none does. */
export function sourceFor(edit: NotebookEdit, raw: string, accepted: string): Result<string> {
  const before = parse(readAsClaude(raw).text)
  const after = parse(readAsClaude(accepted).text)
  const at = before.ok ? placeOf(edit, before.value.cells) : null
  const source = after.ok && at !== null ? after.value.cells[at]?.source : undefined
  // Of a deleted cell there is no source to choose.
  const isChosen = edit.edit_mode !== 'delete' && source !== undefined
  const new_source = !isChosen ? edit.new_source : typeof source === 'string' ? source : source.join('')
  const led = notebookAfter({ ...edit, new_source }, raw)
  return led.ok && led.value === accepted ? succeed(new_source) : onlyTheSource
}

/** Stands for the id of a new cell, which the program makes up as it writes. */
export const ownId = 'given-by-claude'
/** As JSON writes it; a text in a cell has its quotes escaped. */
const ownMember = `"id": "${ownId}"`

/** Whether a notebook has a cell whose id only the program knows. */
export function hasOwnId(text: string): boolean {
  return text.includes(ownMember)
}

/** Whether a notebook holds what was accepted, with an id of the program's own where that stands for one. */
export function holdsWithOwnId(disk: string, accepted: string): boolean {
  const [before, after, ...more] = accepted.split(ownMember)
  if (before === undefined || after === undefined || more.length > 0) return false
  const [head, tail] = [`${before}"id": "`, `"${after}`]
  if (!disk.startsWith(head) || !disk.endsWith(tail)) return false
  return /^[\w-]{1,64}$/.test(disk.slice(head.length, -tail.length))
}

const onlyTheSource = fail(
  'untellable',
  'Claude can be told another source for this cell, as plain text, and nothing else. Undo your other edits, or reject the file.',
)

function parse(text: string): Result<Notebook> {
  const json = parseJson(text)
  const read = notebook.safeParse(json)
  // The object itself: a parsed copy would have its keys in another order.
  return read.success ? succeed(json as Notebook) : notANotebook
}

const notANotebook = fail('not-a-notebook', 'The file is not a notebook. Have Claude read it again.')

/** The index of the cell that is edited, or that a new one takes. */
function placeOf({ cell_id, edit_mode }: NotebookEdit, cells: Notebook['cells']): number | null {
  if (!cell_id) return edit_mode === 'insert' ? 0 : null
  const byId = cells.findIndex(({ id }) => id === cell_id)
  const index = byId === -1 ? Number(/^cell-(\d+)$/.exec(cell_id)?.[1] ?? NaN) : byId
  if (!(index < cells.length)) return null
  return edit_mode === 'insert' ? index + 1 : index
}
