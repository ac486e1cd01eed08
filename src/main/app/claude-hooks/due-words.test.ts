import { beforeEach, expect, test } from 'vitest'
import type { HookCall } from '../../protocols/claude-hooks/hook-wire'
import { DueWords } from './due-words'

let due: DueWords
let typed: string[]
const otherwise = () => void typed.push('typed')
const call = (name: HookCall['hook_event_name'], id = '1', path = '/a.txt'): HookCall =>
  ({
    hook_event_name: name,
    session_id: 's',
    cwd: '/',
    tool_use_id: id,
    tool_name: 'Write',
    tool_input: { file_path: path, content: 'x' },
  }) as HookCall
type After = Parameters<DueWords['take']>[0]

beforeEach(() => {
  due = new DueWords()
  typed = []
})

test('words wait for the tool that writes the file, and are told once', () => {
  due.begin(call('PreToolUse'), 'c')
  expect(due.give('c', '/a.txt', 'why?', otherwise)).toBe(true)
  expect(due.take(call('PostToolUse', '2') as After)).toBeNull()
  expect(due.take(call('PostToolUse') as After)?.words).toBe('why?')
  expect(due.take(call('PostToolUse') as After)).toBeNull()
  expect(typed).toEqual([])
})

test('nobody takes words about what no tool is about to write', () => {
  due.begin(call('PreToolUse'), 'c')
  expect(due.give('other', '/a.txt', 'why?', otherwise)).toBe(false)
  expect(due.give('c', '/b.txt', 'why?', otherwise)).toBe(false)
  due.take(call('PostToolUse') as After)
  expect(due.give('c', '/a.txt', 'why?', otherwise)).toBe(false)
})

test.each(['PostToolUseFailure', 'UserPromptSubmit', 'ConfigChange', 'SessionEnd'] as const)(
  'after %s without the tool’s result they are typed, once',
  (name) => {
    due.begin(call('PreToolUse'), 'c')
    due.give('c', '/a.txt', 'why?', otherwise)
    due.hear(call(name))
    due.hear(call(name))
    expect(typed).toEqual(['typed'])
    expect(due.take(call('PostToolUse') as After)).toBeNull()
  },
)

test('where nothing is heard any more they are typed, and nobody takes others', () => {
  due.begin(call('PreToolUse', '1'), 'c')
  due.begin(call('PreToolUse', '2', '/b.txt'), 'c')
  due.give('c', '/a.txt', 'why?', otherwise)
  due.end()
  expect(typed).toEqual(['typed'])
  expect(due.give('c', '/b.txt', 'why?', otherwise)).toBe(false)
})

test('two calls for one file have their own words', () => {
  due.begin(call('PreToolUse', '1'), 'c')
  due.begin(call('PreToolUse', '2'), 'c')
  expect(due.give('c', '/a.txt', 'second', otherwise)).toBe(true)
  expect(due.give('c', '/a.txt', 'first', otherwise)).toBe(true)
  expect(due.take(call('PostToolUse', '1') as After)?.words).toBe('first')
  expect(due.take(call('PostToolUse', '2') as After)?.words).toBe('second')
})
