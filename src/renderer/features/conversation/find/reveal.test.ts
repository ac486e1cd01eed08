import { expect, test } from 'vitest'
import { readQuery } from '../../../../shared/conversation/session-query'
import type { Item } from '../../../../shared/conversation/transcript'
import { placeOfReveal } from './reveal'

const call = { id: 'ls', name: 'Bash', input: { command: 'ls lamps' }, state: 'done' as const }
const item: Item = {
  ...{ id: 'm:1', kind: 'reply', offset: 0, at: null, branches: null, model: null, usage: null },
  ...{ costUSD: null, stopReason: null, isError: false },
  blocks: [
    { kind: 'text', text: 'Only lamps' },
    { kind: 'text', text: 'Lamps, and their screws' },
    {
      kind: 'tool',
      call: {
        ...{
          ...call,
          kind: 'run',
          title: call.name,
          progress: null,
          agent: null,
          startedAt: null,
          endedAt: null,
        },
        result: { content: [], isError: false, detail: { stdout: 'lamps screws', stderr: '' }, offset: 1 },
      },
    },
  ],
}

test('a hit is shown in the part of its message that has all words, a tool’s in the tool', () => {
  const place = (typed: string, isTool: boolean) =>
    placeOfReveal(item, { query: readQuery(typed), isTool }, 'normal').part
  expect(place('screws lamps', false)).toBe('m:1/1')
  expect(place('screws lamps', true)).toBe('m:1/ls')
  // What is searched may be shown in other words.
  expect(place('lamps elsewhere', false)).toBe('m:1/0')
  expect(place('elsewhere', false)).toBe('m:1')
})
