import { expect, it } from 'vitest'
import type { Item, ToolCall } from '../../../../shared/conversation/transcript'
import { sumUp } from './work-sum'

it('sums up what was done, and compares the texts of an edit only once', () => {
  let readings = 0
  const call = (name: string, input: object): ToolCall => ({
    ...{
      id: name,
      kind: 'other',
      name,
      title: name,
      state: 'done',
      progress: null,
      agent: null,
      startedAt: null,
      endedAt: null,
    },
    result: { content: [], isError: false, detail: {}, offset: 0 },
    get input() {
      readings++
      return input
    },
  })
  const calls = [
    call('Edit', { file_path: '/a.ts', old_string: 'one\ntwo', new_string: 'one\n2\n3' }),
    call('Bash', { command: 'ls' }),
    call('Bash', { command: 'ls' }),
  ]
  const item: Item = {
    ...{ id: 'm', kind: 'reply', offset: 0, at: null, branches: null, model: null, usage: null },
    ...{ costUSD: null, stopReason: null, isError: false },
    blocks: calls.map((one) => ({ kind: 'tool', call: one })),
  }
  expect(sumUp([item])).toEqual({ subject: 'Edit, Bash 2', added: 2, removed: 1, steps: 3 })
  const after = readings
  expect(sumUp([item])).toEqual({ subject: 'Edit, Bash 2', added: 2, removed: 1, steps: 3 })
  expect(readings).toBe(after)
})
