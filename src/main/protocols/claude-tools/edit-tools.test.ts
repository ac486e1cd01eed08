import { ChangeSet } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyStep } from '../../../shared/review/draft'
import { encodeText, parseText } from '../../../shared/text/text-facts'
import { compare } from '../../core/review/comparison'
import { type ReviewContent, acceptedContentOf } from '../../core/review/review-content'
import type { DiskFile } from '../../core/files/read-file'
import {
  type EditTool,
  editedPath,
  inputFor,
  lineEndsRemark,
  objectionTo,
  proposedBy,
  remarkOn,
} from './edit-tools'
import { replaceAsClaude } from './text-replacement'

const mark = '\ufeff'
const path = '/p/a.ts'
const made = (tool: EditTool, input: object, current: string | null) => {
  const result = proposedBy(tool, { file_path: path, notebook_path: path, ...input }, current)
  return result.ok ? result.value.proposed : result.failure.code
}
const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
})

describe('what a tool makes of a file', () => {
  test.each([
    ['a\nb\nc\n', edit('b', 'B'), 'a\nB\nc\n'],
    ['a\r\nb\r\nc', edit('a\nb', 'a\r\nB\nx'), 'a\r\nB\r\nx\r\nc'],
    ['a\r\nb\r\nc\r\nd\ne', edit('b', 'B'), 'a\r\nB\r\nc\r\nd\r\ne'],
    ['a\nb\r\nc\nd\r\n', edit('b', 'B'), 'a\nB\nc\nd\n'],
    [`${mark}a\nb\n`, edit('a', ''), `${mark}b\n`],
    [`${mark}a\nb\n`, edit('a\nb\n', ''), mark],
    ['b a b\nb', edit('b', 'bb', true), 'bb a bb\nbb'],
    ['x a\nb\nca', edit('a', '', true), 'x b\nca'],
    ['a\nb\n', edit('b', '$& $1 $$'), 'a\n$& $1 $$\n'],
    ['“a” ”a“\n', edit('"a"', '("b") -"c"'), '(“b”) -”c” ”a“\n'],
    ['‘a’ x\n', edit("'a'", `'i' it's "k"`), '‘i’ it’s "k" x\n'],
    ['a \\u00E9 b\n', edit('a é', 'a è 😀'), 'a \\u00E8 \\uD83D\\uDE00 b\n'],
    [' \n\n', edit('', 'x'), 'x'],
    [null, edit('', 'x\r\ny'), 'x\r\ny'],
    [null, edit('x', 'y'), 'does-not-fit'],
    ['a', edit('', 'x'), 'does-not-fit'],
    ['a a', edit('a', 'b'), 'does-not-fit'],
    ['a', edit('a', 'a'), 'does-not-fit'],
  ])('Edit of %j by %j', (current, input, after) => {
    expect(made('Edit', input, current)).toBe(after)
    expect(made('MultiEdit', { edits: [input] }, current)).toBe(after)
  })

  test('Edit judges line ends by the first 4096 characters', () => {
    const lines = (of: string, end: string, count: number) => (of.repeat(9) + end).repeat(count)
    const isCrlf = (text: string) => made('Edit', edit('HEAD', 'H'), `HEAD\r\n${text}`).includes('x\r\n')
    expect(isCrlf(lines('x', '\r\n', 200) + lines('x', '\n', 2000))).toBe(true)
    expect(isCrlf(lines('é', '\r\n', 200) + lines('x', '\n', 2000))).toBe(true)
    expect(isCrlf(lines('x', '\r\n', 180) + lines('x', '\n', 2000))).toBe(false)
  })

  test.each([
    [null, 'a\r\nb', 'a\r\nb'],
    ['a\r\n', 'b\n', 'b\n'],
    [`${mark}a`, 'b', `${mark}b`],
    [`${mark}a`, '', ''],
    [`${mark}a`, mark + mark, mark + mark],
  ])('Write over %j of %j', (current, content, after) =>
    expect(made('Write', { content }, current)).toBe(after),
  )

  test('one edit after another', () => {
    expect(made('MultiEdit', { edits: [edit('a', 'b'), edit('b', 'c', true)] }, 'a b\r\n')).toBe('c c\r\n')
    expect(made('MultiEdit', { edits: [edit('', 'a'), edit('a', 'b')] }, null)).toBe('b')
    expect(made('MultiEdit', { edits: [edit('a', 'b'), edit('a', 'c')] }, 'a')).toBe('does-not-fit')
  })

  test('a call that is not understood, or changes nothing', () => {
    expect(made('Edit', { old_string: 'a' }, 'a')).toBe('not-understood')
    expect(editedPath('Write', null).ok).toBe(false)
    expect(editedPath('NotebookEdit', { notebook_path: '/n', new_source: '' })).toEqual({
      ok: true,
      value: '/n',
    })
    const same = inputFor('Edit', { file_path: path, ...edit('a', 'b') }, 'a', 'a')
    expect(same).toMatchObject({ failure: { code: 'unchanged' } })
    expect(objectionTo('Edit', { file_path: path, ...edit('a', 'b') }, 'a')('a')).toBe(null)
  })

  test('it is said beforehand where Edit ends other lines anew', () => {
    expect(lineEndsRemark('Edit', path, 'a\r\nb\r\nc\n')).toContain('mixed')
    expect(lineEndsRemark('Edit', path, 'a\r\nb\nc\n')).toBe(null)
    expect(lineEndsRemark('Edit', path, 'a\r\nb\r\n')).toBe(null)
    expect(lineEndsRemark('Write', path, 'a\r\nb\r\nc\n')).toBe(null)
  })
})

/** A file as the desk reads it. */
function onDisk(raw: string | null): DiskFile {
  if (raw === null) return { kind: 'absent', realPath: path }
  const { text, facts } = parseText(raw)
  const content = { kind: 'text', text, facts } as const
  return { kind: 'file', realPath: path, hash: '', size: 0, content, readOnly: false }
}

interface Deed {
  kind: 'edit' | 'accept' | 'reject' | 'undecide'
  at: number
  length: number
  insert: string
}

/** A review's content after what the person did. */
function decided(content: ReviewContent, deeds: readonly Deed[]): ReviewContent {
  if (content.kind !== 'text') return content
  let { draft } = content
  for (const { kind, at, length, insert } of deeds) {
    const from = Math.min(at, draft.b.length)
    const to = Math.min(from + length, draft.b.length)
    const hunk = draft.hunks[at % Math.max(1, draft.hunks.length)]?.number ?? 0
    const step =
      kind === 'edit'
        ? ({ kind, changes: ChangeSet.of({ from, to, insert }, draft.b.length) } as const)
        : { kind, hunk }
    draft = applyStep(draft, step)?.draft ?? draft
  }
  return { ...content, draft }
}

const word = fc.constantFrom(
  'a',
  'bb',
  ' c ',
  '“q”',
  '"',
  "'",
  'é',
  '\\u00e9',
  '$&',
  '\r',
  '\t',
  'x'.repeat(40),
)
const line = fc.array(word, { maxLength: 3 }).map((words) => words.join(''))
const rawText = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    ends: fc.oneof(
      ...[['\n'], ['\r\n'], ['\r'], ['\n', '\r\n'], ['\n', '\r\n', '\r\n', '\r\n']].map((of) =>
        fc.array(fc.constantFrom(...of), { minLength: 12, maxLength: 12 }),
      ),
    ),
    mark: fc.constantFrom('', '', mark),
    isEnded: fc.boolean(),
  })
  .map(({ lines, ends, mark: first, isEnded }) => {
    const whole = lines.map((one, i) => one + (ends[i] ?? '\n')).join('')
    return first + (isEnded ? whole : whole.replace(/(\r\n|\n|\r)$/, ''))
  })
const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom<Deed['kind']>('edit', 'accept', 'reject', 'undecide'),
    at: fc.nat(200),
    length: fc.nat(6),
    insert: fc.constantFrom('', 'z', '\n', 'new\n', '\nq', '“'),
  }),
  { maxLength: 6 },
)
const piece = fc.record({ at: fc.nat(300), length: fc.nat(20), by: line, all: fc.boolean() })

/** Edits that fit, each a piece of the text as the tool before left it. */
function editsOf(
  current: string | null,
  pieces: readonly { at: number; length: number; by: string; all: boolean }[],
) {
  const edits: { old_string: string; new_string: string; replace_all: boolean }[] = []
  let text = (current ?? '').replace(mark, '').replaceAll('\r\n', '\n')
  for (const { at, length, by, all } of pieces) {
    const from = at % (text.length + 1)
    const old_string = text.trim() === '' ? '' : text.slice(from, from + length)
    const one = { old_string, new_string: by, replace_all: all }
    const after = replaceAsClaude(text, one)
    if (after === null) continue
    edits.push(one)
    text = after
  }
  return edits
}

const linesOf = (text: string) => text.split(/(?<!\r)\r*\n/)

test('whatever is kept, dropped or typed, the tool writes exactly what was accepted', async () => {
  let exact = 0
  let partial = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<EditTool>('Edit', 'Write', 'MultiEdit'),
      fc.option(rawText),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      rawText,
      deeds,
      async (tool, current, pieces, content, all) => {
        const edits = editsOf(current, pieces)
        const [first] = edits
        if (!first) return
        const input = {
          file_path: path,
          ...(tool === 'Edit' ? first : tool === 'Write' ? { content } : { edits }),
        }
        const proposal = proposedBy(tool, input, current)
        if (!proposal.ok) throw new Error(proposal.failure.message)
        const content_ = decided(await compare(onDisk(current), proposal.value.proposed, undefined), all)
        const accepted = acceptedContentOf(content_).text
        const told = inputFor(tool, input, current, accepted)
        if (!told.ok) {
          // Where only line ends differ, and the program gives all lines those that they have.
          expect(told.failure.code).toBe('unchanged')
          expect(linesOf(accepted)).toEqual(linesOf(current ?? ''))
          return
        }
        const written = made(tool, told.value, current)
        expect(linesOf(written)).toEqual(linesOf(accepted))
        // Edit can't keep a CR before a CRLF either.
        if (lineEndsRemark(tool, path, current) !== null || accepted.includes('\r\r\n')) return
        expect(written).toBe(accepted)
        exact++
        if (written !== proposal.value.proposed) partial++
        const bytes = (raw: string) => encodeText(parseText(raw).text, parseText(raw).facts)
        expect(bytes(written)).toEqual(bytes(accepted))
      },
    ),
    { numRuns: 1000 },
  )
  expect(exact).toBeGreaterThan(200)
  expect(partial).toBeGreaterThan(50)
})

const cell = (id: string | null, source: unknown, type = 'code') => ({
  ...(id === null ? {} : { id }),
  cell_type: type,
  metadata: {},
  ...(type === 'code' ? { execution_count: 3, outputs: [{ text: 'x' }] } : {}),
  source,
})
const notebook = (cells: unknown[], nbformat_minor = 5) => ({
  cells,
  metadata: {},
  nbformat: 4,
  nbformat_minor,
})
const two = notebook([cell('aa', ['import x\n', 'x()']), cell('bb', '# T', 'markdown')])
const raw = `${JSON.stringify(two, null, 1)}\n`
const call = (more: object) => ({ notebook_path: path, new_source: 'q', ...more })

describe('NotebookEdit', () => {
  test.each([
    [{ cell_id: 'aa' }, [{ ...cell('aa', 'q'), execution_count: null, outputs: [] }, two.cells[1]]],
    [{ cell_id: 'cell-1' }, [two.cells[0], cell('bb', 'q', 'markdown')]],
    [
      { cell_id: 'bb', cell_type: 'code' },
      [two.cells[0], { ...cell('bb', 'q', 'markdown'), cell_type: 'code' }],
    ],
    [{ cell_id: 'aa', edit_mode: 'delete' }, [two.cells[1]]],
  ])('of %j', (more, cells) => {
    const after = `${JSON.stringify(notebook(cells), null, 1)}\n`
    expect(made('NotebookEdit', call(more), raw)).toBe(after)
    const wide = mark + JSON.stringify(two, null, 4).replaceAll('\n', '\r\n')
    expect(made('NotebookEdit', call(more), wide)).toBe(mark + after.trimEnd().replaceAll('\n', '\r\n'))
  })

  test('a new cell in a notebook without ids, and what can’t be done', () => {
    const old = JSON.stringify(notebook([cell(null, 'a')], 4), null, 1)
    const insert = { edit_mode: 'insert', cell_type: 'code' }
    const added = { cell_type: 'code', source: 'q', metadata: {}, execution_count: null, outputs: [] }
    const after = (cells: unknown[]) => JSON.stringify(notebook(cells, 4), null, 1)
    expect(made('NotebookEdit', call(insert), old)).toBe(after([added, cell(null, 'a')]))
    expect(made('NotebookEdit', call({ ...insert, cell_id: 'cell-0' }), old)).toBe(
      after([cell(null, 'a'), added]),
    )
    expect(made('NotebookEdit', call({}), raw)).toBe('not-found')
    expect(made('NotebookEdit', call({ cell_id: 'cell-2' }), raw)).toBe('not-found')
    expect(made('NotebookEdit', call({ cell_id: 'aa' }), 'no')).toBe('not-a-notebook')
    expect(made('NotebookEdit', call({ cell_id: 'aa' }), null)).toBe('absent')
  })

  test('a new cell with an id is what was accepted, whichever id it got', () => {
    const input = call({ edit_mode: 'insert', cell_type: 'code', cell_id: 'aa' })
    const result = proposedBy('NotebookEdit', input, raw)
    if (!result.ok) throw new Error(result.failure.message)
    const { proposed, holds } = result.value
    const [first, second] = two.cells
    const withId = (id: string, source = 'q') => {
      const added = { cell_type: 'code', id, source, metadata: {}, execution_count: null, outputs: [] }
      return `${JSON.stringify(notebook([first, added, second]), null, 1)}\n`
    }
    expect(proposed).toBe(withId('given-by-claude'))
    expect(holds?.(withId('1a2b3c4d'), proposed)).toBe(true)
    expect(holds?.(withId('1a2b3c4d', 'r'), proposed)).toBe(false)
    expect(holds?.(withId('1"2'), proposed)).toBe(false)
    expect(holds?.(raw, proposed)).toBe(false)
    expect(remarkOn('NotebookEdit', result.value, raw)).toContain('“given-by-claude”')
    // Another source can be told, but no other id.
    const told = inputFor('NotebookEdit', input, raw, withId('given-by-claude', 'r "id": "given-by-claude"'))
    expect(told).toMatchObject({ ok: true, value: { new_source: 'r "id": "given-by-claude"' } })
    expect(inputFor('NotebookEdit', input, raw, withId('mine'))).toMatchObject({
      failure: { code: 'untellable' },
    })
    const plain = proposedBy('NotebookEdit', call({ cell_id: 'aa' }), raw)
    expect(plain).toMatchObject({ ok: true, value: { holds: null } })
  })

  test('keeps the order of keys, and what JSON itself doesn’t keep is as the program leaves it', () => {
    const odd = raw.replace('"metadata": {},\n "nbformat"', '"metadata": {"b": 1.0, "a": 1e5},\n "nbformat"')
    expect(made('NotebookEdit', call({ cell_id: 'bb' }), odd)).toContain('"b": 1,\n  "a": 100000')
  })

  test('another source can be told, nothing else', () => {
    const input = call({ cell_id: 'aa' })
    const proposed = made('NotebookEdit', input, raw)
    const told = (text: string) => {
      const result = inputFor('NotebookEdit', input, raw, text)
      return result.ok ? result.value['new_source'] : result.failure.code
    }
    expect(told(proposed)).toBe('q')
    expect(told(proposed.replace('"q"', '"r\\nß"'))).toBe('r\nß')
    expect(told(proposed.replace('"q"', '["r\\n", "s"]'))).toBe('untellable')
    expect(told(proposed.replace('# T', '# U'))).toBe('untellable')
    expect(told(`${proposed}\n`)).toBe('untellable')
    expect(told(raw)).toBe('unchanged')
    expect(objectionTo('NotebookEdit', input, raw)(`${proposed} `)).toContain('source')
    const gone = made('NotebookEdit', call({ cell_id: 'aa', edit_mode: 'delete' }), raw)
    const whole = inputFor('NotebookEdit', call({ cell_id: 'aa', edit_mode: 'delete' }), raw, gone)
    expect(whole).toMatchObject({ ok: true, value: { edit_mode: 'delete' } })
  })

  test('any source comes through', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('\n', '\r\n'), fc.boolean(), (source, end, hasMark) => {
        const current = (hasMark ? mark : '') + raw.replaceAll('\n', end)
        const accepted = made('NotebookEdit', call({ cell_id: 'bb', new_source: source }), current)
        const told = inputFor('NotebookEdit', call({ cell_id: 'bb' }), current, accepted)
        if (accepted === current) return !told.ok
        return told.ok && made('NotebookEdit', told.value, current) === accepted
      }),
    )
  })
})
