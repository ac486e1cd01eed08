import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callAnswer, permissionAnswer, readHook, toldAfterwards } from './hook-wire'

const recorded = readFileSync(
  join(import.meta.dirname, '../../../../test/recorded/claude-hooks/2.1.330.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a body', () => {
  test.each(
    recorded.map((body) => [String(body['hook_event_name']), body['tool_name'] ?? '', body] as const),
  )('of %s %s is read as it came', (_event, _tool, body) => {
    expect(readHook(body)).toEqual({ ok: true, value: body })
  })

  test('of an event that isn’t registered is not understood', () => {
    const body = { ...recorded[0], hook_event_name: 'Setup' }
    expect(readHook(body)).toMatchObject({ ok: false, failure: { code: 'unknown-event' } })
    expect(readHook({ ...recorded[0], hook_event_name: 7 })).toMatchObject({ ok: false })
  })

  test('that lacks what a decision needs is not understood', () => {
    for (const member of ['session_id', 'tool_name', 'tool_input', 'tool_use_id']) {
      const call = recorded.find((body) => body['hook_event_name'] === 'PreToolUse')
      expect(readHook({ ...call, [member]: undefined }), member).toMatchObject({
        ok: false,
        failure: { code: 'unknown-body' },
      })
    }
  })

  test('of anything else is refused, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(readHook(body).ok).toBe(false)
      }),
    )
  })
})

describe('an answer', () => {
  test('names its event, or the agent takes it for a failure', () => {
    expect(callAnswer({ kind: 'leave' })).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse' } })
    expect(callAnswer({ kind: 'ask', why: 'w' })).toEqual({
      hookSpecificOutput: {
        ...{ hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'w' },
      },
    })
    expect(toldAfterwards('x')).toMatchObject({ hookSpecificOutput: { hookEventName: 'PostToolUse' } })
    expect(permissionAnswer({ behavior: 'deny', message: 'm' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'm' },
      },
    })
    expect(permissionAnswer(null)).toEqual({})
  })

  test('that allows something else tells the model', () => {
    const input = { file_path: '/a' }
    expect(callAnswer({ kind: 'allow', why: 'w', input, told: 'half' })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'allow', updatedInput: input, additionalContext: 'half' },
    })
    expect(callAnswer({ kind: 'allow', why: 'w', told: null })).not.toHaveProperty(
      'hookSpecificOutput.additionalContext',
    )
  })
})
