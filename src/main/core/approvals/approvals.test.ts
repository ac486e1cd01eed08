import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApprovalAnswer, Question } from '../../../shared/approval/approval'
import type { TextField } from '../../../shared/approval/approval-fields'
import { usualOptions } from '../../../../test/usual-options'
import { ApprovalRecord, mostEntries } from './approval-record'
import { ApprovalRules } from './approval-rules'
import { type ApprovalChange, Approvals, mostWaiting, mostWithdrawn, withdrawnStays } from './approvals'

let directory: string
let rules: ApprovalRules
let record: ApprovalRecord
let approvals: Approvals
let heard: ApprovalChange[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-approvals-'))
  open()
})
afterEach(async () => {
  approvals.dispose()
  // Or it puts its file into a folder that is gone.
  await record.flush()
  rmSync(directory, { recursive: true, force: true })
})

function open(): void {
  rules = new ApprovalRules(directory)
  record = new ApprovalRecord(directory)
  approvals = new Approvals(rules, record)
  heard = []
  approvals.onChange((change) => heard.push(change))
}

/** What the disk refuses, for everybody, root too: a folder stands where the file shall be. */
function refuse(name: 'approval-record.json' | 'approval-rules.json'): void {
  rmSync(join(directory, name), { force: true })
  mkdirSync(join(directory, name))
}
const allow = (name: string) => rmSync(join(directory, name), { recursive: true })

function question(change: Partial<Question> = {}): Question {
  const asked = {
    requester: { dialect: 'd', connection: 'c', agent: 'Robo', call: '1' },
    kind: 'run',
    title: 'Run a command',
    subject: 'npm test --secret=hunter2',
    tool: 'Bash',
    folder: '/work',
    path: null,
    why: null,
    fields: [],
    needsPerson: false,
    ...change,
  } as const
  return { ...asked, options: usualOptions(asked) }
}

function ask(change: Partial<Question> = {}) {
  const cancelled = new AbortController()
  const answers: ApprovalAnswer[] = []
  const answer = approvals.ask(question(change), cancelled.signal)
  void answer.then((one) => answers.push(one))
  return { answer, answers, cancel: (reason?: string) => cancelled.abort(reason) }
}
const shown = () => approvals.list().map(({ question: { subject } }) => subject)
const idOf = (index = 0) => approvals.list()[index]?.id ?? ''
const say = (option: string, reason: string | null = null, id = idOf()) =>
  approvals.answer(id, { option, values: {}, reason })
const endings = () => record.entries.map(({ outcome, by }) => `${outcome} by ${by}`)

describe('a question', () => {
  test('is answered by the person once, and stands in the record before the agent is told', async () => {
    const { answer, answers } = ask()
    const id = idOf()
    const said = say('deny', ' not now ')
    expect(answers).toEqual([])
    expect(await say('once', null, id)).toMatchObject({ ok: false, failure: { code: 'busy' } })
    expect(await said).toMatchObject({ ok: true })
    expect(await answer).toEqual({
      kind: 'denied',
      option: 'deny',
      reason: 'not now',
      stops: false,
      by: 'person',
    })
    expect(endings()).toEqual(['denied by person'])
    expect(await say('once', null, id)).toMatchObject({ ok: false, failure: { code: 'gone' } })
    expect(heard.map(({ kind }) => kind)).toEqual(['put', 'put', 'remove'])
  })

  test('is not told as decided where the record cannot be written, and can be answered again', async () => {
    const { answer, answers } = ask()
    refuse('approval-record.json')
    const failed = await say('once')
    expect(failed).toMatchObject({ ok: false, failure: { code: 'unrecorded' } })
    expect(answers).toEqual([])
    expect(approvals.list()).toMatchObject([
      { state: { kind: 'waiting' }, problem: expect.stringMatching(/recorded/) },
    ])
    expect(record.entries).toEqual([])
    allow('approval-record.json')
    expect(await say('once')).toMatchObject({ ok: true })
    expect(await answer).toMatchObject({ kind: 'allowed', option: 'once' })
  })

  test('that nobody asks any more stays until it is seen, with the reason', async () => {
    const { answer, cancel } = ask()
    const id = idOf()
    cancel('turn-over')
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'turn-over' })
    expect(approvals.list()).toMatchObject([{ state: { kind: 'withdrawn', reason: 'turn-over' } }])
    expect(await say('once', null, id)).toMatchObject({ ok: false, failure: { code: 'gone' } })
    approvals.seen(id)
    expect(approvals.list()).toEqual([])
    await record.flush()
    expect(endings()).toEqual(['withdrawn by app'])
  })

  test('that the person leaves to the agent’s own place is decided there, and the record says who left it', async () => {
    const cancelled = new AbortController()
    const leave = { id: 'leave', label: 'Ask there', leadsTo: { kind: 'leave' } } as const
    const { options } = question()
    const answer = approvals.ask({ ...question(), options: [...options, leave] }, cancelled.signal)
    expect(await say('leave')).toMatchObject({ ok: true })
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'cancelled' })
    expect(approvals.list()).toEqual([])
    expect(endings()).toEqual(['withdrawn by person'])
  })

  test('that was answered elsewhere says so in the record', async () => {
    ask().cancel('answered-there')
    await record.flush()
    expect(endings()).toEqual(['withdrawn by elsewhere'])
  })

  test('that is withdrawn while its answer goes to the disk is withdrawn, also in the record', async () => {
    const { answer, cancel } = ask()
    const said = say('once')
    cancel()
    expect(await answer).toEqual({ kind: 'withdrawn', reason: 'cancelled' })
    expect(await said).toMatchObject({ ok: false, failure: { code: 'gone' } })
    expect(endings()).toEqual(['withdrawn by app'])
    expect(approvals.list()).toMatchObject([{ state: { kind: 'withdrawn' } }])
  })

  test('beyond the bound is refused with a sentence, and so is what waits at the end', async () => {
    const waiting = Array.from({ length: mostWaiting }, () => ask())
    expect(await ask().answer).toMatchObject({ kind: 'refused', message: expect.stringMatching(/Ask again/) })
    waiting[0]?.cancel()
    const next = ask()
    expect(next.answers).toEqual([])
    approvals.dispose()
    for (const { answer } of [...waiting.slice(1), next]) {
      expect(await answer).toMatchObject({ kind: 'refused', message: expect.stringMatching(/closing/) })
    }
    expect(await ask().answer).toMatchObject({ kind: 'refused' })
  })

  test('with a form is not allowed before it is filled in; denying needs nothing', async () => {
    const field: TextField = {
      id: 'f',
      label: 'F',
      help: null,
      required: true,
      kind: 'text',
      lines: 'one',
      format: 'text',
      shortest: null,
      longest: null,
      initial: null,
    }
    const { answer } = ask({ kind: 'question', fields: [field] })
    expect(await say('once')).toMatchObject({ ok: false, failure: { message: 'Fill this in.' } })
    await approvals.answer(idOf(), { option: 'once', values: { f: 'x' }, reason: null })
    expect(await answer).toMatchObject({ kind: 'allowed', values: { f: 'x' } })
    const denied = ask({ kind: 'question', fields: [field] })
    expect(await say('stop')).toMatchObject({ ok: true })
    expect(await denied.answer).toMatchObject({ kind: 'denied', stops: true })
  })
})

describe('withdrawn questions', () => {
  afterEach(() => vi.useRealTimers())

  test('stay in number and time', () => {
    vi.useFakeTimers()
    const all = Array.from({ length: mostWithdrawn + 2 }, (_, index) => ask({ subject: String(index) }))
    for (const { cancel } of all) cancel()
    expect(shown()).toEqual(all.slice(2).map((_, index) => String(index + 2)))
    vi.advanceTimersByTime(withdrawnStays)
    expect(shown()).toEqual([])
  })
})

describe('rules', () => {
  test('come from an answer, are kept, and answer by themselves without being shown', async () => {
    const first = ask()
    await say('always')
    expect(await first.answer).toMatchObject({ kind: 'allowed', option: 'always', by: 'person' })
    approvals.dispose()
    open()
    expect(await ask().answer).toMatchObject({ kind: 'allowed', option: 'once', by: 'rule' })
    expect(heard).toEqual([])
    expect(endings()).toEqual(['allowed by person', 'allowed by rule'])
    expect(record.entries.at(-1)?.rule).toBe(rules.rules[0]?.id)
  })

  test('for a session hold in it, and end with it, or with the connection of an agent without sessions', async () => {
    const inSession = {
      requester: { dialect: 'd', connection: 'c', agent: 'Robo', call: '2', session: 's' },
    }
    void ask()
    await say('session')
    void ask(inSession)
    await say('session')
    expect(await ask().answer).toMatchObject({ by: 'rule' })
    approvals.endSession('c')
    await vi.waitFor(() => expect(rules.rules).toMatchObject([{ session: 's' }]))
    expect(await ask(inSession).answer).toMatchObject({ by: 'rule' })
    approvals.endSession('s')
    await vi.waitFor(() => expect(rules.rules).toEqual([]))
  })

  test('that came with an answer which does not count go with it; one that was there stays', async () => {
    refuse('approval-record.json')
    void ask()
    for (const option of ['always', 'session']) {
      expect(await say(option)).toMatchObject({ failure: { code: 'unrecorded' } })
      expect(rules.rules).toEqual([])
    }
    allow('approval-record.json')
    await say('always')
    const [made] = rules.rules
    const cancelled = new AbortController()
    // No rule answers it, although it offers the one that is there.
    const answered = approvals.ask({ ...question(), needsPerson: true }, cancelled.signal)
    const said = say('always', null, approvals.list().at(-1)?.id)
    cancelled.abort()
    expect(await answered).toMatchObject({ kind: 'withdrawn' })
    expect(await said).toMatchObject({ ok: false })
    expect(rules.rules).toEqual([made])
  })

  test('that could fit nothing are not made', async () => {
    const words = { answer: 'allow', agent: null, tool: null, folder: null, session: null } as const
    const fetching = await rules.add({ ...words, kind: 'fetch', pattern: 'example.com/*' })
    expect(fetching).toMatchObject({ ok: false, failure: { message: expect.stringMatching(/scheme/) } })
    expect(await rules.add({ ...words, kind: 'run', pattern: ' ' })).toMatchObject({ ok: false })
    expect(await rules.add({ ...words, kind: 'fetch', pattern: 'https://*.example.com/*' })).toMatchObject({
      ok: true,
    })
  })

  test('that cannot be written make the answer count for nothing', async () => {
    const { answers } = ask()
    refuse('approval-rules.json')
    expect(await say('always')).toMatchObject({ ok: false })
    expect(answers).toEqual([])
    expect(rules.rules).toEqual([])
    expect(record.entries).toEqual([])
  })

  test('whose answer cannot be recorded let the person be asked', async () => {
    void ask()
    await say('always')
    refuse('approval-record.json')
    const { answers } = ask()
    await vi.waitFor(() => expect(shown()).toHaveLength(1))
    expect(answers).toEqual([])
    expect(approvals.list()[0]?.problem).toMatch(/recorded/)
  })

  test('can be changed and removed, and the same one is not made twice', async () => {
    void ask()
    await say('always')
    const [made] = rules.rules
    if (!made) throw new Error('a rule was made')
    expect(await rules.add(made)).toMatchObject({ ok: true, value: { id: made.id } })
    expect(rules.rules).toHaveLength(1)
    const { id, madeAt: _, session: __, ...words } = made
    await rules.edit(id, { ...words, answer: 'deny', pattern: 'npm *' })
    expect(await ask().answer).toMatchObject({ kind: 'denied', by: 'rule' })
    await rules.remove(made.id)
    expect(await rules.remove(made.id)).toMatchObject({ ok: false, failure: { code: 'gone' } })
    void ask()
    expect(shown()).toHaveLength(1)
  })

  test('never answer what needs a person', async () => {
    void ask()
    await say('always')
    void ask({ needsPerson: true })
    expect(shown()).toHaveLength(1)
  })
})

describe('on disk', () => {
  test('nothing stands of what was said, and only the owner may read it', async () => {
    void ask()
    await say('deny', 'my-own-words')
    const text = readFileSync(join(directory, 'approval-record.json'), 'utf8')
    expect(text).toContain('Robo')
    for (const secret of ['hunter2', 'npm', 'my-own-words']) expect(text).not.toContain(secret)
    expect(record.entries[0]?.said?.subject).toContain('hunter2')
  })

  test('a record that cannot be read is set aside and told', () => {
    writeFileSync(join(directory, 'approval-record.json'), '{"version":1,"entries":[{}]}')
    writeFileSync(join(directory, 'approval-rules.json'), 'x')
    open()
    expect(record.problem).toMatch(/moved to/)
    expect(rules.problem).toMatch(/moved to/)
    expect(readdirSync(directory).filter((name) => name.includes('.broken-'))).toHaveLength(2)
  })

  test('the record keeps the latest', async () => {
    const at = { ...{ at: 0, agent: 'a', dialect: 'd', tool: null, folder: null, rule: null, said: null } }
    const ended = { kind: 'run', outcome: 'denied', by: 'person' } as const
    const all = Array.from({ length: mostEntries + 10 }, (_, index) =>
      record.add({ ...at, ...ended, id: String(index) }),
    )
    expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true)
    expect(record.entries).toHaveLength(mostEntries)
    expect(record.entries[0]?.id).toBe('10')
    open()
    expect(record.entries).toHaveLength(mostEntries)
  })
})
