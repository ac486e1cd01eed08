import { describe, expect, test } from 'vitest'
import { type ApprovalOption, type Question, answerOf } from '../../../shared/approval/approval'
import type { FieldValues } from '../../../shared/approval/approval-fields'
import type { Origin } from '../../../shared/review/proposal'
import { type PersonsRequest, questionOf, responseTo } from './questions'
import { controlRequest, type Elicitation, type UserDialog } from './wire-messages'

const origin: Origin = { dialect: 'd', connection: 'c', agent: 'Claude', call: 'x', session: 's' }

function asked(request: PersonsRequest): Question {
  const result = questionOf(request, origin, '/work')
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

function option(question: Question, id: string): ApprovalOption {
  const found = question.options.find((one) => one.id === id)
  if (!found) throw new Error(`no option ${id} among ${question.options.map((one) => one.id).join(', ')}`)
  return found
}

function answered(request: PersonsRequest, id: string, values: FieldValues = {}): object {
  return responseTo(request, answerOf(option(asked(request), id), { values, reason: null }, 'person'))
}

test('a tool is asked about as such, and told what was decided', () => {
  const input = { command: 'touch a.txt' }
  const request = controlRequest.parse({
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input,
  }) as PersonsRequest
  expect(asked(request)).toMatchObject({ requester: origin, folder: '/work', subject: 'touch a.txt' })
  expect(answered(request, 'allow')).toEqual({ behavior: 'allow', updatedInput: input })
})

describe('an elicitation', () => {
  const request: Elicitation = {
    subtype: 'elicitation',
    mcp_server_name: 'tickets',
    message: 'A ticket',
    property_order: ['title', 'size'],
    requested_schema: {
      type: 'object',
      required: ['title'],
      properties: {
        urgent: { type: 'boolean', default: true },
        size: { type: 'integer', minimum: 1, maximum: 5 },
        title: { type: 'string', title: 'Title', description: 'In a few words.', minLength: 3 },
        kind: { type: 'string', enum: ['bug', 'idea'], enumNames: ['A bug', 'An idea'], default: 'idea' },
        area: { type: 'string', oneOf: [{ const: 'ui', title: 'Interface' }] },
        tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, maxItems: 2 },
        mail: { type: 'string', format: 'email' },
      },
    },
  }

  test('is a form in the order of its server', () => {
    const { fields, subject, tool, title } = asked(request)
    expect({ subject, tool, title }).toEqual({
      subject: 'A ticket',
      tool: 'tickets',
      title: 'Fill in a form of tickets',
    })
    expect(fields.map(({ id }) => id)).toEqual(['title', 'size', 'urgent', 'kind', 'area', 'tags', 'mail'])
    expect(fields).toMatchObject([
      { kind: 'text', label: 'Title', help: 'In a few words.', required: true, shortest: 3 },
      { kind: 'text', format: 'integer', help: 'From 1 to 5.', least: 1, most: 5 },
      { kind: 'boolean', initial: true },
      { kind: 'choice', initial: 'idea', choices: [{ value: 'bug', label: 'A bug' }, { value: 'idea' }] },
      { kind: 'choice', choices: [{ value: 'ui', label: 'Interface' }] },
      { kind: 'choices', choices: [{ value: 'x', label: 'X' }], most: 2 },
      { kind: 'text', format: 'email' },
    ])
  })

  test('is accepted with what the schema says, declined or cancelled', () => {
    const values = { title: '12', size: '3', urgent: false, tags: ['x'] }
    expect(answered(request, 'accept', values)).toEqual({
      action: 'accept',
      content: { title: '12', size: 3, urgent: false, tags: ['x'] },
    })
    expect(answered(request, 'decline')).toEqual({ action: 'decline' })
    expect(answered(request, 'cancel')).toEqual({ action: 'cancel' })
    expect(responseTo(request, { kind: 'withdrawn', reason: 'cancelled' })).toEqual({ action: 'cancel' })
  })

  test('to open an address shows it', () => {
    const open: Elicitation = { ...request, mode: 'url', url: 'https://example.com/sign-in' }
    expect(asked(open)).toMatchObject({ subject: 'A ticket\n\nhttps://example.com/sign-in', fields: [] })
    expect(option(asked(open), 'accept').leadsTo).toMatchObject({ opens: 'https://example.com/sign-in' })
    expect(answered(open, 'accept')).toEqual({ action: 'accept' })
    expect(questionOf({ ...open, url: 'file:///etc/passwd' }, origin, null)).toMatchObject({ ok: false })
  })
})

describe('a dialog', () => {
  const request: UserDialog = {
    subtype: 'request_user_dialog',
    dialog_kind: 'refusal_fallback_prompt',
    payload: { originalModel: 'big', fallbackModel: 'small', guidanceText: 'Rephrase.' },
  }

  test('of a known kind is a question', () => {
    expect(asked(request)).toMatchObject({
      subject: 'big refused to go on. Try again with small?',
      why: 'Rephrase.',
    })
    expect(answered(request, 'retry_fallback')).toEqual({ behavior: 'completed', result: 'retry_fallback' })
    expect(answered(request, 'cancelled')).toEqual({ behavior: 'cancelled' })
    const notice = { title: 'Auto mode', paragraphs: ['It costs.', 'Go on?'] }
    const billing: UserDialog = { ...request, dialog_kind: 'auto_mode_server_fallback', payload: notice }
    expect(asked(billing)).toMatchObject({ title: 'Auto mode', subject: 'It costs.\n\nGo on?' })
    expect(answered(billing, 'interrupt')).toEqual({ behavior: 'completed', result: 'interrupt' })
  })

  test('of any other kind, or with anything else in it, is not answered', () => {
    expect(questionOf({ ...request, dialog_kind: 'constructor' }, origin, null)).toMatchObject({ ok: false })
    expect(questionOf({ ...request, payload: {} }, origin, null)).toMatchObject({ ok: false })
  })
})
