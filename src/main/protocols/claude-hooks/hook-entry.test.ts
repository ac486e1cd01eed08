import { expect, test } from 'vitest'
import { z } from 'zod'
import { hookPlugin, hooksAt } from './hook-entry'
import { readHook } from './hook-wire'

const url = 'http://127.0.0.1:41239/hook'

/** What Claude Code 2.1.330 takes: one entry that doesn't fit drops all. */
const entry = z.strictObject({
  type: z.literal('http'),
  url: z.url(),
  timeout: z.number().positive().max(86_400),
  onFailure: z.enum(['block', 'continue']),
  headers: z.record(z.string(), z.string()),
  allowedEnvVars: z.array(z.string().regex(/^[A-Z_]+$/)),
  statusMessage: z.string().optional(),
})
const hooks = z.record(
  z.string(),
  z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(entry).length(1) })),
)

test('is valid for Claude Code to the last member', () => {
  const files = hookPlugin(url)
  expect(Object.keys(files)).toEqual(['.claude-plugin/plugin.json', 'hooks/hooks.json'])
  const written = z.strictObject({ hooks }).parse(JSON.parse(files['hooks/hooks.json'] ?? ''))
  expect(written.hooks).toEqual(hooksAt(url))
  expect(JSON.parse(files['.claude-plugin/plugin.json'] ?? '')).toMatchObject({ name: 'greenlight' })
})

test('only a change of a file is blocked by a failure, and only what a person decides may take long', () => {
  for (const [event, groups] of Object.entries(hooksAt(url))) {
    for (const {
      matcher,
      hooks: [one],
    } of groups) {
      const isEdit = event === 'PreToolUse' && matcher === 'Write|Edit|NotebookEdit|MultiEdit'
      expect(one?.onFailure, event).toBe(isEdit ? 'block' : 'continue')
      expect(one?.timeout, event).toBe(isEdit || event === 'PermissionRequest' ? 86_400 : 2)
    }
  }
})

test('names the token, and never holds it: each variable in a header is let through', () => {
  for (const groups of Object.values(hooksAt(url))) {
    for (const {
      hooks: [one],
    } of groups) {
      const named = Object.values(one?.headers ?? {}).flatMap((value) => value.match(/(?<=\$)\w+/g) ?? [])
      expect(named).toEqual(one?.allowedEnvVars)
    }
  }
})

test('every event that is registered is understood', () => {
  const body = {
    ...{ session_id: 's', cwd: '/p', tool_name: 'Write', tool_input: {}, tool_use_id: 't' },
    ...{ agent_id: 'a', prompt: 'p', tool_response: {} },
  }
  for (const event of Object.keys(hooksAt(url)))
    expect(readHook({ ...body, hook_event_name: event }).ok, event).toBe(true)
})
