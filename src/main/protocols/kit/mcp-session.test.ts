import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { describeServer, protocolVersions } from './mcp-methods'
import { McpSession } from './mcp-session'
import { defineTool, textResult, type ToolCall, type ToolResult } from './mcp-tool'

interface Asked {
  text: string
  call: ToolCall
  answer(result: ToolResult): void
  fail(error: unknown): void
}

/** A session whose `wait` tool answers when the test says so. */
function open() {
  const sent: unknown[] = []
  const heard: [string, unknown][] = []
  const failures: string[] = []
  const asked: Asked[] = []
  const tools = [
    defineTool({
      name: 'wait',
      description: 'Waits.',
      input: z.object({ text: z.string(), times: z.number().int().min(1).default(1) }),
      run: ({ text }, context: string, call) =>
        new Promise<ToolResult>((answer, fail) => {
          expect(context).toBe('the context')
          asked.push({ text, call, answer, fail })
        }),
    }),
    defineTool({
      name: 'now',
      description: 'Answers at once.',
      input: z.object({}),
      run: (_args, _context: string) => textResult('here'),
    }),
    defineTool({
      name: 'broken',
      description: 'Throws.',
      input: z.object({}),
      run(_args, _context: string): ToolResult {
        throw new Error('secret detail')
      },
    }),
  ]
  const session = new McpSession({
    methods: describeServer({ name: 'Test', version: '1.2.3', tools }),
    context: 'the context',
    send: (text) => sent.push(JSON.parse(text)),
    onNotification: (method, params) => heard.push([method, params]),
    onToolFailure: (tool) => failures.push(tool),
  })
  const receive = (value: unknown): void => session.receive(parseJson(JSON.stringify(value)))
  const request = (id: unknown, method: string, params?: unknown): void =>
    receive({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })
  const call = (id: unknown, name: string, args?: unknown): void =>
    request(id, 'tools/call', { name, arguments: args, _meta: { progressToken: 0 } })
  return { session, sent, heard, failures, asked, receive, request, call }
}

const error = (id: unknown, code: number) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringMatching(/^[A-Z].*\.$/s) as string },
})
const result = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value })
/** Lets settled promises be seen. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('MCP session', () => {
  it('takes every version it speaks and offers its newest for others', () => {
    for (const version of protocolVersions) {
      const { request, sent } = open()
      request(0, 'initialize', { protocolVersion: version, capabilities: {} })
      expect(sent[0]).toEqual(
        result(0, {
          protocolVersion: version,
          capabilities: { tools: {}, prompts: {}, resources: {} },
          serverInfo: { name: 'Test', version: '1.2.3' },
        }),
      )
    }
    const { request, sent } = open()
    request(0, 'initialize', { protocolVersion: '1999-01-01' })
    request(1, 'initialize', {})
    expect(sent).toMatchObject([{ result: { protocolVersion: protocolVersions[0] } }, error(1, -32602)])
  })

  it('answers ping and the lists', () => {
    const { request, sent } = open()
    request('a', 'ping')
    request('b', 'prompts/list', {})
    request('c', 'resources/list', {})
    request('d', 'tools/list')
    expect(sent.slice(0, 3)).toEqual([
      result('a', {}),
      result('b', { prompts: [] }),
      result('c', { resources: [] }),
    ])
    const [wait] = (sent[3] as { result: { tools: { name: string; inputSchema: unknown }[] } }).result.tools
    expect(wait).toEqual({
      name: 'wait',
      description: 'Waits.',
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          times: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
        },
        required: ['text'],
      },
    })
  })

  it.each([
    ['not JSON', '{"jsonrpc":', error(null, -32700)],
    ['nothing', '', error(null, -32700)],
    ['a number', '5', error(null, -32600)],
    ['null', 'null', error(null, -32600)],
    ['an empty batch', '[]', error(null, -32600)],
    ['a batch of too many', `[${'1,'.repeat(1024)}1]`, error(null, -32600)],
    ['no version', '{"id":1,"method":"ping"}', error(1, -32600)],
    ['no method', '{"jsonrpc":"2.0","id":1}', error(1, -32600)],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":7}', error(1, -32600)],
    ['params that are no object', '{"jsonrpc":"2.0","id":1,"method":"ping","params":3}', error(1, -32600)],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', error(null, -32600)],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"no/such"}', error(1, -32601)],
    ['a call without a tool', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', error(1, -32602)],
    [
      'an unknown tool',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
      error(1, -32602),
    ],
    [
      'wrong arguments',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"text":5}}}',
      error(1, -32602),
    ],
  ])('answers %s with its error, and lives', (_name, text, expected) => {
    const { session, sent, call } = open()
    session.receive(parseJson(text))
    call(2, 'now', {})
    expect(sent).toEqual([expected, result(2, { content: [{ type: 'text', text: 'here' }] })])
  })

  it('names the wrong argument but not its value', () => {
    const { sent, call } = open()
    call(1, 'wait', { text: { secret: 'hunter2' } })
    const { message } = (sent[0] as { error: { message: string } }).error
    expect(message).toContain('text')
    expect(message).not.toContain('hunter2')
  })

  it('answers a tool that throws with -32603 and without its words', () => {
    const { sent, call, failures } = open()
    call(1, 'broken')
    expect(sent).toEqual([error(1, -32603)])
    expect(JSON.stringify(sent)).not.toContain('secret detail')
    expect(failures).toEqual(['broken'])
  })

  it('answers calls in the order in which they finish, each once', async () => {
    const { call, asked, sent, session } = open()
    call(1, 'wait', { text: 'a' })
    call('1', 'wait', { text: 'b' })
    expect(session.inFlight).toBe(2)
    asked[1]?.answer(textResult('second'))
    await settle()
    asked[0]?.answer(textResult('first'))
    asked[0]?.answer(textResult('again'))
    asked[0]?.fail(new Error('late'))
    await settle()
    expect(sent).toMatchObject([
      { id: '1', result: { content: [{ text: 'second' }] } },
      { id: 1, result: { content: [{ text: 'first' }] } },
    ])
    expect(session.inFlight).toBe(0)
  })

  it('refuses an id that is in use without seeming to answer the first call', async () => {
    const { call, asked, sent } = open()
    call(1, 'wait', { text: 'a' })
    call(1, 'wait', { text: 'b' })
    expect(sent).toEqual([error(null, -32600)])
    asked[0]?.answer(textResult('first'))
    await settle()
    expect(sent).toHaveLength(2)
    call(1, 'now')
    expect(sent).toHaveLength(3)
  })

  it('aborts a cancelled call and never answers it', async () => {
    const { call, asked, sent, receive } = open()
    call(7, 'wait', { text: 'a' })
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } })
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled' })
    expect(asked[0]?.call.signal.aborted).toBe(false)
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
    expect(asked[0]?.call.signal.reason).toBe('cancelled')
    asked[0]?.answer(textResult('late'))
    await settle()
    expect(sent).toEqual([])
  })

  it('aborts every call at its end and sends nothing any more', async () => {
    const { call, asked, sent, session, request } = open()
    call(1, 'wait', { text: 'a' })
    session.dispose()
    session.dispose()
    expect(asked[0]?.call.signal.reason).toBe('connection-lost')
    asked[0]?.answer(textResult('late'))
    request(2, 'ping')
    session.notify('x', {})
    await settle()
    expect(sent).toEqual([])
  })

  it('answers a batch with one array, without what needs no answer', async () => {
    const { receive, asked, sent } = open()
    const tool = (id: number, name: string, args: unknown) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    })
    receive([
      tool(1, 'wait', { text: 'slow' }),
      { jsonrpc: '2.0', method: 'hello' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      17,
      { jsonrpc: '2.0', id: 9, result: {} },
      tool(3, 'wait', { text: 'cancelled' }),
    ])
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } })
    expect(sent).toEqual([])
    asked[0]?.answer(textResult('done'))
    await settle()
    expect(sent).toEqual([
      [result(2, {}), error(null, -32600), result(1, { content: [{ type: 'text', text: 'done' }] })],
    ])
    receive([{ jsonrpc: '2.0', method: 'hello' }])
    expect(sent).toHaveLength(1)
  })

  it('hands on notifications that are not its own', () => {
    const { receive, heard, session, sent } = open()
    receive({ jsonrpc: '2.0', method: 'notifications/initialized' })
    receive({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: 5 } })
    expect(heard).toEqual([['ide_connected', { pid: 5 }]])
    session.notify('selection_changed', { text: '' })
    expect(sent).toEqual([{ jsonrpc: '2.0', method: 'selection_changed', params: { text: '' } }])
  })

  it('refuses more calls than it can keep', () => {
    const { call, sent, session } = open()
    for (let id = 0; id < 1024; id += 1) call(id, 'wait', { text: 'x' })
    expect(sent).toEqual([])
    call('one more', 'wait', { text: 'x' })
    expect(sent).toEqual([error('one more', -32600)])
    session.dispose()
  })

  it('answers any message with a usable id exactly once, and nothing else', () => {
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.object(), fc.constant(undefined))
    const method = fc.oneof(
      fc.constantFrom('ping', 'tools/list', 'tools/call', 'initialize', 'x'),
      fc.jsonValue(),
    )
    const params = fc.oneof(fc.jsonValue(), fc.record({ name: fc.constantFrom('now', 'broken', 'zzz') }))
    const message = fc.record(
      { jsonrpc: fc.constantFrom('2.0', '1.0'), id, method, params },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), (value) => {
        const { receive, sent, session } = open()
        receive(value)
        session.dispose()
        if (Array.isArray(value)) return
        const isObject = typeof value === 'object' && value !== null
        const { id: given, ...rest } = isObject ? (value as Record<string, unknown>) : {}
        const isNotification =
          isObject && given === undefined && rest['jsonrpc'] === '2.0' && typeof rest['method'] === 'string'
        if (isNotification && (rest['params'] === undefined || typeof rest['params'] === 'object')) {
          expect(sent.length).toBeLessThanOrEqual(rest['params'] === null ? 1 : 0)
        } else if (isObject && typeof given === 'number' && rest['jsonrpc'] === '2.0') {
          expect(sent).toMatchObject([{ id: JSON.parse(JSON.stringify(given)) as number }])
        } else {
          expect(sent).toHaveLength(1)
        }
      }),
    )
  })
})
