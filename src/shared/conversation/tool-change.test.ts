import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFileChange } from './tool-change'
import type { ToolCall } from './transcript'

/** A call that is done; `detail` is what the tool says about itself. */
function call(name: string, input: unknown, detail?: unknown, state: ToolCall['state'] = 'done'): ToolCall {
  const result = { content: [], isError: false, detail, offset: 7 }
  return {
    id: 't',
    kind: 'edit',
    name,
    title: name,
    input,
    state,
    result,
    progress: null,
    agent: null,
    startedAt: null,
    endedAt: null,
  }
}

describe('what a tool changed', () => {
  test('is told with whole texts by the patch that was written', () => {
    const originalFile = 'one\ntwo\nthree\nfour\n'
    const change = readFileChange(
      call(
        'Edit',
        { file_path: '/p/a.ts', old_string: 'two', new_string: 'TWO' },
        {
          filePath: '/p/a.ts',
          originalFile,
          structuredPatch: [
            { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+2', ' three'] },
          ],
          userModified: true,
        },
      ),
    )
    expect(change).toEqual({
      path: '/p/a.ts',
      whole: { before: originalFile, after: 'one\n2\nthree\nfour\n' },
      parts: [{ line: 1, before: 'one\ntwo\nthree', after: 'one\n2\nthree' }],
      isNew: false,
      isEverywhere: false,
      added: 1,
      removed: 1,
    })
  })

  test('is not told whole where the patch does not fit and the person changed it', () => {
    const detail = (userModified: boolean) => ({
      filePath: '/p/a.ts',
      originalFile: '\tone\n',
      oldString: 'one',
      newString: 'two',
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-  one', '+  two'] }],
      userModified,
    })
    const input = { file_path: '/p/a.ts', old_string: 'one', new_string: 'two' }
    expect(readFileChange(call('Edit', input, detail(true)))?.whole).toBeNull()
    expect(readFileChange(call('Edit', input, detail(false)))?.whole).toEqual({
      before: '\tone\n',
      after: '\ttwo\n',
    })
  })

  test('of a replacement that fits twice and was meant once is not known whole', () => {
    const input = { file_path: '/a', old_string: 'x', new_string: 'y' }
    const detail = { originalFile: 'x x' }
    expect(readFileChange(call('Edit', input, detail))?.whole).toBeNull()
    expect(readFileChange(call('Edit', { ...input, replace_all: true }, detail))?.whole?.after).toBe('y y')
  })

  test('of a new file is the file; of an old one what it was before', () => {
    const made = readFileChange(
      call(
        'Write',
        { file_path: '/a', content: 'a\nb\n' },
        { type: 'create', content: 'a\nb\n', originalFile: null },
      ),
    )
    expect(made).toMatchObject({
      isNew: true,
      whole: { before: null, after: 'a\nb\n' },
      added: 2,
      removed: 0,
    })
    const written = readFileChange(
      call('Write', { file_path: '/a', content: 'b' }, { type: 'update', content: 'b', originalFile: 'a' }),
    )
    expect(written).toMatchObject({ isNew: false, whole: { before: 'a', after: 'b' }, added: 1, removed: 1 })
  })

  test('says nothing of the lines that a file held, as long as nobody has told', () => {
    const input = { file_path: '/a', content: 'a\nb\n' }
    for (const state of ['open', 'refused'] as const)
      expect(readFileChange(call('Write', input, undefined, state))).toMatchObject({
        added: 2,
        removed: null,
      })
    const cell = { notebook_path: '/a', new_source: 'a' }
    expect(readFileChange(call('NotebookEdit', cell))).toMatchObject({ added: 1, removed: null })
  })

  test('is what was meant where nothing came of it', () => {
    const input = { file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }, 3, { old_string: 'c' }] }
    expect(readFileChange(call('MultiEdit', input, 'Error', 'refused'))).toMatchObject({
      whole: null,
      parts: [{ line: null, before: 'a', after: 'b' }],
    })
  })

  test('is nothing for other tools, and never a throw for any shape', () => {
    expect(readFileChange(call('Read', { file_path: '/a' }))).toBeNull()
    expect(readFileChange(call('Write', { content: 'x' }))).toBeNull()
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (input, detail) => {
        readFileChange(call('Edit', input, detail))
      }),
    )
  })

  test('puts together exactly what a true patch says, whatever the lines', () => {
    const line = fc.constantFrom('', 'a', 'b', ' c', '-d', '+e')
    const lines = fc.array(line, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const patch = {
          oldStart: 1,
          newStart: 1,
          lines: [...before.map((text) => `-${text}`), ...after.map((text) => `+${text}`)],
        }
        const change = readFileChange(
          call(
            'Edit',
            { file_path: '/a', old_string: 'x', new_string: 'y' },
            { originalFile: before.join('\n'), structuredPatch: [patch] },
          ),
        )
        expect(change?.whole?.after).toBe(after.join('\n'))
      }),
    )
  })
})
