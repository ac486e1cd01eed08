import { expect, test } from 'vitest'
import { writesItsPlan } from './plan-file'

test('the plan of a planning agent is known by its place among the agent’s own files', () => {
  const input = {
    hook_event_name: 'PreToolUse',
    permission_mode: 'plan',
    transcript_path: '/home/a/.claude/projects/-work/1.jsonl',
    tool_input: { file_path: '/home/a/.claude/plans/hi-agile-bee.md' },
  }
  expect(writesItsPlan(input)).toBe(true)
  expect(writesItsPlan({ ...input, permission_mode: 'default' })).toBe(false)
  for (const path of [
    '/home/a/.claude/plans/deep/er.md',
    '/home/a/.claude/plans/../settings.md',
    '/home/a/.claude/plans/settings.json',
    '/work/plans/hi.md',
    7,
  ]) {
    expect(writesItsPlan({ ...input, tool_input: { file_path: path } }), String(path)).toBe(false)
  }
  expect(writesItsPlan({ ...input, transcript_path: undefined })).toBe(false)
  expect(writesItsPlan({ ...input, tool_input: null })).toBe(false)
})
