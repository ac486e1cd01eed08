import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import { withdrawnReasonOf } from '../../../shared/review/proposal'
import { type CallOf, type HookCall, readHook } from './hook-wire'
import type { NotedStatus } from '../../core/history/running-sessions'
import type { IdeLink } from './ide-link'
import { PermissionCards } from './permission-cards'
import { SessionWatch } from './session-watch'

interface Put {
  question: Question
  answer(answer: ApprovalAnswer): void
}

let put: Put[]
let isOn: boolean
let hasPage: boolean
let link: IdeLink
let opensDiffs: boolean
let status: NotedStatus
let watch: SessionWatch
let cards: PermissionCards

beforeEach(() => {
  put = []
  isOn = true
  hasPage = true
  link = 'unlinked'
  opensDiffs = true
  status = 'working'
  watch = new SessionWatch(() => status === 'waiting')
  cards = new PermissionCards({
    approvals: {
      ask: (question, signal) =>
        new Promise((resolve) => {
          const withdraw = () => resolve({ kind: 'withdrawn', reason: withdrawnReasonOf(signal) })
          if (signal.aborted) return withdraw()
          signal.addEventListener('abort', withdraw)
          put.push({ question, answer: resolve })
        }),
    },
    watch,
    isOn: () => isOn,
    hasPage: () => hasPage,
    opensDiffs: () => Promise.resolve(opensDiffs),
    folders: () => ['/p'],
    status: () => status,
  })
})
afterEach(() => expect(cards.waiting).toBe(0))

function body(hook_event_name: string, more: object = {}): HookCall {
  const call = readHook({ session_id: 's', cwd: '/p', hook_event_name, tool_response: null, ...more })
  if (!call.ok) throw new Error(call.failure.message)
  return call.value
}
const bash = { tool_name: 'Bash', tool_input: { command: 'touch b.txt', description: 'does it' } }
const write = { tool_name: 'Write', tool_input: { file_path: '/p/a', content: 'x' } }
const begins = (id: string, more: object = bash) => body('PreToolUse', { ...more, tool_use_id: id })
const ends = (id: string, more: object = bash) => body('PostToolUse', { ...more, tool_use_id: id })
const tell = (...calls: readonly HookCall[]) => {
  for (const call of calls) {
    watch.heard(call, { terminal: 't', parent: null })
    cards.heard(call)
  }
}
/** Asks, and gives what is answered, how to close the request, and the card if one came. */
async function ask(more: object = bash) {
  const closing = new AbortController()
  const before = put.length
  const asked = body('PermissionRequest', more) as CallOf<'PermissionRequest'>
  tell(asked)
  const origin = { dialect: 'd', connection: 't', agent: 'Claude', session: asked.session_id }
  const answer = cards.answer(asked, { origin, link }, closing.signal)
  await new Promise((resolve) => setImmediate(resolve))
  const [card] = put.slice(before)
  return { answer, close: () => closing.abort('cancelled'), card }
}
const decided = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})
const allow: ApprovalAnswer = { kind: 'allowed', option: 'allow', values: {}, by: 'person' }

describe('a card', () => {
  test('says what is asked, and what it plainly names outside; no rule may answer it', async () => {
    const suggested = {
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    }
    const more = { tool_name: 'Bash', tool_input: { command: 'cp /etc/hosts x', description: 'Copies' } }
    tell(begins('1', more))
    const { card, answer } = await ask({ ...more, ...suggested })
    expect(card?.question).toMatchObject({
      ...{ kind: 'run', subject: 'cp /etc/hosts x', folder: '/p', needsPerson: true },
      requester: { connection: 't', session: 's', call: '1' },
      why: 'Copies\nIt names places outside the folder: /etc/hosts',
    })
    expect(card?.question.options.map(({ id }) => id)).toEqual(['allow', 'mode-acceptEdits', 'deny', 'stop'])
    card?.answer({ ...allow, option: 'mode-acceptEdits' })
    expect(await answer).toEqual(
      decided({
        ...{ behavior: 'allow', updatedInput: more.tool_input },
        updatedPermissions: suggested.permission_suggestions,
      }),
    )
  })

  test('that is denied tells the model why, and the turn goes on', async () => {
    const { card, answer } = await ask()
    card?.answer({ kind: 'denied', option: 'deny', reason: 'Use a.txt.', stops: false, by: 'person' })
    expect(await answer).toEqual(decided({ behavior: 'deny', message: 'Use a.txt.' }))
  })

  test('of a plan sends back what is said of its lines, and planning goes on', async () => {
    const { card, answer } = await ask({
      tool_name: 'ExitPlanMode',
      tool_input: { plan: '# Plan\n\n1. Wait' },
    })
    expect(card?.question).toMatchObject({ kind: 'plan', subject: '# Plan\n\n1. Wait' })
    const back = card?.question.options.find(({ label }) => label === 'Keep planning')
    expect(back?.leadsTo).toEqual({ kind: 'deny', stops: false })
    const reason = 'Line 3, “1. Wait”: How long?'
    card?.answer({ kind: 'denied', option: back?.id ?? '', reason, stops: false, by: 'person' })
    expect(await answer).toEqual(decided({ behavior: 'deny', message: reason }))
  })

  test('that couldn’t be shown leaves the question to the terminal', async () => {
    const { card, answer } = await ask()
    card?.answer({ kind: 'refused', message: 'Too many.' })
    expect(await answer).toEqual({})
  })

  test('doesn’t come for a change that is proposed over a connection, nor where it is switched off', async () => {
    link = 'linked'
    expect(await (await ask(write)).answer).toBeNull()
    isOn = false
    expect(await (await ask()).answer).toBeNull()
    link = 'unlinked'
    expect(await (await ask(write)).answer).toBeNull()
    expect(put).toEqual([])
  })

  test.each([
    ['no connection', 'unlinked', write, true],
    ['a connection that isn’t known', 'unknown', write, true],
    ['a connection over which no diffs are opened', 'linked', write, false],
    [
      'a connection over which notebooks aren’t proposed',
      'linked',
      { tool_name: 'NotebookEdit', tool_input: { notebook_path: '/p/a.ipynb', new_source: 'x' } },
      true,
    ],
  ] as const)('comes for a change of a file with %s', async (_name, its, change, diffs) => {
    link = its
    opensDiffs = diffs
    tell(begins('1', change))
    const { card, answer } = await ask(change)
    expect(card?.question).toMatchObject({ tool: change.tool_name, needsPerson: true })
    card?.answer(allow)
    expect(await answer).toEqual(decided({ behavior: 'allow', updatedInput: change.tool_input }))
    tell(ends('1', change))
    expect(watch.wasAsked('s', '1')).toBe(true)
  })

  test('of a sub-agent can be left to its terminal, and needs somebody to see it', async () => {
    const sub = { ...bash, agent_id: 'a', agent_type: 'x' }
    const { card, answer } = await ask(sub)
    expect(card?.question.why).toContain('its terminal asks only after you answer here')
    expect(card?.question.options.at(-1)).toMatchObject({ id: 'terminal', leadsTo: { kind: 'leave' } })
    card?.answer({ kind: 'withdrawn', reason: 'cancelled' })
    expect(await answer).toEqual({})
    hasPage = false
    expect(await (await ask(sub)).answer).toBeNull()
    const main = await ask()
    main.card?.answer(allow)
    await main.answer
  })
})

describe('answered in the terminal', () => {
  test('with no, the request closes', async () => {
    const { answer, close, card } = await ask()
    expect(card).toBeDefined()
    close()
    expect(await answer).toEqual({})
    status = 'unknown'
    const gone = await ask()
    gone.close()
    await gone.answer
  })

  test('with yes, its note no longer waits', async () => {
    tell(begins('1'))
    const { answer } = await ask()
    status = 'waiting'
    cards.noted('s', status)
    cards.noted('other', 'working')
    expect(cards.waiting).toBe(1)
    status = 'working'
    cards.noted('s', status)
    expect(await answer).toEqual({})
  })

  test('one of several is known only by what follows it', async () => {
    const other = { tool_name: 'WebFetch', tool_input: { url: 'https://example.com', prompt: 'p' } }
    tell(begins('1'))
    const one = await ask()
    const two = await ask(other)
    cards.noted('s', 'waiting')
    cards.noted('s', 'working')
    expect(cards.waiting).toBe(2)
    tell(ends('2'), ends('1'))
    expect(await one.answer).toEqual({})
    expect(cards.waiting).toBe(1)
    tell(ends('3', other))
    expect(await two.answer).toEqual({})
  })

  test('what began before the terminal asked says nothing', async () => {
    const { answer, close } = await ask()
    cards.noted('s', 'working')
    cards.noted('s', 'idle')
    expect(cards.waiting).toBe(1)
    close()
    await answer
  })

  test.each([
    ['a prompt', body('UserPromptSubmit', { prompt: 'x' })],
    ['the turn’s end', body('Stop')],
    ['a failure', body('StopFailure')],
    ['the session’s end', body('SessionEnd')],
    [
      'another wording of the questions',
      ends('9', { tool_name: 'AskUserQuestion', tool_input: { answers: {} } }),
    ],
  ])('closes with %s', async (_name, call) => {
    const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: false }
    const { answer, card } = await ask({
      ...{ tool_name: 'AskUserQuestion', tool_input: { questions: [{ ...question, header: 'Q' }] } },
    })
    expect(card?.question.kind).toBe('question')
    tell({ ...call, session_id: 'other' } as HookCall)
    expect(cards.waiting).toBe(1)
    tell(call)
    expect(await answer).toEqual({})
  })

  test('what the main thread does closes nothing of a sub-agent, which ends with it', async () => {
    const { answer } = await ask({ ...bash, agent_id: 'a' })
    tell(body('Stop'), body('UserPromptSubmit', { prompt: 'x' }), ends('5'))
    tell(body('SubagentStop', { agent_id: 'b' }))
    expect(cards.waiting).toBe(1)
    tell(body('SubagentStop', { agent_id: 'a' }))
    expect(await answer).toEqual({})
  })

  test('first answer here: the command works from now on, and what follows changes nothing', async () => {
    tell(begins('1'))
    const { answer, card } = await ask()
    status = 'waiting'
    card?.answer(allow)
    expect(await answer).toEqual(decided({ behavior: 'allow', updatedInput: bash.tool_input }))
    expect(watch.workOf('s')?.command).toBe('touch b.txt')
    tell(ends('1'))
  })
})
