import { describe, expect, test } from 'vitest'
import { SessionTranscript } from '../../../../shared/conversation/session-transcript'
import type { SourceLine } from '../../../../shared/conversation/transcript'
import { findAll, findPattern, type FindState } from './find'
import { describeLines, layOutRows } from '../list/rows'

const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
})
const reply = (uuid: string, parentUuid: string, ...content: unknown[]) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { role: 'assistant', id: uuid, content },
})
const text = (value: string) => ({ type: 'text', text: value })

function transcriptOf(records: readonly unknown[]): SessionTranscript {
  const made = new SessionTranscript()
  made.add(
    records.map((record, index): SourceLine =>
      typeof record === 'string'
        ? { offset: index, bytes: 1, record: undefined, flaw: 'not-json', head: record }
        : { offset: index, bytes: 1, record },
    ),
  )
  return made
}

const records = [
  user('a', null, 'Find the needle'),
  reply('b', 'a', text('no'), { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'grep needle' } }),
  user('c', 'b', [{ type: 'tool_result', tool_use_id: 't', content: 'x' }], {
    toolUseResult: { stdout: 'a Needle\nanother needle', stderr: '' },
  }),
  '{"broken',
  { type: 'mode', mode: 'x' },
  reply('d', 'c', text('The **needle** is there.')),
]

async function find(asked: string, density: 'normal' | 'summary' = 'normal'): Promise<FindState> {
  const pattern = findPattern(asked)
  let last: FindState = { matches: [], isPartial: false, progress: 0 }
  if (pattern)
    await findAll(
      transcriptOf(records),
      pattern,
      density,
      (state) => (last = state),
      new AbortController().signal,
    )
  return last
}

describe('finding', () => {
  test('finds in what was said and in what tools were asked and answered, in order', async () => {
    const { matches, progress } = await find('NEEDLE')
    expect(progress).toBe(1)
    expect(matches.map(({ part, nth }) => `${part} ${nth}`)).toEqual([
      'u:a/0 0',
      'm:b /t 0',
      'm:b /t 1',
      'm:b /t 2',
      'm:d /0 0',
    ])
  })

  test('leaves out what is not shown, and takes marks between words for none', async () => {
    expect((await find('needle', 'summary')).matches.length).toBe(2)
    expect((await find('the needle is')).matches.length).toBe(1)
    expect((await find('a.b')).matches).toEqual([])
    expect(findPattern('  ')).toBeNull()
  })
})

describe('rows', () => {
  const made = transcriptOf(records)
  const keys = (density: 'normal' | 'verbose' | 'summary') => {
    const rows = layOutRows(made, density)
    return Array.from({ length: rows.length }, (_, index) => `${rows.at(index)?.kind} ${rows.keyAt(index)}`)
  }

  test('are the items, all lines, or what was said', () => {
    expect(keys('normal')).toEqual(['item u:a', 'item m:b ', 'item m:d '])
    expect(keys('verbose')).toEqual(['item u:a', 'item m:b ', 'lines lines:4', 'item m:d '])
    expect(keys('summary')).toEqual(['item u:a', 'item m:b ', 'item m:d '])
    const quiet = transcriptOf([
      ...records.slice(0, 1),
      reply('q', 'a', { type: 'tool_use', id: 'z', name: 'X' }),
    ])
    const rows = layOutRows(quiet, 'summary')
    expect(rows.at(1)).toEqual({ kind: 'work', key: 'work:m:q ', from: 1, to: 2 })
    expect([rows.rowOf(1), rows.rowOf(7)]).toEqual([1, -1])
  })

  test('say what other lines are', () => {
    expect(describeLines(made.others)).toBe("Lines: 1 not readable, 1 of the agent's own")
  })
})
