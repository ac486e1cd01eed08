import type { EditTool } from '../src/main/protocols/claude-tools/edit-tools'
import type { Chance } from './chaos/chance'

/** How a file of random changes is on disk. */
export interface FileKind {
  ends: '\n' | '\r\n'
  hasMark: boolean
  endsLast: boolean
}

/** A change that an agent asks for. What is new in each place holds a word that is nowhere else (`wordsIn`). */
export interface RandomChange {
  tool: EditTool
  input: Record<string, unknown>
}

/** The words by which what was proposed is known again. */
export function wordsIn(text: string): string[] {
  return text.match(/token\d+(?:in\d+)?/g) ?? []
}

const mark = '\ufeff'
/** Each line has it, so that all of them can be replaced at once. */
const common = 'common'

export function randomKind(chance: Chance): FileKind {
  return {
    ends: chance.pick(['\n', '\n', '\r\n']),
    hasMark: chance.next() < 0.3,
    endsLast: chance.next() < 0.8,
  }
}

/** A text of some lines, each of them once. */
export function randomText(chance: Chance, name: string): string {
  const lines = Array.from({ length: chance.between(4, 16) }, (_, at) => `${name} line ${at}. ${common}`)
  return lines.join('\n')
}

/** A text with LF as it is in a file. */
export function rawOf(text: string, { ends, hasMark, endsLast }: FileKind): string {
  return `${hasMark ? mark : ''}${`${text}${endsLast ? '\n' : ''}`.replaceAll('\n', ends)}`
}

/** What a model has read of a raw text: with LF, and no byte order mark. */
export function readOf(raw: string): string {
  return raw.replace(mark, '').replaceAll('\r\n', '\n')
}

/**
 * A change of a text file that is there, or of a new one (`raw` null), by Edit or Write. `number`: of its own among all
 * changes.
 */
export function randomChange(chance: Chance, path: string, raw: string | null, number: number): RandomChange {
  const token = `token${number}`
  if (raw === null) {
    const text = rawOf(`${token} new\n${randomText(chance, token)}`, randomKind(chance))
    return chance.next() < 0.7 || text.includes(mark)
      ? { tool: 'Write', input: { file_path: path, content: text } }
      : { tool: 'Edit', input: editInput(path, '', text) }
  }
  const text = readOf(raw)
  const lines = text.split('\n')
  const roll = chance.next()
  if (roll < 0.15 && text.split(common).length > 2) {
    const input = { ...editInput(path, common, `${common} ${token}`), replace_all: true }
    return { tool: 'Edit', input }
  }
  const from = chance.between(0, Math.max(0, lines.length - 2))
  const old = lines.slice(from, from + chance.between(1, 6)).join('\n')
  if (roll < 0.6 && old.trim() !== '' && text.split(old).length === 2)
    return { tool: 'Edit', input: editInput(path, old, changed(chance, old.split('\n'), token).join('\n')) }
  return { tool: 'Write', input: { file_path: path, content: changed(chance, lines, token).join('\n') } }
}

function editInput(path: string, old: string, by: string): Record<string, unknown> {
  return { file_path: path, old_string: old, new_string: by, replace_all: false }
}

/** Lines with some of them replaced, removed or new; at least one is. */
function changed(chance: Chance, lines: readonly string[], token: string): string[] {
  const sure = chance.between(0, lines.length - 1)
  return lines.flatMap((line, at) => {
    const roll = at === sure ? 0 : chance.next()
    if (roll < 0.2) return [`${line} ${token}in${at}`]
    if (roll < 0.3) return [line, `${token}in${at} ${common}`]
    return roll < 0.36 && line !== '' ? [] : [line]
  })
}

/** A notebook whose cells have these sources, as Claude Code writes one. */
export function notebookText(sources: readonly string[]): string {
  const cells = sources.map((source, at) => ({
    ...{ cell_type: 'code', execution_count: null, id: `c${at}`, metadata: {}, outputs: [] },
    source,
  }))
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`
}

/** A change of one cell of such a notebook. */
export function randomCell(chance: Chance, path: string, cells: number, number: number): RandomChange {
  const cell_id = `c${chance.between(0, cells - 1)}`
  return {
    tool: 'NotebookEdit',
    input: { notebook_path: path, cell_id, new_source: `x = "token${number}"` },
  }
}
