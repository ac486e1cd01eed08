import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeToolKind, claudeToolTitle } from './claude-tools'
import { readTool } from './tool-reading'
import type { ToolCall } from './transcript'

function call(name: string, input: unknown, text = '', detail?: unknown): ToolCall {
  const result = { content: [{ kind: 'text' as const, text }], isError: false, detail, offset: 0 }
  const base = {
    id: 't',
    state: 'done' as const,
    progress: null,
    agent: null,
    startedAt: null,
    endedAt: null,
  }
  return { ...base, kind: claudeToolKind(name), name, title: claudeToolTitle(name), input, result }
}

describe('a tool', () => {
  test('whose input is still being written says what it is about as far as that is there', () => {
    const begun = (name: string, input: string) =>
      readTool({ ...call(name, input), state: 'open', result: null })
    expect(begun('Bash', '')).toMatchObject({ subject: '', body: { kind: 'begun', text: '' } })
    expect(begun('Bash', '{"command":"npm te')).toMatchObject({ subject: 'npm te', body: { kind: 'begun' } })
    expect(begun('Edit', '{"file_path":"/p/a.ts","old_string":"x","new_str')).toMatchObject({
      ...{ subject: '/p/a.ts', path: '/p/a.ts', line: null },
      body: { kind: 'begun', text: '{"file_path":"/p/a.ts","old_string":"x","new_str' },
    })
  })

  test('that started a sub-agent shows what that gave back, and nothing that was written for the model', () => {
    const given = (detail: unknown) => readTool(call('Agent', { prompt: 'look' }, 'framed', detail)).body
    const told = ['a note', 'what it found', 'and more', 'a tail'].map((text) => ({ type: 'text', text }))
    const counts = { harnessNoteCount: 1, harnessTailCount: 1 }
    expect(given({ status: 'completed', content: told, ...counts })).toMatchObject({
      kind: 'task',
      text: 'what it found\nand more',
    })
    expect(given({ status: 'completed', content: told.slice(1, 2) })).toMatchObject({ text: 'what it found' })
    expect(given({ status: 'async_launched' })).toMatchObject({ text: '' })
    // Of older versions, and of shapes that are not known, as it came.
    expect(given('other')).toMatchObject({ text: 'framed' })
    expect(given({ content: [] })).toMatchObject({ text: 'framed' })
  })

  test('that ran a command shows it and what it printed', () => {
    expect(
      readTool(call('Bash', { command: 'npm test\necho x' }, 'all', { stdout: 'ok', stderr: 'bad' })),
    ).toEqual({
      name: 'Bash',
      subject: 'npm test',
      path: null,
      line: null,
      body: {
        kind: 'run',
        command: 'npm test\necho x',
        output: 'ok',
        errors: 'bad',
        inBackground: false,
      },
    })
    expect(readTool(call('Bash', { command: 'x' }, 'told', 'Error: no')).body).toMatchObject({
      output: 'told',
    })
  })

  test('that read a file shows it without the numbers made for the model', () => {
    expect(
      readTool(call('Read', { file_path: '/a.ts', offset: 4 }, '     4→let a\n     5→let b')),
    ).toMatchObject({
      subject: '/a.ts',
      path: '/a.ts',
      line: 4,
      body: { kind: 'read', text: 'let a\nlet b', firstLine: 4, totalLines: null },
    })
    const detail = { file: { content: 'x', startLine: 2, totalLines: 9 } }
    expect(readTool(call('Read', { file_path: '/a' }, 'y', detail)).body).toMatchObject({
      text: 'x',
      totalLines: 9,
    })
  })

  test('that searched shows for what and where', () => {
    const found = readTool(
      call('Grep', { pattern: 'foo.*', path: 'src' }, '', { filenames: ['a', 'b'], numFiles: 2 }),
    )
    expect(found).toMatchObject({ subject: 'foo.* in src', body: { kind: 'search', text: 'a\nb', files: 2 } })
  })

  test('that keeps a list shows it', () => {
    const todos = [
      { content: 'one', status: 'completed' },
      { content: 'two', status: 'in_progress' },
      { content: 'three', status: 'pending' },
      'no',
    ]
    expect(readTool(call('TodoWrite', { todos }))).toMatchObject({
      subject: '1 of 3 done',
      body: { todos: [{ state: 'done' }, { state: 'active' }, { state: 'pending' }] },
    })
  })

  test('that asked shows the questions and what was answered', () => {
    const questions = [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }]
    expect(readTool(call('AskUserQuestion', { questions }, '', { answers: { 'Which?': 'B' } })).body).toEqual(
      {
        kind: 'ask',
        questions: [{ question: 'Which?', options: ['A', 'B'], answer: 'B' }],
      },
    )
  })

  test('that is not known shows what it was given', () => {
    const reading = readTool(call('mcp__git_hub__get_issue', { number: 4, title: 'A bug\nand more' }, 'text'))
    expect(reading).toMatchObject({
      name: 'get issue (git_hub)',
      subject: 'A bug',
      body: { kind: 'other', text: 'text' },
    })
    expect(claudeToolTitle('')).toBe('Tool')
  })

  test('is read whatever it was given', () => {
    const names = [
      'Bash',
      'Read',
      'Grep',
      'Task',
      'TodoWrite',
      'WebFetch',
      'ExitPlanMode',
      'AskUserQuestion',
      'Edit',
      'X',
    ]
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.anything(), fc.anything(), (name, input, detail) => {
        const { subject } = readTool(call(name, input, 'x', detail))
        expect(subject.length).toBeLessThan(400)
        expect(subject).not.toContain('\n')
      }),
    )
  })
})
