import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Opening } from '../../../shared/review/proposal'
import { beforeEdit, PermissionDesk } from './permission-desk'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlight-permission-desk-'))
  path = join(folder, 'a.txt')
  writeFileSync(path, 'one\ntwo\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A desk of an older program, whose reviews end as told. */
function deskOf(verdict: Opening): { desk: PermissionDesk; reviewed: unknown[]; asked: unknown[] } {
  const reviewed: unknown[] = []
  const asked: unknown[] = []
  const desk = new PermissionDesk({
    review: ({ proposed }) => {
      reviewed.push(proposed)
      return Promise.resolve(verdict)
    },
    approve: (question) => {
      asked.push(question)
      return Promise.resolve({ kind: 'refused', message: 'Leave it.' })
    },
    origin: (call) => ({ dialect: 'claude-sdk', connection: 'c', agent: 'Claude', call }),
    reviewsInHook: true,
    folder,
    report: (error) => {
      throw error
    },
  })
  return { desk, reviewed, asked }
}

const callHook = (desk: PermissionDesk, tool_name: string, tool_input: object) =>
  desk.answer(
    {
      ...{ subtype: 'hook_callback', callback_id: beforeEdit, tool_use_id: 't1' },
      input: { hook_event_name: 'PreToolUse', permission_mode: 'acceptEdits', tool_name, tool_input },
    },
    new AbortController().signal,
  )
const edit = () => ({ file_path: path, old_string: 'one\ntwo', new_string: 'ONE\nTWO' })
const decided = (output: object) => ({ ok: true, value: { hookSpecificOutput: output } })

test('a program that takes only a hook’s own decision is told it there, with what was kept', async () => {
  const { desk, reviewed } = deskOf({ kind: 'accepted', text: 'ONE\ntwo\n' })
  expect(await callHook(desk, 'Edit', edit())).toMatchObject(
    decided({ permissionDecision: 'allow', updatedInput: { file_path: path } }),
  )
  expect(reviewed).toEqual(['ONE\nTWO\n'])
})

test('a rejection is a denial', async () => {
  const { desk } = deskOf({ kind: 'rejected', note: 'Keep it.' })
  const denied = await callHook(desk, 'Edit', edit())
  expect(denied).toMatchObject(decided({ permissionDecision: 'deny' }))
  expect(JSON.stringify(denied)).toContain('Keep it.')
})

test('what has no text to review is asked about in the hook, too: nobody would ask afterwards', async () => {
  const { desk, reviewed, asked } = deskOf({ kind: 'rejected' })
  expect(await callHook(desk, 'Edit', { file_path: folder })).toMatchObject(
    decided({ permissionDecision: 'deny', permissionDecisionReason: 'Leave it.' }),
  )
  expect([reviewed.length, asked.length]).toEqual([0, 1])
})

test('where changes are not reviewed, its mode decides', async () => {
  const { desk, reviewed } = deskOf({ kind: 'accepted', text: 'x' })
  desk.isReviewing = false
  expect(await callHook(desk, 'Edit', edit())).toEqual({ ok: true, value: {} })
  expect(reviewed).toEqual([])
})
