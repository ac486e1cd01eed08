import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import '../../../../test/property-runs'
import { type Done, fail, type Result, succeed } from '../../../shared/result'
import { type LinkHandlers, SdkLink } from './sdk-link'
import type { ControlRequest, WireMessage } from './wire-messages'

interface Asked {
  request: ControlRequest
  signal: AbortSignal
  answer(result: Result<object>): void
  crash(error: Error): void
}

interface Answer {
  response: { request_id: string; subtype: string; response?: object; error?: string; result?: object }
}

function rig() {
  const written: Record<string, unknown>[] = []
  const heard: WireMessage[] = []
  const asked: Asked[] = []
  const problems: unknown[] = []
  let wayOut: Done = succeed({})
  const handlers: LinkHandlers = {
    message: (message) => heard.push(message),
    ask: (request, signal) =>
      new Promise((resolve, reject) => asked.push({ request, signal, answer: resolve, crash: reject })),
    problem: (_sentence, cause) => problems.push(cause),
  }
  const link = new SdkLink({
    write: (line) => {
      written.push(JSON.parse(line) as Record<string, unknown>)
      return Promise.resolve(wayOut)
    },
    handlers,
  })
  return {
    ...{ link, written, heard, asked, problems },
    read: (message: object) => link.read(JSON.stringify(message)),
    answers: () => written.filter(({ type }) => type === 'control_response') as unknown as Answer[],
    requests: () =>
      written.filter(({ type }) => type === 'control_request') as unknown as { request_id: string }[],
    block: (failure: Done) => (wayOut = failure),
  }
}

const denied = (message: string) => ({ behavior: 'deny', message })
const settled = () => new Promise((resolve) => setImmediate(resolve))
const permission = (id: string, input: object = { command: 'ls' }) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input, tool_use_id: 'tu' },
})
const cancel = (id: string) => ({ type: 'control_cancel_request', request_id: id })

test('whatever is asked, however often and in which order, each id is answered exactly once', async () => {
  const event = fc.oneof(
    fc.record({
      kind: fc.constant('ask' as const),
      id: fc.integer({ min: 0, max: 6 }),
      body: fc.constantFrom('known', 'unknown', 'broken', 'old'),
    }),
    fc.record({ kind: fc.constant('cancel' as const), id: fc.integer({ min: 0, max: 6 }) }),
    fc.record({
      kind: fc.constant('answer' as const),
      nth: fc.nat(10),
      how: fc.constantFrom('allow', 'fail', 'crash'),
    }),
    fc.record({ kind: fc.constant('noise' as const), line: fc.oneof(fc.string(), fc.json()) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const { link, asked, answers, read } = rig()
      const ids = new Set<string>()
      const bodies = {
        known: permission('').request,
        unknown: { subtype: 'dance' },
        broken: { subtype: 'can_use_tool', tool_name: 3 },
        old: { subtype: 'can_use_tool', tool_name: 'Bash', tool_input: { command: 'ls' } },
      }
      for (const one of events) {
        if (one.kind === 'ask') {
          ids.add(`r${one.id}`)
          read({
            type: 'control_request',
            request_id: `r${one.id}`,
            request: bodies[one.body as keyof typeof bodies],
          })
        } else if (one.kind === 'cancel') read(cancel(`r${one.id}`))
        else if (one.kind === 'noise') link.read(one.line)
        else if (one.how === 'crash') asked[one.nth]?.crash(new Error('a bug'))
        else asked[one.nth]?.answer(one.how === 'allow' ? succeed({ behavior: 'allow' }) : fail('no', 'No.'))
        await settled()
      }
      for (const { answer } of asked) answer(succeed({ behavior: 'allow' }))
      await settled()
      expect(
        answers()
          .map(({ response }) => response.request_id)
          .sort(),
      ).toEqual([...ids].sort())
    }),
  )
})

test('a question is answered with what was decided, or with the reason why not', async () => {
  const { asked, answers, read } = rig()
  read(permission('a'))
  read(permission('b'))
  asked[1]?.answer(fail('no', 'Nobody may do this.'))
  await settled()
  asked[0]?.answer(succeed({ behavior: 'allow', updatedInput: {} }))
  await settled()
  expect(asked.map(({ request }) => request)).toMatchObject([{ tool_name: 'Bash' }, { tool_use_id: 'tu' }])
  expect(answers().map(({ response }) => response)).toEqual([
    { subtype: 'success', request_id: 'b', response: denied('Nobody may do this.') },
    { subtype: 'success', request_id: 'a', response: { behavior: 'allow', updatedInput: {} } },
  ])
})

test('what is withdrawn tells its signal, and no late decision goes out', async () => {
  const { asked, answers, read } = rig()
  read(permission('a'))
  read(cancel('a'))
  expect(asked[0]?.signal).toMatchObject({ aborted: true, reason: 'cancelled' })
  asked[0]?.answer(succeed({ behavior: 'allow' }))
  await settled()
  expect(answers()).toMatchObject([{ response: { request_id: 'a', response: { behavior: 'deny' } } }])
})

test('a hook and a permission are refused by an answer that says no, whatever goes wrong: an error lets it happen', async () => {
  const { asked, answers, read } = rig()
  const hook = (callback_id: string, input: object) => ({ subtype: 'hook_callback', callback_id, input })
  const requests = {
    crashed: hook('before-edit', { hook_event_name: 'PreToolUse' }),
    broken: hook('before-edit', { tool_name: 7 }),
    after: hook('after-edit', { tool_name: 7 }),
    unread: { subtype: 'can_use_tool', tool_name: 7 },
  }
  for (const [request_id, request] of Object.entries(requests))
    read({ type: 'control_request', request_id, request })
  asked[0]?.crash(new Error('a bug'))
  await settled()
  const told = Object.fromEntries(answers().map(({ response }) => [response.request_id, response]))
  const no = { hookEventName: 'PreToolUse', permissionDecision: 'deny' }
  expect(told).toMatchObject({
    crashed: { subtype: 'success', response: { hookSpecificOutput: no } },
    broken: { subtype: 'success', response: { hookSpecificOutput: no } },
    after: { subtype: 'success', response: {} },
    unread: { subtype: 'success', response: { behavior: 'deny' } },
  })
})

test('what is not known is refused, and an id that comes again is told', async () => {
  const { asked, answers, problems, read } = rig()
  read({ type: 'control_request', request_id: 'a', request: { subtype: 'dance' } })
  read({ type: 'control_request', request_id: 'a', request: { subtype: 'dance' } })
  read({ type: 'control_request', request: { subtype: 'dance' } })
  read(permission('b'))
  read(permission('b'))
  await settled()
  expect(asked).toHaveLength(1)
  expect(answers()).toMatchObject([{ response: { subtype: 'error', request_id: 'a' } }])
  expect(problems).toEqual(['unknown-request', 'id-twice', 'no-id', 'id-twice'])
})

test('who asks in the old form is answered in it', async () => {
  const { asked, answers, read } = rig()
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_input: { command: 'ls' } }
  for (const id of ['a', 'b']) read({ type: 'control_request', request_id: id, request })
  expect(asked[0]?.request).toMatchObject({ input: { command: 'ls' } })
  asked[0]?.answer(succeed({ behavior: 'allow' }))
  asked[1]?.answer(fail('no', 'Not now.'))
  await settled()
  expect(answers().map(({ response }) => response)).toEqual([
    { subtype: 'can_use_tool_result', request_id: 'a', result: { behavior: 'allow' } },
    { subtype: 'can_use_tool_result', request_id: 'b', result: { behavior: 'deny', message: 'Not now.' } },
  ])
})

test('what is asked here gets its own answer, a refusal its reason', async () => {
  const { link, requests, problems, read } = rig()
  const mode = link.request({ subtype: 'set_permission_mode', mode: 'plan' })
  const status = link.request({ subtype: 'mcp_status' })
  const [first, second] = requests()
  const respond = (response: object) => read({ type: 'control_response', response })
  respond({ subtype: 'success', request_id: second?.request_id, response: { mcpServers: [] } })
  respond({ subtype: 'error', request_id: first?.request_id, error: 'Not allowed here.' })
  respond({ subtype: 'success', request_id: first?.request_id })
  expect(await status).toEqual(succeed({ mcpServers: [] }))
  expect(await mode).toEqual(fail('refused', 'Not allowed here.'))
  expect(problems).toEqual(['unknown-answer'])
})

test('an answer that does not come is given up in time, and the agent is told', async () => {
  vi.useFakeTimers()
  try {
    const { link, written } = rig()
    const answer = link.request({ subtype: 'mcp_status' }, { timeoutMs: 5 })
    await vi.advanceTimersByTimeAsync(5)
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'no-answer' } })
    expect(written.map(({ type }) => type)).toEqual(['control_request', 'control_cancel_request'])
  } finally {
    vi.useRealTimers()
  }
})

test('a line that cannot be written fails what it asks', async () => {
  const { link, block } = rig()
  block(fail('behind', 'It does not read.'))
  expect(await link.request({ subtype: 'mcp_status' })).toEqual(fail('behind', 'It does not read.'))
})

test('the end withdraws what is asked and fails what is waited for; nothing goes out any more', async () => {
  const { link, asked, written, read } = rig()
  read(permission('a'))
  const answer = link.request({ subtype: 'mcp_status' })
  link.close({ code: 'ended', message: 'Claude has ended.' })
  asked[0]?.answer(succeed({ behavior: 'allow' }))
  read(permission('b'))
  await settled()
  expect(await answer).toEqual(fail('ended', 'Claude has ended.'))
  expect(await link.request({ subtype: 'mcp_status' })).toEqual(fail('ended', 'Claude has ended.'))
  expect(asked.map(({ signal }) => signal.reason as unknown)).toEqual(['connection-lost'])
  expect(written).toHaveLength(1)
})

test('messages pass as they are; lines that hold none are told and left out', () => {
  const { link, heard, problems, read } = rig()
  for (const line of ['', '  \r', '{"type":', '[1]', '{"no":"type"}', '{"type":7}']) link.read(line)
  read({ type: 'keep_alive' })
  read({ type: 'brand_new', value: 1 })
  expect(heard).toEqual([{ type: 'brand_new', value: 1 }])
  expect(problems).toEqual(['not-json', 'not-a-message', 'not-a-message', 'not-a-message'])
})

test('a question too long to be read is refused by what is known of it', () => {
  const { link, answers, problems } = rig()
  const input = { command: 'x'.repeat(5000) }
  const tooLong = (message: object) => link.skip(40_000_000, JSON.stringify(message).slice(0, 1024))
  tooLong(permission('long', input))
  tooLong({
    ...{ request_id: 'hook', type: 'control_request' },
    request: { subtype: 'hook_callback', callback_id: 'before-edit', input },
  })
  tooLong({
    ...{ type: 'control_request', request_id: 'old' },
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_input: input },
  })
  // The members of what a hook or a tool is given can have the same names.
  tooLong({
    ...{ request_id: 'hook of a tool', type: 'control_request' },
    request: { subtype: 'hook_callback', callback_id: 'before-edit', input: { tool_input: input } },
  })
  tooLong(permission('long of a tool', { tool_input: input }))
  tooLong({
    ...{ type: 'control_request', request_id: 'old of a tool' },
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_input: { input } },
  })
  tooLong({ type: 'user', message: { type: 'control_request', request_id: 'said', content: input.command } })
  expect(answers().map(({ response }) => response)).toMatchObject([
    { subtype: 'success', request_id: 'long', response: { behavior: 'deny' } },
    { request_id: 'hook', response: { hookSpecificOutput: { permissionDecision: 'deny' } } },
    { subtype: 'can_use_tool_result', request_id: 'old', result: { behavior: 'deny' } },
    { request_id: 'hook of a tool', response: { hookSpecificOutput: { permissionDecision: 'deny' } } },
    { subtype: 'success', request_id: 'long of a tool', response: { behavior: 'deny' } },
    { subtype: 'can_use_tool_result', request_id: 'old of a tool', result: { behavior: 'deny' } },
  ])
  expect(problems).toEqual(Array.from({ length: 7 }, () => 'too-long'))
})
