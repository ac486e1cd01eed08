import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PathRule } from '../../../shared/gate/path-rule'
import type { Opening, Origin } from '../../../shared/review/proposal'
import { hashContent } from '../../core/files/content-hash'
import { Ledger } from '../../core/files/ledger'
import { GatePolicy } from '../../core/gate/gate-policy'
import type { Receipt } from '../../core/review/record/receipts'
import { PermissionDesk } from './permission-desk'
import { afterEdit, beforeEdit } from './refusal'

let folder: string
let path: string
let policy: GatePolicy
let rule: PathRule | null
let ledger: Ledger
let receipts: Receipt[]
let refused: string[]
let reviewed: unknown[]
let origins: Origin[]
let asked: unknown[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlight-permission-desk-'))
  path = join(folder, 'a.txt')
  writeFileSync(path, 'one\ntwo\n')
  policy = new GatePolicy(() => 'every')
  ledger = new Ledger()
  rule = null
  ;[receipts, refused, reviewed, origins, asked] = [[], [], [], [], []]
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A desk whose reviews end as told. `reviewsInHook`: of an older program. */
function deskOf(verdict: Opening, { reviewsInHook = false } = {}): PermissionDesk {
  return new PermissionDesk({
    review: ({ proposed, origin }) => {
      reviewed.push(proposed)
      origins.push(origin)
      return Promise.resolve(verdict)
    },
    approve: (question) => {
      asked.push(question)
      return Promise.resolve({ kind: 'refused', message: 'Leave it.' })
    },
    origin: (call) => ({ dialect: 'claude-sdk', connection: 'c', agent: 'Claude', call }),
    policy: policy.for('c'),
    rules: { of: () => Promise.resolve(rule) },
    ledger,
    receive: (receipt) => {
      receipts.push(receipt)
      return Promise.resolve()
    },
    refused: (title, named) => void refused.push(`${title} ${named}`),
    reviewsInHook,
    folder,
    report: (error) => {
      throw error
    },
  })
}

const callHook = (
  desk: PermissionDesk,
  tool_name: string,
  tool_input: object,
  callback_id = beforeEdit,
  hook_event_name = callback_id === beforeEdit ? 'PreToolUse' : 'PostToolUse',
) =>
  desk.answer(
    {
      ...{ subtype: 'hook_callback', callback_id, tool_use_id: 't1' },
      input: {
        hook_event_name,
        ...{ permission_mode: 'acceptEdits', prompt_id: 'p1', tool_name, tool_input },
      },
    },
    new AbortController().signal,
  )
const ask = (desk: PermissionDesk, tool_name: string, input: Record<string, unknown>) =>
  desk.answer({ subtype: 'can_use_tool', tool_name, input, tool_use_id: 't1' }, new AbortController().signal)
const edit = () => ({ file_path: path, old_string: 'one\ntwo', new_string: 'ONE\nTWO' })
const decided = (output: object) => ({ ok: true, value: { hookSpecificOutput: output } })

describe('a program that takes only a hook’s own decision', () => {
  test('is told it there, with what was kept', async () => {
    const desk = deskOf({ kind: 'accepted', text: 'ONE\ntwo\n' }, { reviewsInHook: true })
    expect(await callHook(desk, 'Edit', edit())).toMatchObject(
      decided({ permissionDecision: 'allow', updatedInput: { file_path: path } }),
    )
    expect(reviewed).toEqual(['ONE\nTWO\n'])
  })

  test('is denied what is rejected', async () => {
    const desk = deskOf({ kind: 'rejected', note: 'Keep it.' }, { reviewsInHook: true })
    const denied = await callHook(desk, 'Edit', edit())
    expect(denied).toMatchObject(decided({ permissionDecision: 'deny' }))
    expect(JSON.stringify(denied)).toContain('Keep it.')
  })

  test('is asked in the hook about what has no text to review, too: nobody would ask afterwards', async () => {
    const desk = deskOf({ kind: 'rejected' }, { reviewsInHook: true })
    const input = { file_path: folder, old_string: 'a', new_string: 'b' }
    expect(await callHook(desk, 'Edit', input)).toMatchObject(
      decided({ permissionDecision: 'deny', permissionDecisionReason: 'Leave it.' }),
    )
    expect([reviewed.length, asked.length]).toEqual([0, 1])
  })
})

test('a change is asked about; where changes are not reviewed, its mode decides', async () => {
  const desk = deskOf({ kind: 'accepted', text: 'x' })
  expect(await callHook(desk, 'Edit', edit())).toMatchObject(decided({ permissionDecision: 'ask' }))
  policy.set('c', 'mode')
  expect(await callHook(desk, 'Edit', edit())).toEqual({ ok: true, value: {} })
  expect(reviewed).toEqual([])
})

test('a change says which sub-agent asks, in the question and in the hook', async () => {
  const { signal } = new AbortController()
  const desk = deskOf({ kind: 'rejected' }, { reviewsInHook: true })
  const tool = { tool_name: 'Edit', tool_use_id: 't1' }
  await desk.answer({ ...tool, subtype: 'can_use_tool', input: edit(), agent_id: 'a1' }, signal)
  const input = { ...tool, hook_event_name: 'PreToolUse', tool_input: edit(), agent_id: 'a2' }
  await desk.answer({ subtype: 'hook_callback', callback_id: beforeEdit, input }, signal)
  await ask(desk, 'Edit', edit())
  expect(origins.map(({ subAgent }) => subAgent)).toEqual(['a1', 'a2', undefined])
})

describe('a tool that failed', () => {
  const fail = (desk: PermissionDesk) => callHook(desk, 'Edit', edit(), afterEdit, 'PostToolUseFailure')

  test('has its model told what was said with the acceptance, and nothing of what the file holds', async () => {
    const desk = deskOf({ kind: 'accepted', text: 'ONE\ntwo\n', words: 'Half is enough.' })
    await ask(desk, 'Edit', edit())
    expect(await fail(desk)).toEqual(
      decided({
        hookEventName: 'PostToolUseFailure',
        additionalContext: 'The person accepted this change. They say: Half is enough.',
      }),
    )
    // It is over.
    expect(await callHook(desk, 'Edit', edit(), afterEdit)).toEqual({ ok: true, value: {} })
  })

  test('has nothing to tell where nothing was said', async () => {
    const desk = deskOf({ kind: 'accepted', text: 'ONE\ntwo\n' })
    await ask(desk, 'Edit', edit())
    expect(await fail(desk)).toEqual({ ok: true, value: {} })
  })

  test('has no receipt, and what a rule let it write is expected no more', async () => {
    rule = { pattern: '*.txt', answer: 'write' }
    const desk = deskOf({ kind: 'rejected' })
    await callHook(desk, 'Edit', edit())
    await fail(desk)
    expect(ledger.expects(path, hashContent('ONE\nTWO\n'))).toBe(false)
    await callHook(desk, 'Edit', edit(), afterEdit)
    expect(receipts).toEqual([])
  })
})

describe('a rule for files', () => {
  test('lets a change through, which is expected and has a receipt once it is made', async () => {
    rule = { pattern: '*.txt', answer: 'write' }
    const desk = deskOf({ kind: 'rejected' })
    expect(await callHook(desk, 'Edit', edit())).toMatchObject(decided({ permissionDecision: 'allow' }))
    expect(ledger.expects(path, hashContent('ONE\nTWO\n'))).toBe(true)
    expect(receipts).toEqual([])
    writeFileSync(path, 'ONE\nTWO\n')
    await callHook(desk, 'Edit', edit(), afterEdit)
    await callHook(desk, 'Edit', edit(), afterEdit)
    expect(receipts).toMatchObject([
      {
        by: { kind: 'rule', pattern: '*.txt' },
        origin: { call: 't1', turn: 'p1' },
        ...{ before: Buffer.from('one\ntwo\n'), after: Buffer.from('ONE\nTWO\n') },
      },
    ])
    expect(reviewed).toEqual([])
  })

  test('gives no receipt of what is asked about after all', async () => {
    rule = { pattern: '*.txt', answer: 'write' }
    const desk = deskOf({ kind: 'accepted', text: 'ONE\nTWO\n' })
    await callHook(desk, 'Edit', edit())
    // A rule of the program's own asks.
    expect(await ask(desk, 'Edit', edit())).toMatchObject({ value: { behavior: 'allow' } })
    writeFileSync(path, 'ONE\nTWO\n')
    await callHook(desk, 'Edit', edit(), afterEdit)
    expect([receipts, reviewed]).toEqual([[], ['ONE\nTWO\n']])
  })

  test('refuses a change, also of a program that calls no hook', async () => {
    rule = { pattern: 'migrations/**', answer: 'never' }
    policy.set('c', 'mode')
    const desk = deskOf({ kind: 'accepted', text: 'x' })
    const denied = await callHook(desk, 'Edit', edit())
    expect(denied).toMatchObject(decided({ permissionDecision: 'deny' }))
    expect(JSON.stringify(denied)).toContain('“migrations/**”')
    expect(await ask(desk, 'Edit', edit())).toMatchObject({ value: { behavior: 'deny' } })
    expect([reviewed, refused]).toEqual([[], [`Edit ${path}`, `Edit ${path}`]])
  })

  test('has no part in what is refused because it doesn’t name its file plainly', async () => {
    const desk = deskOf({ kind: 'rejected' })
    const input = { ...edit(), file_path: `${folder}/../x` }
    expect(await callHook(desk, 'Edit', input)).toMatchObject(decided({ permissionDecision: 'deny' }))
    expect([refused, reviewed]).toEqual([[], []])
  })

  test('asks where the mode would not', async () => {
    rule = { pattern: '*.txt', answer: 'ask' }
    policy.set('c', 'mode')
    const desk = deskOf({ kind: 'rejected' })
    expect(await callHook(desk, 'Edit', edit())).toMatchObject(decided({ permissionDecision: 'ask' }))
  })
})

test('what its mode lets through has a receipt that says so', async () => {
  policy.set('c', 'mode')
  const desk = deskOf({ kind: 'rejected' })
  await callHook(desk, 'Edit', edit())
  writeFileSync(path, 'ONE\nTWO\n')
  await callHook(desk, 'Edit', edit(), afterEdit)
  expect(receipts).toMatchObject([{ by: { kind: 'mode', mode: 'acceptEdits' }, realPath: path }])
})
