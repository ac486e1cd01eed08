import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EditTool,
  inputFor,
  isEditTool,
  lineEndsRemark,
  proposedBy,
} from '../../src/main/protocols/claude-tools/edit-tools'
import { decodeText, encodeText, parseText, restoreText } from '../../src/shared/text/text-facts'
import { type ClaudeHome, makeClaudeHome } from './claude-home'
import { installClaudeCode } from './install-cli'
import { type MessagesApi, say, startMessagesApi, use } from './messages-api'
import { type ControlRequest, type StdioClaude, startStdioClaude } from './stdio-claude'

/** The real program writes by what our arithmetic says: as proposed, and as accepted. One program for all cases. */
interface Case {
  name: string
  /** Null: there is no file. */
  before: string | Uint8Array | null
  tool: EditTool
  input: Record<string, unknown>
  /** What the person makes of the proposal; absent: it is accepted as proposed, and goes back as it came. */
  accepted?: (proposed: string) => string
}

const installed = await installClaudeCode()
let home: ClaudeHome
let api: MessagesApi
let claude: StdioClaude
let current: (Case & { path: string }) | null = null
let step = 0
let asked: { proposed: string; accepted: string } | { failed: string } | null = null

const rawOf = (bytes: Uint8Array): string => {
  const decoded = decodeText(bytes)
  if (decoded.kind === 'binary') throw new Error('no text')
  return restoreText(decoded.text, decoded.facts)
}

async function answer(request: ControlRequest): Promise<unknown> {
  if (request.subtype === 'hook_callback')
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }
  const { tool_name: tool = '', input = {} } = request
  if (!current || !isEditTool(tool)) return { behavior: 'allow', updatedInput: input }
  const before = await readFile(current.path).then(rawOf, () => null)
  const proposal = proposedBy(tool, input, before)
  if (!proposal.ok) {
    asked = { failed: proposal.failure.code }
    return { behavior: 'deny', message: proposal.failure.message }
  }
  const { proposed } = proposal.value
  const accepted = current.accepted?.(proposed) ?? proposed
  asked = { proposed, accepted }
  if (!current.accepted) return { behavior: 'allow', updatedInput: input }
  const told = inputFor(tool, input, before, accepted)
  if (told.ok) return { behavior: 'allow', updatedInput: told.value }
  asked = { failed: told.failure.code }
  return { behavior: 'deny', message: told.failure.message }
}

beforeAll(async () => {
  if ('skipped' in installed) return
  api = await startMessagesApi((request) => {
    if (!request.main || !current) return say('ok')
    const { tool, path, input, before } = current
    const at = tool === 'NotebookEdit' ? { notebook_path: path } : { file_path: path }
    step++
    if (step === 1 && before !== null) return use({ name: 'Read', input: { file_path: path } })
    return step === (before === null ? 1 : 2) ? use({ name: tool, input: { ...at, ...input } }) : say('done')
  })
  home = await makeClaudeHome(api.url)
  claude = startStdioClaude({ path: installed.path, home, answer })
  const hook = { matcher: 'Edit|Write|MultiEdit|NotebookEdit', hookCallbackIds: ['cb0'], timeout: 86_400 }
  await claude.control({ subtype: 'initialize', hooks: { PreToolUse: [hook] } })
})

afterAll(async () => {
  if ('skipped' in installed) return
  await claude.end()
  await api.close()
  await home.remove()
})

/** What the program asked, and the bytes on disk afterwards. */
async function run(one: Case): Promise<{ asked: typeof asked; after: Uint8Array | null }> {
  const path = join(home.project, `a${one.tool === 'NotebookEdit' ? '.ipynb' : '.ts'}`)
  await rm(path, { force: true })
  if (one.before !== null) await writeFile(path, one.before)
  current = { ...one, path }
  step = 0
  asked = null
  await claude.prompt(`Do ${one.name}.`)
  return { asked, after: await readFile(path).catch(() => null) }
}

const mark = '\ufeff'
const utf16 = (text: string) => encodeText(text, { encoding: 'utf-16le', bom: true, eol: 'lf' })
const lines = 'one\ntwo\n\nthree\nfour\nfive\nsix\n'
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

const files: Record<string, string | Uint8Array> = {
  LF: lines,
  CRLF: crlf(lines),
  'byte order mark': mark + lines,
  'byte order mark and CRLF': mark + crlf(lines),
  'no final newline': lines.trimEnd(),
  'CRLF, no final newline': crlf(lines.trimEnd()),
  'mixed, mostly LF': lines.replace('\n', '\r\n'),
  'lone CRs': lines.replace('one', 'o\rn\re'),
  'UTF-16': utf16(lines),
}

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
})
const lineByLine = edit('two\n\nthree', 'TWO\n  \nTHREE')
const tools: [EditTool, Record<string, unknown>, readonly string[]][] = [
  ['Edit', lineByLine, ['whole', 'part', 'typed', 'emptied']],
  ['Edit', edit('o', 'Ö', true), ['part']],
  ['Write', { content: 'one\nTWO\n\nthree\nfive\nsix\nseven  \n' }, ['typed', 'emptied']],
]

/** What a person may make of a proposal, in the file's own ends. */
const decisions: Record<string, (proposed: string) => string> = {
  whole: (proposed) => proposed,
  part: (proposed) => proposed.replace(/TWO|tw[oÖ]/, 'two'),
  typed: (proposed) => {
    const { text, facts } = parseText(proposed)
    return restoreText(`“typed” \\u00e9 $& \n${text}\t `, facts)
  },
  emptied: (proposed) => (proposed.startsWith(mark) ? mark : ''),
}

describe.skipIf('skipped' in installed)('the real command line writes what was accepted', () => {
  const cases = tools.flatMap(([tool, input, ways]) =>
    Object.keys(files).flatMap((file) => ways.map((way) => ({ tool, input, file, way }))),
  )
  test.each(cases)('$tool in a file with $file: $way', async ({ tool, input, file, way }) => {
    const before = files[file] ?? ''
    const isCrlf = file.includes('CRLF')
    // The review has taken a Write with other line ends over into the file's own.
    const accepted = (proposed: string) =>
      decisions[way]?.(isCrlf ? crlf(proposed.replaceAll('\r', '')) : proposed) ?? proposed
    const done = await run({ name: way, before, tool, input, accepted })
    if (!done.asked || 'failed' in done.asked) throw new Error(JSON.stringify(done.asked))
    const { text, facts } = parseText(done.asked.accepted)
    const encoding = typeof before === 'string' ? 'utf-8' : 'utf-16le'
    expect(done.after).toEqual(Buffer.from(encodeText(text, { ...facts, encoding })))
  })

  test('new files, by both tools', async () => {
    for (const [tool, input] of [
      ['Write', { content: 'a\n' }],
      ['Edit', edit('', 'a\n')],
    ] as const) {
      for (const text of ['a\n', 'b \r\nc', `${mark}d`, '']) {
        const { after } = await run({ name: 'new', before: null, tool, input, accepted: () => text })
        expect(after?.toString()).toBe(text)
      }
    }
  })

  test('an Edit in a file with mixed ends, mostly CRLF, ends all lines alike, which is said', async () => {
    const before = crlf(lines).replace('\r\n', '\n')
    expect(lineEndsRemark('Edit', '/p/a.ts', before)).not.toBe(null)
    const { after } = await run({
      name: 'mixed',
      before,
      tool: 'Edit',
      input: lineByLine,
      accepted: (proposed) => proposed.replace('\r\n', '\n'),
    })
    expect(after?.toString()).toBe(
      crlf(lines.replace('two\n\nthree', 'TWO\n  \nTHREE')).replace('  \r\n', '\r\n'),
    )
  })

  const curly = 'say “a” or ‘b’ — x\n\\u00e9 \\u00E9\n'
  const asItCame: [string | null, Record<string, unknown>][] = [
    [curly, edit('say "a" or', `("c") ["d"] -"e" it's 'f' —"g"`)],
    [curly, edit(`'b'`, `"c" 'd' don't ('e')`)],
    [curly, edit('é ', 'ö “q” 😀 ')],
    [curly, edit('say “a” or ‘b’ — x', '')],
    ['x a\nb\nca', edit('a', '', true)],
    ['a\nb\n', edit('b', 'B\r\n $& $1')],
    ['a\r\nb\r\n', edit('a\nb', 'x\r\ny\nz')],
    ['a\nb\r\nc\nd\r\n', edit('a', 'B')],
    ['a\r\r\nb\r\n', edit('b', 'B')],
    [`${mark}${mark}a\n`, edit('a', `${mark}x`)],
    [' \n\n', edit('', 'x')],
    [mark, edit('', 'x')],
    [`HEAD\r\n${'xxxxxxxxx\r\n'.repeat(200)}${'xxxxxxxxx\n'.repeat(2000)}`, edit('HEAD', 'H')],
    [`HEAD\r\n${'ééééééééé\r\n'.repeat(150)}${'xxxxxxxxx\n'.repeat(4000)}`, edit('HEAD', 'H')],
    [null, edit('', 'x\r\ny')],
  ]
  test.each(asItCame)('Edit as it came: %#', async (before, input) => {
    const done = await run({ name: 'as it came', before, tool: 'Edit', input })
    if (!done.asked || 'failed' in done.asked) throw new Error(JSON.stringify(done.asked))
    expect(done.after?.toString()).toBe(done.asked.proposed)
  })
})

const cell = (id: string | null, source: unknown, type = 'code') => ({
  ...(id === null ? {} : { id }),
  cell_type: type,
  metadata: { b: 1, a: 1 },
  ...(type === 'code'
    ? { execution_count: 3, outputs: [{ output_type: 'stream', name: 'stdout', text: ['x\n'] }] }
    : {}),
  source,
})
const notebook = (cells: unknown[], minor = 5) => ({
  cells,
  metadata: {},
  nbformat: 4,
  nbformat_minor: minor,
})
const two = notebook([cell('aa', ['import x\n', 'x()']), cell('bb', '# T', 'markdown')])
const raw = JSON.stringify(two, null, 1)

describe.skipIf('skipped' in installed)('the real command line edits notebooks as we say', () => {
  const input = (more: object) => ({ new_source: 'y\r\n“z”  \n', ...more })
  const cases: [string, string, Record<string, unknown>][] = [
    ['a code cell', `${raw}\n`, input({ cell_id: 'aa' })],
    ['several newlines at the end', `${raw}\n\n`, input({ cell_id: 'aa' })],
    ['a cell by its index', raw, input({ cell_id: 'cell-1' })],
    ['another kind of cell', raw, input({ cell_id: 'aa', cell_type: 'markdown' })],
    [
      'a wide notebook with CRLF and a mark',
      mark + crlf(JSON.stringify(two, null, 4)),
      input({ cell_id: 'bb', cell_type: 'code' }),
    ],
    ['a removed cell', raw, { cell_id: 'aa', new_source: '', edit_mode: 'delete' }],
    [
      'a new cell in front of an older notebook',
      JSON.stringify(notebook([cell(null, 'a')], 4)),
      input({ cell_type: 'markdown', edit_mode: 'insert' }),
    ],
    [
      'a new cell in an older notebook',
      JSON.stringify(notebook([cell(null, 'a')], 4)),
      input({ cell_id: 'cell-0', cell_type: 'code', edit_mode: 'insert' }),
    ],
    [
      'what JSON does not keep',
      raw.replace('"b": 1', '"2": 1.0, "1": 1e5, "\\u00e9": 12345678901234567890'),
      input({ cell_id: 'aa' }),
    ],
  ]
  test.each(cases)('%s', async (name, before, more) => {
    const done = await run({ name, before, tool: 'NotebookEdit', input: more })
    if (!done.asked || 'failed' in done.asked) throw new Error(JSON.stringify(done.asked))
    expect(done.after?.toString()).toBe(done.asked.proposed)
  })

  const typed = (proposed: string) => proposed.replace('“z”', 'ä\\n')
  test('another source is told', async () => {
    const one: Case = {
      name: 'typed',
      before: raw,
      tool: 'NotebookEdit',
      input: input({ cell_id: 'aa' }),
      accepted: typed,
    }
    const done = await run(one)
    expect(done.after?.toString()).toContain('"y\\r\\nä\\n  \\n"')
    expect(done.after?.toString()).toBe(done.asked && 'accepted' in done.asked ? done.asked.accepted : '')
  })

  test.each(['code', 'markdown'])(
    'a new cell (%s) has an id of the program’s own, and no more',
    async (type) => {
      const more = input({ cell_id: 'aa', cell_type: type, edit_mode: 'insert' })
      const done = await run({
        name: 'added',
        before: raw,
        tool: 'NotebookEdit',
        input: more,
        accepted: typed,
      })
      const accepted = done.asked && 'accepted' in done.asked ? done.asked.accepted : ''
      const proposal = proposedBy('NotebookEdit', { notebook_path: '/n.ipynb', ...more }, raw)
      expect(proposal.ok && proposal.value.holds?.(String(done.after), accepted)).toBe(true)
      expect(String(done.after)).not.toContain('given-by-claude')
    },
  )
})
