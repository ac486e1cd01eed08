import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LiveTranscript } from '../../../shared/conversation/live-transcript'
import { type Item, textOf, toolsOf } from '../../../shared/conversation/transcript'
import { TranscriptWriter } from './transcript-writer'
import type { WireMessage } from './wire-messages'

function rig() {
  const transcript = new LiveTranscript()
  const unknown: string[] = []
  const writer = new TranscriptWriter(
    { say: (change) => transcript.apply([change]), item: (id) => transcript.find(id) },
    (type) => unknown.push(type),
    () => 1,
  )
  return {
    transcript,
    writer,
    unknown,
    take: (...messages: WireMessage[]) => messages.forEach((one) => writer.take(one)),
  }
}

type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; id: string; name: string; input: object }

const stream = (event: object, parent: string | null = null): WireMessage => ({
  ...{ type: 'stream_event', event, parent_tool_use_id: parent },
})
const final = (part: Part, id = 'm', parent: string | null = null): WireMessage => ({
  ...{ type: 'assistant', parent_tool_use_id: parent, timestamp: '2026-01-01T00:00:00Z' },
  message: {
    id,
    role: 'assistant',
    model: 'a-model',
    content: [part],
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 1 },
  },
})
const started = (id = 'm') =>
  stream({
    type: 'message_start',
    message: { id, model: 'a-model', usage: { input_tokens: 3, output_tokens: 1 } },
  })
const empty = (part: Part): object =>
  part.type === 'text'
    ? { ...part, text: '' }
    : part.type === 'thinking'
      ? { ...part, thinking: '' }
      : { ...part, input: {} }
const piecesOf = (part: Part, size: number): object[] => {
  const text =
    part.type === 'text' ? part.text : part.type === 'thinking' ? part.thinking : JSON.stringify(part.input)
  const cut = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
  return cut.map((piece) =>
    part.type === 'text'
      ? { type: 'text_delta', text: piece }
      : part.type === 'thinking'
        ? { type: 'thinking_delta', thinking: piece }
        : { type: 'input_json_delta', partial_json: piece },
  )
}
const result = (call: string, content: unknown = 'done', more: object = {}): WireMessage => ({
  ...{ type: 'user', parent_tool_use_id: null, ...more },
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] },
})
const plain = (items: readonly Item[]) =>
  JSON.parse(
    JSON.stringify(items, (key, value: unknown) =>
      ['offset', 'at', 'startedAt', 'stopReason'].includes(key) ? null : value,
    ),
  ) as unknown

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant('thinking' as const), thinking: fc.string({ minLength: 1 }) }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id: fc.uuid(),
    name: fc.constantFrom('Bash', 'Edit'),
    input: fc.dictionary(fc.string(), fc.string()),
  }),
)

test('streamed in whatever pieces, it comes to what is said whole', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      (parts, size) => {
        const streamed = rig()
        streamed.take(started())
        parts.forEach((one, index) => {
          streamed.take(
            stream({ type: 'content_block_start', index, content_block: empty(one) }),
            ...piecesOf(one, size).map((delta) => stream({ type: 'content_block_delta', index, delta })),
            final(one),
            stream({ type: 'content_block_stop', index }),
          )
        })
        const whole = rig()
        whole.take(...parts.map((one) => final(one)))
        expect(plain(streamed.transcript.items)).toEqual(plain(whole.transcript.items))
      },
    ),
  )
})

test('what is streamed is there at once, piece by piece', () => {
  const { transcript, take } = rig()
  take(
    started(),
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  )
  take(stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One ' } }))
  take(stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'two' } }))
  expect(transcript.items).toMatchObject([{ kind: 'reply', model: 'a-model', blocks: [{ text: 'One two' }] }])
})

test('a message that broke off before anything of it was whole keeps its words, not half of a tool, and says so', () => {
  const { transcript, take } = rig()
  take(started('a'))
  take(stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
  take(stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } }))
  take(
    stream({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: 'Bash', input: {} },
    }),
  )
  take(
    stream({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"com' },
    }),
  )
  const abandoned_blocks = { api_message_id: 'a', from_block_index: 0 }
  take({ ...stream({ type: 'message_stop' }), abandoned_blocks })
  take(started('b'), final({ type: 'text', text: 'Anew' }, 'b'))
  take({ ...stream({ type: 'message_stop' }), abandoned_blocks })
  expect(transcript.items.map((item) => (item.kind === 'reply' ? item.blocks : item.kind))).toEqual([
    [{ kind: 'text', text: 'Half' }],
    'notice',
    [{ kind: 'text', text: 'Anew' }],
  ])
})

test('results join their calls, also of sub-agents, which stand under the call that started them', () => {
  const { transcript, take } = rig()
  take(final({ type: 'tool_use', id: 'task', name: 'Task', input: { prompt: 'look' } }))
  take(final({ type: 'text', text: 'I look' }, 'inner', 'task'))
  take(final({ type: 'tool_use', id: 'read', name: 'Read', input: { file_path: '/a' } }, 'inner', 'task'))
  take({ type: 'tool_progress', tool_use_id: 'read', tool_name: 'Read', elapsed_time_seconds: 2.2 })
  expect(toolsOf(blocks(transcript.agentItems('call:task')))[0]?.progress).toBe('2 s')
  take(result('read', [{ type: 'text', text: 'the file' }], { parent_tool_use_id: 'task' }))
  take(result('task', 'all done'))
  const [task] = toolsOf(blocks(transcript.items))
  expect(task).toMatchObject({
    state: 'done',
    agent: 'call:task',
    result: { content: [{ text: 'all done' }] },
  })
  expect(transcript.items).toHaveLength(1)
  const inner = transcript.agentItems('call:task')
  expect(inner).toHaveLength(1)
  expect(toolsOf(blocks(inner))).toMatchObject([{ id: 'read', state: 'done', progress: null }])
})

test('what was refused, stopped or never ended says so', () => {
  const { writer, transcript, take } = rig()
  for (const id of ['refused', 'stopped', 'open'])
    take(final({ type: 'tool_use', id, name: 'Bash', input: {} }, id))
  take(result('refused', 'no', { tool_use_result: 'User rejected tool use' }))
  writer.stopping()
  take(result('stopped', 'no', { tool_use_result: 'User rejected tool use' }))
  take({
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: ['x'],
    terminal_reason: 'aborted_tools',
  })
  expect(toolsOf(blocks(transcript.items)).map(({ state }) => state)).toEqual([
    'refused',
    'stopped',
    'stopped',
  ])
  expect(transcript.items).toHaveLength(3)
})

test('a sub-agent in the background works on when the turn ends, and ends with the program', () => {
  const { writer, transcript, take } = rig()
  take(final({ type: 'tool_use', id: 'task', name: 'Task', input: { prompt: 'look' } }))
  take(result('task', 'launched'))
  take(final({ type: 'tool_use', id: 'inner', name: 'Bash', input: {} }, 'inner', 'task'))
  const state = () => toolsOf(blocks(transcript.agentItems('call:task')))[0]?.state
  take({ type: 'result', subtype: 'success', is_error: false })
  expect(state()).toBe('open')
  writer.ended()
  expect(state()).toBe('stopped')
})

const retry = (attempt: number): WireMessage => ({
  ...{
    type: 'system',
    subtype: 'api_retry',
    attempt,
    max_retries: 3,
    retry_delay_ms: 1000,
    error_status: 529,
    error: 'overloaded',
  },
})

test('tries of the service are one notice each, an error is said once', () => {
  const { transcript, take } = rig()
  take(retry(1), retry(2))
  take({ ...final({ type: 'text', text: 'API Error' }, 'e'), error: 'overloaded' })
  take({ type: 'result', subtype: 'success', is_error: true, result: 'API Error' })
  take(retry(1))
  take({ type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many turns'] })
  expect(transcript.items.map((item) => (item.kind === 'notice' ? item.text : textOf(item.blocks)))).toEqual([
    'The service answered 529. Trying again in 1 s (2 of 3).',
    'API Error',
    'The service answered 529. Trying again in 1 s (1 of 3).',
    'Too many turns',
  ])
  expect(transcript.items[1]).toMatchObject({ isError: true })
})

test('after an answer that is not streamed, or the program’s end, tries are a notice of their own', () => {
  const { transcript, take, writer } = rig()
  const texts = () => transcript.items.map((item) => (item.kind === 'notice' ? item.text : item.kind))
  const first = 'The service answered 529. Trying again in 1 s (1 of 3).'
  take(retry(1), final({ type: 'text', text: 'Here.' }))
  take(retry(1), final({ type: 'text', text: 'In a sub-agent.' }, 's', 'call'))
  take(retry(2))
  expect(texts()).toEqual([first, 'reply', first.replace('1 of', '2 of')])
  writer.ended()
  take(retry(1))
  expect(texts()).toEqual([first, 'reply', first.replace('1 of', '2 of'), first])
})

test('what is said to a sub-agent or by a command is shown, what is only for the model is not; unknown types are told', () => {
  const { transcript, unknown, take } = rig()
  const user = (content: string, more: object = {}): WireMessage => ({
    ...{ type: 'user', parent_tool_use_id: null, uuid: content, message: { role: 'user', content }, ...more },
  })
  take(user('from a program', { isSynthetic: true }))
  take(user('[Request interrupted by user]', { isSynthetic: true }))
  take(user('<local-command-stdout>Set model</local-command-stdout>', { isReplay: true }))
  take(
    final({ type: 'tool_use', id: 'task', name: 'Task', input: { prompt: 'look' } }),
    user('look', { parent_tool_use_id: 'task' }),
  )
  take(
    { type: 'brand_new' },
    { type: 'system', subtype: 'brand_new' },
    { type: 'system', subtype: 'init' },
    { type: 'keep_alive' },
  )
  expect(
    transcript.items.map((item) => (item.kind === 'notice' ? `${item.what} ${item.text}` : item.kind)),
  ).toEqual(['interrupted [Request interrupted by user]', 'output Set model', 'reply'])
  expect(transcript.agentItems('call:task')).toMatchObject([{ kind: 'prompt', manner: 'agent' }])
  expect(unknown).toEqual(['brand_new', 'system brand_new'])
})

test('the form of older programs streams too', () => {
  const { transcript, take } = rig()
  const old = (event: string, data: object): WireMessage => ({ type: 'stream_event', event, data })
  take(old('message_start', { message: { id: 'm' } }))
  take(old('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }))
  take(old('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hello' } }))
  expect(transcript.items).toMatchObject([{ blocks: [{ text: 'hello' }] }])
})

test('what the agent has dropped goes, and what replaces it stands', () => {
  const { transcript, take } = rig()
  const named = (uuid: string, message: WireMessage): WireMessage => ({ ...message, uuid })
  take(
    named('u1', final({ type: 'text', text: 'kept' }, 'm1')),
    named('u2', final({ type: 'tool_use', id: 't', name: 'Bash', input: {} }, 'm1')),
    result('t'),
    named('u3', final({ type: 'text', text: 'refused' }, 'm2')),
    { ...named('u4', final({ type: 'text', text: 'instead' }, 'm3')), supersedes: ['u2', 'u3', 'unknown'] },
  )
  const said = () =>
    blocks(transcript.items).map((block) => (block.kind === 'text' ? block.text : block.kind))
  expect(said()).toEqual(['kept', '', 'instead'])
  take({
    ...{ type: 'system', subtype: 'model_refusal_fallback', content: 'Another model answers.' },
    retracted_message_uuids: ['u3', 'u4'],
  })
  expect(said()).toEqual(['kept', ''])
  // What comes for a call that is gone changes nothing.
  take(result('t', 'late'))
  expect(said()).toEqual(['kept', ''])
})

function blocks(items: readonly Item[]) {
  return items.flatMap((item) => (item.kind === 'notice' ? [] : item.blocks))
}
