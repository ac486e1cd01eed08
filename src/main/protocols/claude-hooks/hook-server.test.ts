import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { afterTool, beforeTool, decisionIn, HookPeer } from '../../../../test/hook-peer'
import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import type { PathRule } from '../../../shared/gate/path-rule'
import { Emitter } from '../../../shared/lifetime'
import { type Opening, type Proposal, withdrawnReasonOf } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { Ledger } from '../../core/files/ledger'
import type { GateMode } from '../../core/gate/gate-policy'
import type { Receipt } from '../../core/review/record/receipts'
import { FrameParser } from '../kit/frame-parser'
import type { IdeLink } from './ide-link'
import { type HookServer, startHookServer } from './hook-server'
import type { HookCall } from './hook-wire'
import type { Due, HookPorts, HookSource } from './ports'
import { tokenFor } from './terminal-token'

/** A review as the desk would hold it: the test is the person. */
interface Asked {
  proposal: Proposal
  signal: AbortSignal
  answer(opening: Opening): void
}

let root: string
let server: HookServer
let peer: HookPeer
let frames: FrameParser
let asked: Asked[]
let came: Emitter<void>
let questions: Question[]
let refused: [status: number, message: string, terminal: string | null][]
let heard: [HookCall, HookSource][]
let receipts: Receipt[]
let looked: string[]
let said: string[]
let reported: unknown[]
let framed: string[]
let ended: string[]
let link: IdeLink
let rule: PathRule | null
let policy: GateMode
let approval: ApprovalAnswer
let answerEvent: (call: HookCall, signal: AbortSignal) => Promise<object | null>
let due: Due | null
let ledger: Ledger
let opensDiffs: boolean

const ports: HookPorts = {
  review: (proposal, signal) =>
    new Promise((resolve) => {
      asked.push({ proposal, signal, answer: resolve })
      signal.addEventListener('abort', () =>
        resolve({ kind: 'withdrawn', reason: withdrawnReasonOf(signal) }),
      )
      came.emit()
    }),
  receive: async (receipt) => void receipts.push(receipt),
  mayHaveBeenWritten: (path) => void looked.push(path),
  opensDiffs: async () => opensDiffs,
  approvals: {
    ask: async (question) => {
      questions.push(question)
      return approval
    },
    endSession: () => undefined,
  },
  policy: { of: () => policy },
  rules: { of: async () => rule },
  session: async (id, from) => ({
    origin: {
      ...{ dialect: 'claude-hooks', connection: `of ${from.terminal}`, agent: 'Claude', session: id },
      ...(from.parent === null ? {} : { pid: from.parent }),
    },
    link,
    hear: (direction, text) => framed.push(`${direction} ${text}`),
    ended: () => ended.push(id),
  }),
  ledger: {
    expect: (write) => ledger.expect(write),
    cancel: (write) => ledger.cancel(write),
  },
  events: {
    heard: (call, from) => void heard.push([call, from]),
    placed: () => undefined,
    answer: (call, _session, signal) => answerEvent(call, signal),
  },
  due: { take: () => due },
  refused: (status, message, from) => void refused.push([status, message, from?.terminal ?? null]),
  say: (sentence) => void said.push(sentence),
  report: (error) => void reported.push(error),
}

async function start(kept?: { port: number; token: string }): Promise<HookServer> {
  const started = await startHookServer({
    ports,
    frames,
    folder: join(root, 'hooks'),
    ...(kept ? { kept } : {}),
  })
  if (!started.ok) throw new Error(started.failure.message)
  return started.value
}

const peerOf = (terminal: string, of = server) =>
  new HookPeer(of.url, { terminal, token: of.tokenFor(terminal) })

async function review(number: number): Promise<Asked> {
  while (asked[number] === undefined)
    await new Promise<void>((resolve) => {
      const listening = came.on(() => {
        listening.dispose()
        resolve()
      })
    })
  return asked[number]
}

const at = (name: string) => join(root, name)
const write = (name: string, content: string, more = {}) =>
  beforeTool('Write', { file_path: at(name), content }, more)
const told = async (answer: Promise<{ status: number; body: object }>) => {
  const { status, body } = await answer
  return [status, (body as { error?: string }).error]
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'hook-server-'))
  frames = new FrameParser()
  came = new Emitter()
  ;[asked, questions, refused, heard, receipts, said, reported, framed, ended] = [
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  looked = []
  opensDiffs = true
  ;[link, rule, policy, due] = ['unlinked', null, 'every', null]
  approval = { kind: 'allowed', option: 'allow', values: {}, by: 'person' }
  answerEvent = async () => null
  ledger = new Ledger()
  server = await start()
  peer = peerOf('t1')
})

afterEach(async () => {
  server.dispose()
  await server.closed
  frames.dispose()
  rmSync(root, { recursive: true, force: true })
  expect(reported).toEqual([])
})

describe('a change', () => {
  test('is asked about where its session proposes its changes over a connection', async () => {
    link = 'linked'
    const answer = await peer.ask(write('a', 'x'))
    expect(decisionIn(answer)).toMatchObject({ permissionDecision: 'ask' })
    expect(asked).toEqual([])
  })

  test('of a kind that is never proposed over a connection is reviewed here all the same', async () => {
    link = 'linked'
    writeFileSync(at('a'), 'one\n')
    const edits = [{ old_string: 'one', new_string: 'two' }]
    const called = peer.send(beforeTool('MultiEdit', { file_path: at('a'), edits }))
    const { proposal, answer } = await review(0)
    expect(proposal.proposed).toBe('two\n')
    answer({ kind: 'rejected' })
    expect(decisionIn(await called.answer)['permissionDecision']).toBe('deny')
    const writes = [
      [at('new.IPYNB'), 'x'],
      [`/${at('a')}`, 'x'],
      [at('empty'), ''],
    ] as const
    for (const [index, [path, content]] of writes.entries()) {
      const other = beforeTool('Write', { file_path: path, content }, { tool_use_id: `toolu_${index + 2}` })
      const asking = peer.send(other)
      ;(await review(index + 1)).answer({ kind: 'rejected' })
      expect(decisionIn(await asking.answer)['permissionDecision']).toBe('deny')
    }
  })

  test('is reviewed here too where its terminal is set to show all changes itself', async () => {
    ;[link, opensDiffs] = ['linked', false]
    const called = peer.send(write('a', 'x'))
    ;(await review(0)).answer({ kind: 'rejected' })
    expect(decisionIn(await called.answer)['permissionDecision']).toBe('deny')
  })

  test('is reviewed elsewhere, and the tool is given what was accepted, and the model told', async () => {
    const called = peer.send(write('a', 'one\ntwo\n'), { headers: { 'x-greenlight-parent': '4711' } })
    const { proposal, answer } = await review(0)
    expect(proposal).toMatchObject({
      ...{ path: at('a'), proposed: 'one\ntwo\n', effect: 'agent', title: 'Write a' },
      origin: { connection: 'of t1', call: 'toolu_1', pid: 4711 },
    })
    answer({ kind: 'accepted', text: 'one\n' })
    expect(decisionIn(await called.answer)).toEqual({
      permissionDecision: 'allow',
      permissionDecisionReason: 'Accepted in Greenlight.',
      updatedInput: { file_path: at('a'), content: 'one\n' },
      additionalContext: expect.stringContaining('two') as string,
    })
  })

  test('that is rejected is refused, with the person’s words', async () => {
    const called = peer.send(write('a', 'x'))
    ;(await review(0)).answer({ kind: 'rejected', note: 'Not here.' })
    expect(decisionIn(await called.answer)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Not here.') as string,
    })
  })

  test('without a text to review is asked about as it is, and can’t end the turn', async () => {
    const input = { notebook_path: at('n.ipynb'), new_source: 'x', edit_mode: 'insert' }
    const answer = await peer.ask(beforeTool('NotebookEdit', input))
    expect(decisionIn(answer)).toMatchObject({ permissionDecision: 'allow', updatedInput: input })
    expect(questions[0]?.options.map(({ id }) => id)).toEqual(['allow', 'deny'])
    approval = { kind: 'withdrawn', reason: 'cancelled' }
    const again = await peer.ask(beforeTool('NotebookEdit', input, { tool_use_id: 't2' }))
    expect(decisionIn(again)['permissionDecision']).toBe('deny')
  })

  test('that its mode decides is left to it, by an answer without a decision', async () => {
    policy = 'mode'
    expect(decisionIn(await peer.ask(write('a', 'x')))).toEqual({})
    expect(decisionIn(await peer.ask(beforeTool('Bash', { command: 'ls' })))).toEqual({})
  })

  test('that a rule refuses says so', async () => {
    rule = { pattern: 'migrations/**', answer: 'never' }
    expect(decisionIn(await peer.ask(write('a', 'x')))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('“migrations/**”') as string,
    })
  })

  test('that a rule lets through is expected, and has a receipt once it is made', async () => {
    rule = { pattern: '*', answer: 'write' }
    writeFileSync(at('a'), 'before')
    const call = write('a', 'after')
    expect(decisionIn(await peer.ask(call))['permissionDecision']).toBe('allow')
    expect(ledger.expects(at('a'), hashContent('after'))).toBe(true)
    expect(receipts).toEqual([])
    writeFileSync(at('a'), 'after')
    await peer.ask(afterTool(call))
    await peer.ask(afterTool(call))
    expect(receipts).toMatchObject([
      { realPath: at('a'), by: { kind: 'rule', pattern: '*' }, origin: { turn: 'p1' }, title: 'Write a' },
    ])
    const [{ before, after } = { before: null, after: null }] = receipts
    expect([String(before), String(after)]).toEqual(['before', 'after'])
  })

  test('is looked at while its session is looked for', async () => {
    rule = { pattern: '*', answer: 'write' }
    const { session } = ports
    let look = (): void => undefined
    const isLookedAt = new Promise<void>((resolve) => (look = resolve))
    const rules = vi.spyOn(ports.rules, 'of').mockImplementation(async () => {
      look()
      return rule
    })
    const sessions = vi.spyOn(ports, 'session').mockImplementation(async (id, from) => {
      await isLookedAt
      return session(id, from)
    })
    try {
      expect(decisionIn(await peer.ask(write('a', 'after')))['permissionDecision']).toBe('allow')
    } finally {
      rules.mockRestore()
      sessions.mockRestore()
    }
  })

  test('that failed has none, and is expected no more', async () => {
    rule = { pattern: '*', answer: 'write' }
    const call = write('a', 'after')
    await peer.ask(call)
    await peer.ask(afterTool(call, { hook_event_name: 'PostToolUseFailure' }))
    await peer.ask(afterTool(call))
    expect(receipts).toEqual([])
    expect(ledger.expects(at('a'), hashContent('after'))).toBe(false)
  })

  test('of a file that couldn’t be put back is let through by no rule', async () => {
    rule = { pattern: '*', answer: 'write' }
    const called = peer.send(write('.', 'x'))
    expect(decisionIn(await called.answer)['permissionDecision']).toBe('allow')
    expect(questions).toHaveLength(1)
  })

  test('that was asked about is looked at as soon as it is made', async () => {
    const call = write('a', 'x')
    const called = peer.send(call)
    const { answer } = await review(0)
    answer({ kind: 'accepted', text: 'x' })
    await called.answer
    expect(looked).toEqual([])
    await peer.ask(afterTool(call))
    expect(looked).toEqual([at('a')])
  })

  test('gives the model the words that are due once it is made', async () => {
    due = { words: 'You kept half.', otherwise: () => expect.unreachable() }
    const answer = await peer.ask(afterTool(write('a', 'x')))
    expect(answer.body).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'You kept half.' },
    })
    expect((await peer.ask(afterTool(beforeTool('Bash', {})))).body).toEqual({})
  })

  test('whose caller has gone has its words said otherwise', async () => {
    const otherwise = vi.fn<() => void>()
    due = { words: 'You kept half.', otherwise }
    const { session } = ports
    const sessions = vi.spyOn(ports, 'session').mockImplementation(async (id, from) => {
      called.hangUp()
      await vi.waitFor(() => expect(server.waiting).toBe(0))
      return session(id, from)
    })
    const called = peer.send(afterTool(write('a', 'x')))
    try {
      await vi.waitFor(() => expect(otherwise).toHaveBeenCalledOnce())
      expect(framed.filter((frame) => frame.startsWith('out'))).toEqual([])
    } finally {
      sessions.mockRestore()
    }
  })
})

describe('bad input', () => {
  test('a token that is missing, wrong, or another terminal’s opens nothing, and says what to do', async () => {
    const ask = (headers: Record<string, string | undefined>) => told(peer.ask(write('a', 'x'), { headers }))
    expect(await ask({ authorization: undefined })).toEqual([
      401,
      expect.stringMatching(/no GREENLIGHT_HOOK_TOKEN\. .*httpHookAllowedEnvVars/),
    ])
    expect(await ask({ authorization: 'Bearer ', 'x-greenlight-terminal': '' })).toEqual([
      401,
      expect.stringContaining('no GREENLIGHT_HOOK_TOKEN and no GREENLIGHT_TERMINAL'),
    ])
    expect(await ask({ authorization: 'Bearer nonsense' })).toEqual([
      401,
      expect.stringContaining('new terminal'),
    ])
    expect(await ask({ 'x-greenlight-terminal': 't2' })).toEqual([401, expect.any(String)])
    expect(await ask({ 'x-greenlight-terminal': `${'t'.repeat(101)}` })).toEqual([401, expect.any(String)])
    expect(heard).toEqual([])
    expect(refused.map(([status, , from]) => [status, from])).toEqual(Array(5).fill([401, null]))
  })

  test('a foreign Host or Origin is refused before its token is looked at', async () => {
    const ask = (headers: Record<string, string>) => told(peer.ask(write('a', 'x'), { headers }))
    expect(await ask({ host: 'evil.example' })).toEqual([403, expect.any(String)])
    expect(await ask({ origin: server.url })).toEqual([403, expect.any(String)])
    expect(refused.map(([status, , from]) => [status, from])).toEqual(Array(2).fill([403, null]))
  })

  test('another path or method is not served', async () => {
    expect(await told(peer.ask('{}', { path: '/hooks' }))).toEqual([404, expect.any(String)])
    expect(await told(peer.ask('{}', { method: 'PUT' }))).toEqual([405, expect.any(String)])
  })

  test('a body over 64 MiB is refused, also where its length isn’t told', async () => {
    const large = Buffer.alloc(64 * 1024 * 1024 + 1, ' ')
    expect(await told(peer.ask(large))).toEqual([413, expect.stringContaining('64 MB')])
    expect(await told(peer.ask(large, { headers: { 'transfer-encoding': 'chunked' } }))).toEqual([
      413,
      expect.any(String),
    ])
    // Whose it was is known: its person is told.
    expect(refused.map(([status, , from]) => [status, from])).toEqual(Array(2).fill([413, 't1']))
  })

  test('a large body is read like a small one', async () => {
    const content = 'line\n'.repeat(1_000_000)
    const called = peer.send(write('a', content))
    const { proposal, answer } = await review(0)
    expect(proposal.proposed).toBe(content)
    answer({ kind: 'accepted', text: 'less\n' })
    expect(decisionIn(await called.answer)).toMatchObject({ updatedInput: { content: 'less\n' } })
  })

  test.each([
    ['broken JSON', '{"hook_event_name":'],
    ['no JSON', 'hello'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['an unknown event', { ...beforeTool('Write', {}), hook_event_name: 'Setup' }],
    ['a body without its call', { ...beforeTool('Write', {}), tool_use_id: undefined }],
    ['large nonsense', ' '.repeat(3_000_000) + '{'],
  ])('%s is no decision: 500', async (_name, body) => {
    expect(await told(peer.ask(body))).toEqual([500, expect.stringContaining('Update Greenlight')])
    expect(refused).toEqual([[500, expect.stringContaining('Update Greenlight'), 't1']])
    expect(heard).toEqual([])
  })

  test.each([
    ['relative', { file_path: 'a', content: 'x' }],
    ['with a NUL', { file_path: '/a\0b', content: 'x' }],
    ['upwards', { file_path: '/docs/out/../a', content: 'x' }],
    ['missing', { content: 'x' }],
    ['no text', { file_path: 7, content: 'x' }],
  ])('a path that is %s is refused', async (_name, input) => {
    policy = 'mode'
    expect(decisionIn(await peer.ask(beforeTool('Write', input)))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('absolute path') as string,
    })
    expect(said).toEqual(['A change by Claude was refused: it didn’t say plainly which file it changes.'])
    expect([asked, receipts]).toEqual([[], []])
  })

  test('a change that then goes to another file than was asked about is told to the person', async () => {
    link = 'linked'
    const call = write('a', 'x')
    await peer.ask(call)
    await peer.ask(afterTool(call, { tool_input: { file_path: at('b'), content: 'x' } }))
    expect(said).toEqual([expect.stringMatching(/Claude wrote .*b, though it had asked about a:/)])
  })

  test('a second request for a call is joined to the first, asked once, and tells the model once', async () => {
    const first = peer.send(write('a', 'one\n'))
    const { answer } = await review(0)
    const second = peer.send(write('a', 'one\n'))
    await vi.waitFor(() => expect(server.waiting).toBe(2))
    answer({ kind: 'accepted', text: 'two\n' })
    const [one, two, later] = [await first.answer, await second.answer, await peer.ask(write('a', 'one\n'))]
    expect(decisionIn(one)).toHaveProperty('additionalContext')
    for (const again of [two, later]) {
      const { additionalContext: _told, ...rest } = decisionIn(one)
      expect(decisionIn(again)).toEqual(rest)
    }
    expect(asked).toHaveLength(1)
    expect(await told(peer.ask(write('a', 'another\n')))).toEqual([
      500,
      expect.stringContaining('Another change'),
    ])
    expect(refused).toEqual([[500, expect.stringContaining('Another change'), 't1']])
  })

  test('what another hook made of a change has that in its receipt, and is expected by nobody', async () => {
    rule = { pattern: '*', answer: 'write' }
    const call = write('a', 'allowed')
    await peer.ask(call)
    writeFileSync(at('a'), 'another')
    await peer.ask(afterTool(call, { tool_input: { file_path: at('a'), content: 'another' } }))
    expect(String(receipts[0]?.after)).toBe('another')
    expect(ledger.expects(at('a'), hashContent('another'))).toBe(false)
  })

  test('a socket that closes withdraws what it asked, unless somebody else waits for it', async () => {
    const first = peer.send(write('a', 'x'))
    const { signal } = await review(0)
    const second = peer.send(write('a', 'x'))
    await vi.waitFor(() => expect(server.waiting).toBe(2))
    first.hangUp()
    await vi.waitFor(() => expect(server.waiting).toBe(1))
    expect(signal.aborted).toBe(false)
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    second.hangUp()
    await aborted
    expect(signal.reason).toBe('cancelled')
    // Asked again, it is a question anew.
    const third = peer.send(write('a', 'x'))
    ;(await review(1)).answer({ kind: 'rejected' })
    expect(decisionIn(await third.answer)['permissionDecision']).toBe('deny')
  })

  test('more than a hundred changes at once are refused', async () => {
    const calls = Array.from({ length: 100 }, (_, index) =>
      peer.send(write(`f${index}`, 'x', { tool_use_id: `t${index}` })),
    )
    await review(99)
    expect(decisionIn(await peer.ask(write('g', 'x', { tool_use_id: 'more' })))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: '100 changes are already waiting for the person. Wait for their decisions.',
    })
    expect(said).toEqual(['Changes by Claude are refused while 100 wait for you. Decide on some.'])
    for (const { answer } of asked) answer({ kind: 'rejected' })
    await Promise.all(calls.map(({ answer }) => answer))
    const next = peer.send(write('h', 'x', { tool_use_id: 'next' }))
    ;(await review(100)).answer({ kind: 'rejected' })
    expect((await next.answer).status).toBe(200)
  })

  test('of thousands of requests at once each is decided, or cut off, and the server lives', async () => {
    link = 'linked'
    const all = await Promise.allSettled(
      Array.from({ length: 2000 }, (_, index) =>
        peer.ask(write(`f${index}`, 'x', { tool_use_id: `t${index}` })),
      ),
    )
    const answered = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(answered.length).toBeGreaterThan(100)
    for (const one of answered) expect(decisionIn(one)['permissionDecision']).toBe('ask')
    expect(
      decisionIn(await peer.ask(write('last', 'x', { tool_use_id: 'last' })))['permissionDecision'],
    ).toBe('ask')
    expect(server.waiting).toBe(0)
  })

  test('a fault in here refuses a change, and lets nothing else through either', async () => {
    policy = 'every'
    const faulty = new Error('a bug')
    ports.rules.of = () => Promise.reject(faulty)
    answerEvent = () => Promise.reject(faulty)
    expect(decisionIn(await peer.ask(write('a', 'x')))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('a fault of its own') as string,
    })
    const { tool_use_id: _id, ...request } = {
      ...write('a', 'x'),
      hook_event_name: 'PermissionRequest',
      tool_use_id: 0,
    }
    expect((await peer.ask(request)).status).toBe(500)
    expect([said, refused]).toEqual([
      [expect.stringContaining('a fault of its own')],
      [[500, expect.stringContaining('a fault of its own'), 't1']],
    ])
    ports.rules.of = async () => rule
    expect(reported.splice(0)).toEqual([faulty, faulty])
  })
})

describe('other events', () => {
  test('are heard once each, and answered with no opinion unless somebody has one', async () => {
    const stop = { ...beforeTool('', {}), hook_event_name: 'Stop' }
    expect((await peer.ask(stop)).body).toEqual({})
    expect(heard).toMatchObject([[{ hook_event_name: 'Stop' }, { terminal: 't1', parent: null }]])
    answerEvent = async () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest' } })
    const asks = { ...beforeTool('Bash', { command: 'ls' }), hook_event_name: 'PermissionRequest' }
    expect((await peer.ask(asks)).body).toHaveProperty('hookSpecificOutput')
    expect(framed).toHaveLength(4)
  })

  test('end a session', async () => {
    await peer.ask({ ...beforeTool('', {}), hook_event_name: 'SessionEnd', reason: 'other' })
    expect(ended).toEqual(['0b3f3c0e-0000-4000-8000-000000000001'])
  })
})

describe('the server', () => {
  test('that is off asks nobody and keeps its port', async () => {
    server.isOn = false
    expect(decisionIn(await peer.ask(write('a', 'x')))).toEqual({})
    expect((await peer.ask({ ...beforeTool('', {}), hook_event_name: 'Stop' })).body).toEqual({})
    expect(heard).toEqual([])
  })

  test('that is switched off has no opinion on what it was asked beside a terminal, also if that was just coming', async () => {
    const signals: AbortSignal[] = []
    answerEvent = (_call, signal) => {
      signals.push(signal)
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        signal.addEventListener('abort', () => resolve(null))
      })
    }
    const question = { ...beforeTool('Bash', {}), hook_event_name: 'PermissionRequest' }
    const change = peer.send(write('a', 'x'))
    const reviewed = await review(0)
    const asked = peer.send(question)
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    const { session } = ports
    const sessions = vi.spyOn(ports, 'session').mockImplementation(async (id, from) => {
      server.isOn = false
      return session(id, from)
    })
    try {
      expect((await peer.ask(question)).body).toEqual({})
      expect((await asked.answer).body).toEqual({})
      expect(signals.map(({ reason }) => reason as unknown)).toEqual(['hooks-off', 'hooks-off'])
    } finally {
      sessions.mockRestore()
    }
    reviewed.answer({ kind: 'rejected' })
    expect(decisionIn(await change.answer)['permissionDecision']).toBe('deny')
  })

  test('that ends refuses what waits, with a sentence, and frees its port', async () => {
    answerEvent = (_call, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
    const change = peer.send(write('a', 'x'))
    const { signal } = await review(0)
    const question = peer.send({ ...beforeTool('Bash', {}), hook_event_name: 'PermissionRequest' })
    await vi.waitFor(() => expect(server.waiting).toBe(2))
    server.dispose()
    expect(decisionIn(await change.answer)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('Greenlight was closed') as string,
    })
    expect((await question.answer).body).toEqual({})
    expect(signal.reason).toBe('shutdown')
    await server.closed
    await expect(peer.ask(write('b', 'x'))).rejects.toThrow()
  })

  test('keeps port and secret, so that those who were started before still reach it', async () => {
    const { port, token } = server
    server.dispose()
    await server.closed
    server = await start({ port, token })
    expect(server.port).toBe(port)
    link = 'linked'
    expect((await peer.ask(write('a', 'x'))).status).toBe(200)
  })

  test('whose port was taken has another secret too: the old one may have been shown to a stranger', async () => {
    const stranger = createServer()
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const moved = await start({ port: Math.max(port, 10_000), token: server.token })
    try {
      expect(moved.token === server.token).toBe(moved.port === port)
      const old = new HookPeer(moved.url, { terminal: 't1', token: tokenFor(server.token, 't1') })
      if (moved.port !== port) expect((await old.ask(write('a', 'x'))).status).toBe(401)
    } finally {
      moved.dispose()
      await moved.closed
      stranger.close()
    }
  })

  test('has the plugin that names the token, and holds it nowhere', () => {
    const names = readdirSync(server.plugin, { recursive: true, encoding: 'utf8' })
    const files = names.map((name) => join(server.plugin, name)).filter((path) => statSync(path).isFile())
    expect(files).toContain(server.file)
    expect(readFileSync(server.file, 'utf8')).toContain(server.url)
    for (const path of files) {
      const text = readFileSync(path, 'utf8')
      for (const secret of [server.token, ...server.tokens]) expect(text).not.toContain(secret)
      expect(statSync(path).mode & 0o077).toBe(0)
    }
  })
})
