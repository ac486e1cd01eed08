import { expect, test } from 'vitest'
import { claudeToolKind, claudeToolTitle } from './claude-tools'
import { readTool } from './tool-reading'
import type { ToolCall, ToolKind } from './transcript'

test('a tool of Claude Code is known by its kind, one of a server by its name', () => {
  expect(
    ['Bash', 'Read', 'MultiEdit', 'Grep', 'WebSearch', 'TodoWrite', 'Task', 'Else'].map(claudeToolKind),
  ).toEqual([...['run', 'read', 'edit', 'search', 'fetch', 'plan', 'task', 'other']])
  expect(claudeToolTitle('mcp__github__get_issue')).toBe('get issue (github)')
})

test('what is shown of a tool depends on its kind, whatever its agent calls it', () => {
  const read = (kind: ToolKind, input: unknown) => {
    const call: ToolCall = {
      ...{ id: 't', kind, name: 'x', title: 'Anything', input, state: 'done' },
      ...{ progress: null, agent: null, startedAt: null, endedAt: null },
      result: { content: [{ kind: 'text', text: 'said' }], isError: false, detail: undefined, offset: 0 },
    }
    const { name, subject, path, body } = readTool(call)
    return { name, subject, path, kind: body.kind }
  }
  expect(read('run', { command: 'ls' })).toEqual({ name: 'Anything', subject: 'ls', path: null, kind: 'run' })
  expect(read('read', { path: '/a' })).toMatchObject({ subject: '/a', path: '/a', kind: 'read' })
  expect(read('think', { thought: 'hm' })).toMatchObject({ subject: 'hm', kind: 'think' })
  expect(read('plan', { plan: '# do' })).toMatchObject({ subject: 'do', kind: 'plan' })
  expect(read('edit', { patch: '' })).toMatchObject({ kind: 'other' })
})
