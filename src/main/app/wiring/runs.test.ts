import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { usualOptions } from '../../../../test/usual-options'
import type { Question } from '../../../shared/approval/approval'
import { type Result, fail, succeed } from '../../../shared/result'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import { ApprovalRecord } from '../../core/approvals/approval-record'
import { ApprovalRules } from '../../core/approvals/approval-rules'
import { Approvals } from '../../core/approvals/approvals'
import type { RunRequest } from '../../core/platform/hand-over-server'
import type { TurnEnd, TurnSurroundings } from '../dialect-kit/turn'
import { runForCommand } from './runs'

let base: string
let folder: string
let rules: ApprovalRules
let record: ApprovalRecord
let approvals: Approvals
let isWatched: boolean
let isTrusted: boolean
let verdict: Opening
let reviewed: string[]

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-runs-')))
  folder = join(base, 'project')
  mkdirSync(join(folder, 'src'), { recursive: true })
  rules = new ApprovalRules(base)
  record = new ApprovalRecord(base)
  approvals = new Approvals(rules, record)
  isWatched = false
  isTrusted = true
  verdict = { kind: 'rejected' }
  reviewed = []
})
afterEach(() => {
  approvals.dispose()
  rmSync(base, { recursive: true, force: true })
})

/** The session that a tab is in. */
const talkedWith = '5d7d9cd6-6a5e-4a53-9c5f-0d3c8f3a7d11'
const words = { answer: 'allow', agent: null, tool: null, folder: null } as const
const done: TurnEnd = { message: '{"type":"result"}', text: 'Done.', isError: false, isRefused: false }

/** Runs a turn that does what `turn` says. */
async function run(
  turn: (surroundings: TurnSurroundings) => Promise<Result<TurnEnd>>,
  change: Partial<RunRequest> = {},
  signal = new AbortController().signal,
) {
  const printed = { out: '', said: [] as string[], closed: 0 }
  const code = await runForCommand(
    {
      ...{ prompt: 'do it', folder, model: null, permissionMode: null, resume: null, output: 'text' },
      allowed: { rules: [], edits: [] },
      ...change,
    },
    {
      signal,
      out: (text) => {
        printed.out += text
        return Promise.resolve()
      },
      say: (sentence) => void printed.said.push(sentence),
    },
    {
      ...{ approvals, rules },
      trust: { mayRun: () => isTrusted },
      isWatched: () => isWatched,
      isTalkedWith: (session) => session === talkedWith,
      desk: {
        open: ({ path }: Proposal) => {
          reviewed.push(path)
          return Promise.resolve(verdict)
        },
      },
      open: () => ({
        runTurn: (_turn, surroundings) => turn(surroundings),
        close: () => {
          printed.closed++
          return Promise.resolve()
        },
      }),
    },
  )
  return { code, ...printed }
}

function question(subject: string, session = 's'): Question {
  const asked: Omit<Question, 'options'> = {
    requester: { dialect: 'd', connection: 'c', agent: 'Robo', call: '1', session },
    ...{ kind: 'run', title: 'Run a command', tool: 'Bash', why: null, path: null },
    ...{ folder, fields: [], needsPerson: false, subject },
  }
  return { ...asked, options: usualOptions(asked) }
}
const asks =
  (subject: string) =>
  async ({ approvals: asking }: TurnSurroundings) => {
    const answer = await asking.ask(question(subject), new AbortController().signal)
    return succeed({ ...done, text: answer.kind })
  }
const proposes =
  (path: string) =>
  async ({ desk, rules: own }: TurnSurroundings) => {
    const rule = await own.of(path)
    if (rule) return succeed({ ...done, text: `${rule.answer} ${rule.pattern}` })
    const proposal: Proposal = {
      origin: { dialect: 'd', connection: 'c', agent: 'Robo', call: '1' },
      ...{ path, proposed: 'new\n', title: 'Edit', effect: 'agent' },
    }
    const opening = await desk.open(proposal, new AbortController().signal)
    return succeed({ ...done, text: opening.kind })
  }

test('prints what was said, or the agent’s own messages', async () => {
  const turn = async ({ message }: TurnSurroundings) => {
    await message('{"type":"assistant"}')
    await message(done.message)
    return succeed(done)
  }
  expect(await run(turn)).toMatchObject({ code: 0, out: 'Done.\n', said: [], closed: 1 })
  expect(await run(turn, { output: 'json' })).toMatchObject({ code: 0, out: '{"type":"result"}\n' })
  expect(await run(turn, { output: 'stream-json' })).toMatchObject({
    ...{ code: 0, out: '{"type":"assistant"}\n{"type":"result"}\n' },
  })
})

test('an error is 1, what cannot be asked 2, and nothing is left', async () => {
  const failed = await run(() => Promise.resolve(succeed({ ...done, text: 'Overloaded.', isError: true })))
  expect(failed).toMatchObject({ code: 1, out: '', said: ['Overloaded.'], closed: 1 })
  const ended = await run(() => Promise.resolve(fail('ended', 'It ended. Try again.')))
  expect(ended).toMatchObject({ code: 1, said: ['It ended. Try again.'], closed: 1 })
  const invalid = await run(() => Promise.resolve(fail('invalid', 'No such mode. Choose another.')))
  expect(invalid).toMatchObject({ code: 2, closed: 1 })
})

test('in a folder that is not trusted nothing runs', async () => {
  isTrusted = false
  const refused = await run(() => Promise.reject(new Error('it ran')))
  expect(refused).toMatchObject({ code: 3, out: '', closed: 0 })
  expect(refused.said).toEqual([expect.stringContaining(`${folder} isn’t trusted`)])
})

test('what no rule allows is refused at once where nobody is, and the code says so', async () => {
  const refused = await run(asks('rm -rf x\nand more'))
  expect(refused).toMatchObject({ code: 3, out: 'refused\n' })
  expect(refused.said).toEqual([expect.stringMatching(/^Refused\. Run a command: rm -rf x … — no rule/)])
  expect(approvals.list()).toEqual([])
  const denied = await run(() => Promise.resolve(succeed({ ...done, isRefused: true })))
  expect(denied.code).toBe(3)
})

test('rules given with the run allow, in its folder, until it ends; kept ones too, and those that deny go first', async () => {
  const allowed = {
    rules: [{ ...words, kind: 'run' as const, pattern: 'npm test*', folder: null }],
    edits: [],
  }
  expect(await run(asks('npm test -- a'), { allowed })).toMatchObject({ code: 0, out: 'allowed\n' })
  expect(record.entries.map(({ outcome, by }) => [outcome, by])).toEqual([['allowed', 'rule']])
  // Rules end one after the other.
  await rules.endSession('none')
  expect(rules.rules).toEqual([])
  expect(await run(asks('npm test; rm x'), { allowed })).toMatchObject({ code: 3 })
  await rules.add({ ...words, kind: 'run', pattern: 'npm *', session: null })
  expect(await run(asks('npm run x'))).toMatchObject({ code: 0 })
  await rules.add({ ...words, answer: 'deny', kind: 'run', pattern: 'npm test*', session: null })
  const denied = await run(asks('npm test -- a'), { allowed })
  expect(denied).toMatchObject({ code: 3, out: 'denied\n' })
  expect(denied.said).toEqual([expect.stringContaining('denied by a rule')])
})

test('its rules are no other’s, not even in the session that it continues; nor are rules of that session its own', async () => {
  const allowed = { rules: [{ ...words, kind: 'run' as const, pattern: 'make' }], edits: [] }
  let elsewhere: unknown
  await run(
    async (turn) => {
      const ended = await asks('make')(turn)
      // The same session in a tab, which has a connection of its own.
      const other = question('make')
      elsewhere = rules.ruleFor({ ...other, requester: { ...other.requester, connection: 'tab' } })
      return ended
    },
    { allowed },
  )
  expect(elsewhere).toBeNull()
  await rules.add({ ...words, kind: 'run', pattern: 'make', session: 's' })
  expect(await run(asks('make'))).toMatchObject({ code: 3 })
})

test('a session that a tab is in is not continued', async () => {
  const refused = await run(() => Promise.reject(new Error('it ran')), { resume: talkedWith })
  expect(refused).toMatchObject({ code: 1, out: '', closed: 0 })
  expect(refused.said).toEqual([expect.stringContaining('A tab of Greenlight is in session')])
})

test('a question that only a person may answer is refused whatever the rules say', async () => {
  const allowed = { rules: [{ ...words, kind: 'run' as const, pattern: '*' }], edits: [] }
  const refused = await run(
    async ({ approvals: asking }) => {
      const asked = { ...question('ls'), needsPerson: true }
      const answer = await asking.ask(asked, new AbortController().signal)
      return succeed({ ...done, text: answer.kind })
    },
    { allowed },
  )
  expect(refused).toMatchObject({ code: 3, out: 'refused\n' })
})

test('in an open window it is asked, and the person’s answer counts', async () => {
  isWatched = true
  approvals.onChange(({ kind, approval }) => {
    if (kind === 'put' && approval.state.kind === 'waiting')
      void approvals.answer(approval.id, { option: 'once', values: {}, reason: null })
  })
  const asked = await run(asks('make'))
  expect(asked).toMatchObject({ code: 0, out: 'allowed\n' })
  expect(asked.said).toEqual(['Waiting for you in Greenlight. Run a command: make'])
})

test('a change is reviewed in an open window, decided by a rule, or refused', async () => {
  const path = join(folder, 'src', 'a.ts')
  writeFileSync(path, 'old\n')
  expect(await run(proposes(path))).toMatchObject({ code: 3, out: 'refused\n' })
  const edits = (...patterns: string[]) => ({ allowed: { rules: [], edits: patterns } })
  expect(await run(proposes(path), edits('src/*'))).toMatchObject({ code: 0, out: 'write src/*\n', said: [] })
  expect(await run(proposes(path), edits('lib/*'))).toMatchObject({ code: 3 })
  expect(reviewed).toEqual([])
  isWatched = true
  verdict = { kind: 'accepted', text: 'new\n' }
  expect(await run(proposes(path))).toMatchObject({ code: 0, out: 'accepted\n' })
  verdict = { kind: 'rejected' }
  expect(await run(proposes(path))).toMatchObject({ code: 3, out: 'rejected\n' })
  expect(reviewed).toEqual([path, path])
})

test('a change that a rule for files refuses is said, and the code says so', async () => {
  const turn = ({ refused }: TurnSurroundings) => {
    refused('Write', '/p/a.sql')
    return Promise.resolve(succeed(done))
  }
  expect(await run(turn)).toMatchObject({
    ...{ code: 3, said: ['Refused. Write: /p/a.sql — your rules for files don’t let agents change it.'] },
  })
})

test('a rule for files never leads out of the folder', async () => {
  const outside = join(base, 'outside.txt')
  writeFileSync(outside, 'old\n')
  symlinkSync(outside, join(folder, 'link.txt'))
  const allowed = { rules: [], edits: ['*'] }
  for (const path of [outside, join(folder, '..', 'outside.txt'), join(folder, 'link.txt'), folder]) {
    expect(await run(proposes(path), { allowed })).toMatchObject({ code: 3 })
  }
  expect(await run(proposes(join(folder, 'new', 'b.ts')), { allowed })).toMatchObject({ code: 0 })
})
