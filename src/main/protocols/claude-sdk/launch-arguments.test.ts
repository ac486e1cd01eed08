import { expect, test } from 'vitest'
import { validateFields } from '../../../shared/approval/approval-fields'
import { beginFields, keptValues, resumptionOf, usualModels, usualValues } from './begin-form'
import { launchArguments, rulesIn, systemPromptOf } from './launch-arguments'

const id = '00000000-0000-4000-8000-000000000001'
const speaking = launchArguments({}, null)

test('a form as it begins is filled in right, and adds nothing', () => {
  expect(validateFields(beginFields(usualModels), usualValues)).toEqual({})
  expect(launchArguments(usualValues, null)).toEqual([...speaking, '--permission-mode=default'])
})

test('what was filled in becomes options, each in one word', () => {
  const values = {
    model: 'opus',
    permissionMode: 'plan',
    effort: 'high',
    allowedTools: 'Bash(git log *), Read\nEdit',
    disallowedTools: '--dangerously-skip-permissions',
    folders: '/a\n /b \n',
    mcpConfig: '/c.json',
    sessionId: id,
  }
  expect(launchArguments(values, null).slice(speaking.length)).toEqual([
    '--model=opus',
    '--permission-mode=plan',
    '--effort=high',
    '--allowedTools=Bash(git log *)',
    '--allowedTools=Read',
    '--allowedTools=Edit',
    '--disallowedTools=--dangerously-skip-permissions',
    '--add-dir=/a',
    '--add-dir=/b',
    '--mcp-config=/c.json',
    `--session-id=${id}`,
  ])
})

test('a system prompt is for `initialize`, and in no argument', () => {
  const given = (systemPromptMode: string, systemPrompt = ' be brief ') => {
    const values = { ...usualValues, systemPromptMode, systemPrompt }
    expect(launchArguments(values, null)).toEqual(launchArguments(usualValues, null))
    return systemPromptOf(values)
  }
  expect(given('append')).toEqual({ appendSystemPrompt: 'be brief' })
  expect(given('replace')).toEqual({ systemPrompt: ['be brief'] })
  expect([given('none'), given('replace', ' ')]).toEqual([{}, {}])
})

test('only who chose that nothing is asked can have it so, and it is not remembered', () => {
  const values = { permissionMode: 'bypassPermissions', model: 'opus', resume: id }
  expect(launchArguments(values, null)).toContain('--allow-dangerously-skip-permissions')
  expect(launchArguments({ permissionMode: 'default' }, null).join()).not.toContain('dangerously')
  expect(keptValues(values)).toEqual({ model: 'opus' })
})

test('a session is resumed, copied, or cut at a message; its id is its own', () => {
  const rest = (from: Parameters<typeof launchArguments>[1]) =>
    launchArguments({ sessionId: id }, from).slice(speaking.length)
  expect(rest({ session: id, isFork: false, upTo: null })).toEqual([`--resume=${id}`])
  expect(rest({ session: id, isFork: true, upTo: 'm' })).toEqual([
    ...[`--resume=${id}`, '--fork-session', '--resume-session-at=m'],
    `--session-id=${id}`,
  ])
  expect(resumptionOf({ resume: ` ${id} `, forkSession: true })).toEqual({
    ok: true,
    value: { session: id, isFork: true, upTo: null },
  })
  expect(resumptionOf({})).toEqual({ ok: true, value: null })
  for (const wrong of [{ resume: 'last' }, { sessionId: 'mine' }, { resume: id, sessionId: id }])
    expect(resumptionOf(wrong)).toMatchObject({ ok: false, failure: { code: 'bad-id' } })
})

test('rules are taken apart where no bracket is open', () => {
  expect(rulesIn('Bash(npm run test:*) Edit,Write\n\n WebFetch(domain:example.com)')).toEqual([
    ...['Bash(npm run test:*)', 'Edit', 'Write', 'WebFetch(domain:example.com)'],
  ])
})
