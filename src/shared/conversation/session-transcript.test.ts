import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SessionTranscript } from './session-transcript'
import type { Item, SourceLine } from './transcript'

/** Lines as they would stand in a file: each begins where the one before ended. */
function lines(records: readonly unknown[]): SourceLine[] {
  let offset = 0
  return records.map((record) => {
    const bytes = JSON.stringify(record).length
    const line: SourceLine = { offset, bytes, record }
    offset += bytes + 1
    return line
  })
}

function transcript(records: readonly unknown[]): SessionTranscript {
  const made = new SessionTranscript()
  made.add(lines(records))
  return made
}

const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
})

const assistant = (uuid: string, parentUuid: string | null, id: string, part: unknown, more = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: {
    role: 'assistant',
    id,
    model: 'm',
    content: [part],
    usage: { input_tokens: 3, output_tokens: 2 },
  },
  ...more,
})

const text = (value: string) => ({ type: 'text', text: value })
const tool = (id: string, name = 'Bash', input: unknown = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown = 'out', more = {}) => [
  { type: 'tool_result', tool_use_id: id, content, ...more },
]

/** What an item says, in short: enough to see the thread at a glance. */
function short(item: Item): string {
  switch (item.kind) {
    case 'notice':
      return `(${item.what})`
    default:
      return item.blocks
        .map((block) => {
          if (block.kind === 'text') return block.text
          return block.kind === 'tool' ? `${block.call.name}:${block.call.state}` : block.kind
        })
        .join(' ')
  }
}

const thread = (made: SessionTranscript) => made.items().map(short)

describe('a thread', () => {
  test('joins the lines of one message, and tools with their results', () => {
    const made = transcript([
      user('a', null, 'hello'),
      assistant('b', 'a', 'm1', text('I look.')),
      assistant('c', 'b', 'm1', tool('t1', 'Read')),
      assistant('d', 'c', 'm1', tool('t2')),
      user('e', 'c', result('t1')),
      user('f', 'd', result('t2', 'no', { is_error: true })),
      assistant('g', 'f', 'm2', text('Done.')),
    ])
    expect(thread(made)).toEqual(['hello', 'I look. Read:done Bash:failed', 'Done.'])
    expect(made.items().map((item) => item.branches)).toEqual([null, null, null])
    expect(made.turnAt(2)).toMatchObject({ length: 3, usage: { input: 6, output: 4 } })
  })

  test('knows a tool that was refused, or stopped', () => {
    const made = transcript([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', tool('t1')),
      user('c', 'b', result('t1', 'no', { is_error: true }), { toolDenialKind: 'user-rejected' }),
      assistant('d', 'c', 'm2', tool('t2')),
      user('e', 'd', result('t2'), { toolUseResult: { interrupted: true } }),
      assistant('f', 'e', 'm3', tool('t3')),
    ])
    expect(thread(made)).toEqual(['one', 'Bash:refused', 'Bash:stopped', 'Bash:open'])
    expect(made.activity).toBe('working')
  })

  test('follows the newest word where a conversation forks, and another one on demand', () => {
    const made = transcript([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', text('yes')),
      user('c', 'b', 'left'),
      assistant('d', 'c', 'm2', text('left it is')),
      user('e', 'b', 'right'),
    ])
    expect(thread(made)).toEqual(['one', 'yes', 'right'])
    expect(made.at(2)?.branches).toEqual({ ids: ['u:c', 'u:e'], index: 1 })
    made.choose('u:c')
    expect(thread(made)).toEqual(['one', 'yes', 'left', 'left it is'])
    expect(made.indexOf('u:e')).toBe(-1)
    expect([made.idAt(2), made.idAt(4)]).toEqual(['u:c', undefined])
    expect(made.itemWith('e')).toMatchObject({ id: 'u:e' })
  })

  test('may begin in several ways', () => {
    const made = transcript([
      user('a', null, 'first'),
      assistant('b', 'a', 'm1', text('x')),
      user('c', null, 'again'),
    ])
    expect(thread(made)).toEqual(['again'])
    made.choose('u:a')
    expect(thread(made)).toEqual(['first', 'x'])
  })

  test('keeps what follows a line that is not there, as a root in its place', () => {
    const made = new SessionTranscript()
    const all = lines([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', text('two')),
      user('c', 'b', 'three'),
      assistant('d', 'c', 'm2', text('four')),
    ])
    made.add(
      all.map((line, index) =>
        index === 1 ? { ...line, record: undefined, flaw: 'not-json', head: '{"a' } : line,
      ),
    )
    expect(thread(made)).toEqual(['one', 'three', 'four'])
    expect(made.others).toMatchObject([{ standing: 'not-json', head: '{"a', type: '' }])
    expect(made.others.filter(({ standing }) => standing === 'not-json')).toHaveLength(1)
  })

  test('goes on over a compaction', () => {
    const made = transcript([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', text('two')),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'c',
        parentUuid: null,
        logicalParentUuid: 'b',
        content: 'x',
      },
      user('d', 'c', 'the summary', { isCompactSummary: true }),
      user('e', 'd', 'three'),
    ])
    expect(thread(made)).toEqual(['one', 'two', '(compacted)', 'three'])
  })

  test('shows notices that nothing follows, without a fork', () => {
    const made = transcript([
      user('a', null, 'one'),
      { type: 'system', subtype: 'api_error', uuid: 'x', parentUuid: 'a', error: { message: 'overloaded' } },
      assistant('b', 'a', 'm1', text('two')),
    ])
    expect(thread(made)).toEqual(['one', '(error)', 'two'])
    expect(made.at(1)).toMatchObject({ text: 'overloaded', branches: null })
    expect(made.at(2)?.branches).toBeNull()
  })

  test('takes commands, shell lines, interruptions and what the agent tells itself for what they are', () => {
    const made = transcript([
      user('a', null, '<local-command-caveat>x</local-command-caveat>', { isMeta: true }),
      user('b', 'a', '<command-name>/rename</command-name>\n<command-args>my own</command-args>'),
      user('c', 'b', '<local-command-stdout>done</local-command-stdout>'),
      user('d', 'c', '<bash-input>ls</bash-input>'),
      user('e', 'd', '<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>'),
      user('f', 'e', [text('[Request interrupted by user]')]),
      user('g', 'f', '<task-notification><summary>Agent finished</summary></task-notification>'),
      user(
        'h',
        'g',
        '<pasted_content id="1">\nlong\n</pasted_content>\n<system-reminder>no</system-reminder>',
      ),
      user('i', 'h', '<system-reminder>only</system-reminder>'),
    ])
    expect(thread(made)).toEqual([
      '/rename my own',
      '(output)',
      'ls',
      '(output)',
      '(interrupted)',
      '(information)',
      'long',
    ])
    expect(
      made
        .items()
        .map((item) => (item.kind === 'notice' ? item.text : item.kind === 'prompt' ? item.manner : '')),
    ).toEqual(['command', 'done', 'shell', 'a', '[Request interrupted by user]', 'Agent finished', 'typed'])
  })

  test('is in order for a stream whose lines do not say what they follow', () => {
    const made = transcript([
      { type: 'user', uuid: 'a', message: { role: 'user', content: 'one' } },
      {
        type: 'assistant',
        uuid: 'b',
        message: { id: 'm', content: [tool('t1', 'Task', { prompt: 'sub' })] },
      },
      { type: 'user', uuid: 'c', parent_tool_use_id: 't1', message: { role: 'user', content: 'sub' } },
      { type: 'user', uuid: 'd', message: { role: 'user', content: result('t1') } },
      { type: 'user', uuid: 'e', message: { role: 'user', content: 'two' } },
    ])
    expect(thread(made)).toEqual(['one', 'Task:done', 'two'])
    const [, reply] = made.items()
    const block = reply?.kind === 'reply' ? reply.blocks[0] : undefined
    const agent = block?.kind === 'tool' ? block.call.agent : null
    expect(made.agentItems(agent ?? '').map(short)).toEqual(['sub'])
  })

  test('folds a sub-agent under its call, by its name or by what it was told', () => {
    const made = transcript([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', tool('t1', 'Task', { prompt: 'look here' })),
      assistant('c', 'b', 'm1', tool('t2', 'Task', { prompt: 'look there' })),
      user('s1', null, 'look there', { isSidechain: true }),
      user('s2', null, 'look here', { isSidechain: true }),
      assistant('s3', 's1', 'm5', text('there it is'), { isSidechain: true }),
      assistant('d', 'c', 'm2', tool('t3', 'Agent', { prompt: 'named' })),
      user('e', 'd', result('t3'), { toolUseResult: { agentId: 'abc' } }),
      user('n', null, 'named', { isSidechain: true, agentId: 'abc' }),
    ])
    expect(made.length).toBe(3)
    const agents = made.items().flatMap((item) => {
      if (item.kind !== 'reply') return []
      return item.blocks.flatMap((block) => (block.kind === 'tool' ? [block.call.agent ?? ''] : []))
    })
    expect(agents.map((agent) => made.agentItems(agent).map(short))).toEqual([
      ['look here'],
      ['look there', 'there it is'],
      ['named'],
    ])
  })

  test('knows a sub-agent of a running call once it is told, whoever started it, whatever was first', () => {
    const agentsOf = (items: readonly Item[]) =>
      items.flatMap((item) =>
        item.kind === 'reply' ? item.blocks.map((block) => block.kind === 'tool' && block.call.agent) : [],
      )
    const own = [user('a', null, 'one'), assistant('b', 'a', 'm1', tool('t1', 'Task'))]
    const inner = [user('c', null, 'two'), assistant('d', 'c', 'm2', tool('t2', 'Task'))]
    const late = transcript(own)
    late.agent('x').add(lines(inner))
    expect([agentsOf(late.items()), agentsOf(late.agentItems('x'))]).toEqual([[null], [null]])
    const early = new SessionTranscript()
    for (const made of [late, early]) {
      made.noteAgent('t1', 'x')
      made.noteAgent('t2', 'y')
    }
    early.agent('x').add(lines(inner))
    early.add(lines(own))
    for (const made of [late, early]) {
      expect([agentsOf(made.items()), agentsOf(made.agentItems('x'))]).toEqual([['x'], ['y']])
    }
    late.forgetAgent('x')
    expect(late.agentItems('x')).toEqual([])
  })

  test('tells the same items as long as nothing about them changes', () => {
    const made = new SessionTranscript()
    const all = lines([
      user('a', null, 'one'),
      assistant('b', 'a', 'm1', tool('t1')),
      user('c', 'b', result('t1')),
      assistant('d', 'c', 'm2', text('two')),
    ])
    made.add(all.slice(0, 2))
    const [one, open] = made.items()
    made.add(all.slice(2, 3))
    expect(made.at(0)).toBe(one)
    expect(made.at(1)).not.toBe(open)
    made.add(all.slice(3))
    const items = made.items()
    expect(items).toHaveLength(3)
    made.add(all)
    expect(made.items().every((item, index) => item === items[index])).toBe(true)
  })

  test('takes in what comes in front', () => {
    const made = new SessionTranscript()
    const all = lines(
      Array.from({ length: 9 }, (_, index) => user(`u${index}`, index ? `u${index - 1}` : null, `${index}`)),
    )
    made.add(all.slice(6))
    made.add(all.slice(2, 6))
    expect(thread(made)).toEqual(['2', '3', '4', '5', '6', '7', '8'])
  })
})

describe('whatever the order in which lines come', () => {
  const ids = fc.integer({ min: 0, max: 11 })
  const more = fc.record(
    { isSidechain: fc.constantFrom(false, true), isMeta: fc.boolean(), agentId: fc.constantFrom('x', 'y') },
    { requiredKeys: [] },
  )
  const time = fc.integer({ min: 0, max: 9 }).map((second) => `2026-01-01T00:00:0${second}.000Z`)
  const parent = (index: number) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(index === 0 ? null : `u${index - 1}`) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: index + 2 }).map((at) => `u${at}`) },
      fc.constant(null),
      fc.constant(undefined),
      fc.constant('nowhere'),
    )
  const record = (index: number) =>
    fc
      .tuple(parent(index), ids, ids, more, time, fc.integer({ min: 0, max: 13 }))
      .map(([parentUuid, id, call, extra, timestamp, kind]): unknown => {
        const uuid = kind === 12 ? `u${Math.max(0, index - 2)}` : `u${index}`
        const base = { uuid, parentUuid, timestamp, ...extra }
        switch (kind) {
          case 0:
          case 1:
            return { ...user(uuid, null, `say ${index}`), ...base }
          case 2:
            return {
              ...assistant(uuid, null, `m${id}`, tool(`t${call}`, 'Task', { prompt: `say ${id}` })),
              ...base,
            }
          case 3:
          case 4:
            return { ...assistant(uuid, null, `m${index}`, text(`answer ${index}`)), ...base }
          case 5:
            return { ...user(uuid, null, result(`t${call}`)), ...base }
          case 6:
            return { type: 'attachment', ...base }
          case 7:
            return { type: 'system', subtype: 'turn_duration', durationMs: index, ...base }
          case 8:
            return {
              type: 'queue-operation',
              operation: id % 2 ? 'enqueue' : 'dequeue',
              content: `q${index}`,
              timestamp,
            }
          case 9:
            return { type: 'cost-state', totalCostUSD: index, startTime: id % 2 }
          case 10:
            return { type: 'system', subtype: 'info', content: 'note', ...base }
          case 11:
            return { type: 'progress', toolUseID: `t${call}`, data: { n: index }, ...base }
          case 12:
            return { ...assistant(uuid, null, `m${id}`, text(`twice ${index}`)), ...base }
          default:
            return id % 2 ? { type: 'never-seen', n: index } : index
        }
      })
  const records = fc
    .integer({ min: 1, max: 24 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => record(index))))

  /** All that can be seen of a transcript. */
  function all(made: SessionTranscript) {
    const items = made.items()
    return {
      items,
      turns: items.map((_, index) => made.turnAt(index)),
      places: items.map(({ id }) => made.indexOf(id)),
      others: made.others,
      facts: made.facts,
      activity: made.activity,
      queue: made.queue,
      agents: items.flatMap((item) =>
        item.kind === 'reply'
          ? item.blocks.map((block) =>
              block.kind === 'tool' ? made.agentItems(block.call.agent ?? '?') : [],
            )
          : [],
      ),
    }
  }

  test('the transcript is that of one read', () => {
    const cuts = fc.array(fc.nat(24), { maxLength: 6 })
    const keys = fc.array(fc.nat(), { minLength: 24, maxLength: 24 })
    const order = fc.constantFrom('appended', 'prepended', 'shuffled')
    fc.assert(
      fc.property(records, cuts, keys, order, fc.boolean(), (made, ends, weights, how, isLooked) => {
        const whole = lines(made)
        const expected = new SessionTranscript()
        expected.add(whole)
        const pages: SourceLine[][] = []
        const sorted = [...new Set([0, ...ends.filter((end) => end < whole.length), whole.length])].sort(
          (a, b) => a - b,
        )
        for (const [index, start] of sorted.slice(0, -1).entries())
          pages.push(whole.slice(start, sorted[index + 1]))
        if (how === 'prepended') pages.reverse()
        if (how === 'shuffled')
          pages.sort(
            (a, b) =>
              (weights[whole.indexOf(a[0] as SourceLine)] ?? 0) -
              (weights[whole.indexOf(b[0] as SourceLine)] ?? 0),
          )
        const read = new SessionTranscript()
        for (const page of pages) {
          read.add(page)
          if (isLooked) all(read)
        }
        expect(all(read)).toEqual(all(expected))
      }),
      { numRuns: 150 },
    )
  })

  test('a line that was read half is replaced by the whole one', () => {
    fc.assert(
      fc.property(records, fc.nat(23), (made, at) => {
        const whole = lines(made)
        const half = whole.map((line, index): SourceLine =>
          index === at
            ? { ...line, bytes: line.bytes - 1, record: undefined, flaw: 'not-json', head: '' }
            : line,
        )
        const read = new SessionTranscript()
        read.add(half)
        read.add(whole)
        const expected = new SessionTranscript()
        expected.add(whole)
        expect(all(read)).toEqual(all(expected))
      }),
    )
  })
})
