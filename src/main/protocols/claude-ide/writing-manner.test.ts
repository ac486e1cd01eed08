import { expect, it } from 'vitest'
import { parseJson } from '../../../shared/json'
import { hearLine, type SessionKnowledge } from './writing-manner'

const startedAt = Date.parse('2026-11-22T01:00:00.000Z')
const now = '2026-11-22T01:36:20.149Z'
const fresh: SessionKnowledge = { current: true }

const prompt = (permissionMode: string, timestamp = now) => ({
  type: 'user',
  isSidechain: false,
  timestamp,
  permissionMode,
  message: { role: 'user', content: 'hello' },
})
const mode = (permissionMode: string) => ({ type: 'permission-mode', permissionMode, sessionId: 'x' })
const edited = (permissionDecision: object, path = '/p/a.ts', timestamp = now) => ({
  type: 'user',
  timestamp,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] },
  toolUseResult: { type: 'update', filePath: path, structuredPatch: [], originalFile: '' },
  permissionDecision,
})
const byMode = { decision: 'accept', source: 'config', reasonType: 'mode' }
const byRule = { decision: 'accept', source: 'config', reasonType: 'rule', ruleSource: 'session' }
const byPerson = { decision: 'accept', source: 'user_temporary', grantScope: 'once', reasonCode: 'unknown' }
const forSession = { ...byPerson, grantScope: 'session' }

const hear = (lines: readonly unknown[], from = fresh) =>
  lines.reduce<SessionKnowledge>(
    (known, line) => hearLine(known, typeof line === 'string' ? parseJson(line) : line, startedAt),
    from,
  )

it('goes by the newest prompt or mode line', () => {
  expect(hear([prompt('default')])).toEqual({ current: true, mode: 'default' })
  expect(hear([prompt('default'), mode('acceptEdits')]).mode).toBe('acceptEdits')
  expect(hear([mode('acceptEdits'), prompt('default')]).mode).toBe('default')
})

it('knows the answer that ends the asking at once', () => {
  expect(hear([prompt('default'), edited(forSession)]).mode).toBe('acceptEdits')
})

it('notices an edit that nobody was asked about, until one is asked about again', () => {
  const wrote = { path: '/p/a.ts', allowedBy: 'mode', call: 't' }
  expect(hear([prompt('default'), edited(byMode)])).toEqual({ current: true, mode: 'default', wrote })
  expect(hear([prompt('default'), edited(byMode), edited(byPerson)]).wrote).toBeUndefined()
  expect(hear([prompt('default'), edited({ ...byMode, source: 'hook' })]).wrote).toEqual(wrote)
  expect(hear([prompt('default'), edited({ ...byMode, source: 'someday' })]).wrote).toBeUndefined()
})

it('a prompt ends what a mode allowed, and not what a rule allows', () => {
  expect(hear([edited(byMode), prompt('default')]).wrote).toBeUndefined()
  const wrote = { path: '/p/a.ts', allowedBy: 'rule', call: 't' }
  expect(hear([edited(byRule), prompt('default')]).wrote).toEqual(wrote)
  expect(hear([edited(byRule), prompt('default'), edited(byPerson)]).wrote).toBeUndefined()
})

it('takes no refusal, no read and no other agent for an edit of its own', () => {
  const read = { ...edited(byMode), toolUseResult: { type: 'text', file: { filePath: '/p/a.ts' } } }
  const refused = { ...edited({ decision: 'reject', source: 'user_reject' }), toolUseResult: 'Error: no' }
  const beside = { ...edited(byMode), isSidechain: true }
  const assistant = { ...edited(byMode), type: 'assistant' }
  expect(hear([prompt('default'), read, refused, beside, assistant])).toEqual(hear([prompt('default')]))
})

it('does not take the lines of an earlier process for those of this one', () => {
  const old = '2026-11-21T20:00:00.000Z'
  const earlier = [prompt('acceptEdits', old), mode('acceptEdits'), edited(byMode, '/p/a.ts', old)]
  expect(hear(earlier, { current: false })).toEqual({ current: false })
  // A session that was continued under a new name begins with the old lines.
  expect(hear(earlier, fresh).mode).toBeUndefined()
  expect(hear([...earlier, prompt('default')], { current: false })).toEqual({
    current: true,
    mode: 'default',
  })
})

it('passes over what is no line as it knows them', () => {
  const odd = [
    '',
    '"permissionMode"',
    '{"permissionMode":"acceptEdits"',
    '{"type":"user","permissionMode":7}',
    '{"type":"note","permissionMode":"auto"}',
    'null "permissionDecision"',
  ]
  expect(hear(odd)).toEqual(fresh)
  expect(hear([{ ...edited(byMode), permissionMode: 9 }]).wrote?.path).toBe('/p/a.ts')
})
