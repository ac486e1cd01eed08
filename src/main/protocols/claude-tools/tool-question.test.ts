import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalAnswer,
  type ApprovalOption,
  type Question,
  answerOf,
  optionForRule,
  problemOf,
} from '../../../shared/approval/approval'
import { type FieldValues, initialValues, validateFields } from '../../../shared/approval/approval-fields'
import { mayBeRuled } from '../../../shared/approval/approval-rule'
import type { Origin } from '../../../shared/review/proposal'
import { permissionResult, toolQuestion } from './tool-question'
import { type CanUseTool, canUseTool } from './tool-wire'

const origin: Origin = { dialect: 'd', connection: 'c', agent: 'Claude', call: 'x', session: 's' }

const asked = (request: CanUseTool) => toolQuestion(request, origin, '/work')

function use(tool_name: string, input: CanUseTool['input'], more: Partial<CanUseTool> = {}): CanUseTool {
  return canUseTool.parse({ subtype: 'can_use_tool', tool_name, input, tool_use_id: 't', ...more })
}

function option(question: Question, id: string): ApprovalOption {
  const found = question.options.find((one) => one.id === id)
  if (!found) throw new Error(`no option ${id} among ${question.options.map((one) => one.id).join(', ')}`)
  return found
}

function answered(
  request: CanUseTool,
  id: string,
  said: { values?: FieldValues; reason?: string } = {},
): object {
  const { values = {}, reason = null } = said
  return permissionResult(request, answerOf(option(asked(request), id), { values, reason }, 'person'))
}

/** As 2.1.330 asks for `touch a.txt`. */
const touch = use(
  'Bash',
  { command: 'touch a.txt', description: 'Make a file' },
  {
    description: 'Make a file',
    blocked_path: '/work/a.txt',
    permission_suggestions: [
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: 'touch a.txt' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
      { type: 'addDirectories', directories: ['/work'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ],
  },
)

describe('what is asked', () => {
  test.each<[CanUseTool, Partial<Question>]>([
    [touch, { kind: 'run', title: 'Run a command', subject: 'touch a.txt', tool: 'Bash' }],
    [touch, { path: '/work/a.txt', folder: '/work', why: 'Make a file', needsPerson: false }],
    [
      use('WebFetch', { url: 'https://example.com/a', prompt: 'What is it?' }),
      { kind: 'fetch', subject: 'https://example.com/a', why: 'What is it?' },
    ],
    [use('WebSearch', { query: 'cats' }), { kind: 'other', title: 'Search the web', subject: 'cats' }],
    [
      use('Read', { file_path: '/etc/hostname' }, { blocked_path: '/etc/hostname' }),
      { title: 'Read a file', subject: '/etc/hostname', path: null },
    ],
    [
      use('mcp__weather__forecast', { city: 'Bern', days: 2 }),
      { kind: 'other', title: 'Use forecast of weather', subject: 'city: Bern\ndays: 2' },
    ],
    [use('EnterPlanMode', {}), { title: 'Plan before anything is changed', subject: 'EnterPlanMode' }],
    [
      use('NotebookEdit', { notebook_path: '/a.ipynb', new_source: 'x = 1\ny = 2' }),
      { title: 'Edit a notebook', subject: 'notebook_path: /a.ipynb\nnew_source:\n  x = 1\n  y = 2' },
    ],
    [use('Bash', { command: 7 }), { kind: 'other', subject: 'command: 7' }],
  ])('is shown whole (%#)', (request, expected) => {
    expect(asked(request)).toMatchObject(expected)
  })

  test('comes with its reason in words, without escapes for terminals', () => {
    const danger = use(
      'Bash',
      { command: 'rm -rf /', dangerouslyDisableSandbox: true },
      {
        decision_reason: '\u001b[31mDangerous rm\u001b[0m on \u001b]8;;http://x\u0007/\u001b]8;;\u0007',
        decision_reason_type: 'safetyCheck',
        agent_id: 'a1',
      },
    )
    expect(asked(danger).why).toBe(
      [
        'It would run outside the sandbox.',
        'Dangerous rm on /',
        'The safety check wants a person to look at this.',
        'Asked by a sub-agent.',
      ].join('\n'),
    )
    const ruled = { matched_ask_rule: { source: 'userSettings', tool_name: 'Bash', rule_content: 'touch:*' } }
    expect(asked(use('Bash', { command: 'touch a' }, ruled)).why).toBe(
      'A rule in your settings of Claude Code asks: Bash(touch:*).',
    )
    const plain = { decision_reason_type: 'rule', decision_reason_rule_source: 'projectSettings' }
    expect(asked(use('Bash', { command: 'touch a' }, plain)).why).toBe(
      'A rule in the project’s settings asks about this.',
    )
  })

  test.each<Partial<CanUseTool>>([
    { requires_user_interaction: true },
    { default_to_no: true },
    { decision_reason_type: 'rule' },
    { decision_reason_type: 'sandboxOverride' },
    { classifier_approvable: false },
    { matched_ask_rule: { source: 'userSettings', tool_name: 'Bash' } },
  ])('is for a person where the agent says so: %j', (more) => {
    expect(mayBeRuled(asked(use('Bash', { command: 'npm test' }, more)))).toBe(false)
    expect(mayBeRuled(asked(use('Bash', { command: 'npm test' })))).toBe(true)
  })

  test('begins with no where it should not be allowed by mistake', () => {
    const ids = asked({ ...touch, default_to_no: true }).options.map(({ id }) => id)
    expect(ids.slice(0, 3)).toEqual(['deny', 'stop', 'allow'])
  })
})

describe('what may be remembered', () => {
  test('is offered for the session and where the agent would keep it', () => {
    const question = asked(touch)
    expect(question.options.map(({ id, label }) => [id, label])).toEqual([
      ['allow', 'Allow once'],
      ['session', 'Allow for session'],
      ['localSettings', 'Always allow here'],
      ['mode-acceptEdits', 'Allow and switch to Accept edits'],
      ['deny', 'Deny'],
      ['stop', 'Deny and stop'],
    ])
    expect(option(question, 'localSettings').leadsTo).toEqual({
      kind: 'allow',
      remembers: {
        by: 'agent',
        words:
          'Bash(touch a.txt), for you in this project (.claude/settings.local.json); the folder /work, until this session ends.',
      },
    })
    expect(answered(touch, 'session')).toEqual({
      behavior: 'allow',
      updatedInput: touch.input,
      updatedPermissions: [
        { ...touch.permission_suggestions?.[0], destination: 'session' },
        touch.permission_suggestions?.[1],
      ],
    })
    expect(answered(touch, 'localSettings')).toMatchObject({
      updatedPermissions: touch.permission_suggestions?.slice(0, 2),
    })
    expect(answered(touch, 'allow')).toEqual({ behavior: 'allow', updatedInput: touch.input })
  })

  test('is not offered where the agent says so, or where it can’t be said what it does', () => {
    const options = (more: Partial<CanUseTool>) => asked({ ...touch, ...more }).options.length
    expect(options({ suppress_always_allow_rule: true })).toBe(3)
    expect(options({ permission_suggestions: [{ type: 'removeRules', rules: [] }] })).toBe(3)
    expect(options({ permission_suggestions: [{ type: 'setMode', mode: 7 }] })).toBe(3)
  })
})

describe('a denial', () => {
  test('is told with its reason, and stops the turn where it should', () => {
    expect(answered(touch, 'deny', { reason: ' Use make. ' })).toEqual({
      behavior: 'deny',
      message: 'Use make.',
    })
    expect(answered(touch, 'stop')).toEqual({
      behavior: 'deny',
      message: 'The user does not allow this. Go on without it, or ask what they want instead.',
      interrupt: true,
    })
  })

  test('is what a question ends with that nobody answered', () => {
    for (const answer of [
      { kind: 'withdrawn', reason: 'cancelled' },
      { kind: 'refused', message: 'Ask later.' },
    ] satisfies ApprovalAnswer[]) {
      expect(permissionResult(touch, answer)).toMatchObject({ behavior: 'deny' })
    }
  })
})

describe('AskUserQuestion', () => {
  const input = {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'warm', preview: '# red' },
          { label: 'Blue', description: '' },
        ],
        multiSelect: false,
      },
      { question: 'Which parts?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
    ],
  }
  const request = use('AskUserQuestion', input, { requires_user_interaction: true })

  test('is a form, answered by label or in the person’s own words', () => {
    const question = asked(request)
    expect(question).toMatchObject({ kind: 'question', title: 'Answer 2 questions', needsPerson: true })
    expect(question.subject).toBe('Which colour?\nWhich parts?')
    expect(question.fields).toMatchObject([
      {
        kind: 'choice',
        label: 'Which colour?',
        allowsOther: true,
        choices: [{ help: 'warm', preview: '# red' }, { help: null }],
      },
      { kind: 'choices', label: 'Which parts?', allowsOther: true },
    ])
    const values = { 'question-0': 'Green', 'question-1': ['A', 'and more'] }
    expect(validateFields(question.fields, values)).toEqual({})
    expect(answered(request, 'answer', { values })).toEqual({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which colour?': 'Green', 'Which parts?': 'A, and more' } },
    })
  })

  test('alone is what is asked, and its chosen sketch goes with the answer', () => {
    const one = use('AskUserQuestion', { questions: input.questions.slice(0, 1) })
    expect(asked(one)).toMatchObject({ subject: 'Which colour?', fields: [{ label: 'Which colour?' }] })
    expect(answered(one, 'answer', { values: { 'question-0': 'Red' } })).toMatchObject({
      updatedInput: {
        answers: { 'Which colour?': 'Red' },
        annotations: { 'Which colour?': { preview: '# red' } },
      },
    })
  })

  test('that can’t be read is shown as what it is', () => {
    const broken = use('AskUserQuestion', { questions: 'none' }, { requires_user_interaction: true })
    expect(asked(broken)).toMatchObject({ subject: 'questions: none', fields: [], needsPerson: true })
    expect(answered(broken, 'allow')).toEqual({ behavior: 'allow', updatedInput: { questions: 'none' } })
  })
})

describe('ExitPlanMode', () => {
  const request = use('ExitPlanMode', { plan: '# Plan', planFilePath: '/p.md' })

  test('shows the plan, and sends back what the person made of it', () => {
    expect(asked(request)).toMatchObject({ kind: 'plan', subject: '# Plan', needsPerson: true })
    expect(answered(request, 'allow', { values: { plan: '# Plan' } })).toEqual({
      behavior: 'allow',
      updatedInput: request.input,
    })
    expect(answered(request, 'mode-acceptEdits', { values: { plan: '# Mine' } })).toEqual({
      behavior: 'allow',
      updatedInput: { plan: '# Mine', planFilePath: '/p.md' },
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    })
    expect(answered(request, 'deny', { reason: 'Smaller.' })).toEqual({
      behavior: 'deny',
      message: 'Smaller.',
    })
  })

  test('offers the modes that the agent suggests', () => {
    const suggested = { type: 'setMode', mode: 'auto', destination: 'session' }
    const ids = asked({ ...request, permission_suggestions: [suggested] }).options.map(({ id }) => id)
    expect(ids).toEqual(['allow', 'mode-auto', 'deny', 'stop'])
  })

  test('without a plan says so, and has nothing to edit', () => {
    expect(asked(use('ExitPlanMode', {}))).toMatchObject({ subject: 'It wrote no plan.', fields: [] })
  })
})

test('whatever a tool is asked with, it can be shown and refused, and an allowed one is given its input', () => {
  const text = fc.string({ maxLength: 20 })
  const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const suggestion = fc.oneof(
    fc.record({
      type: fc.constantFrom('addRules', 'addDirectories', 'setMode', 'replaceRules'),
      rules: fc.array(fc.record({ toolName: text, ruleContent: text }), { maxLength: 2 }),
      behavior: fc.constantFrom('allow', 'deny'),
      directories: fc.array(text, { maxLength: 2 }),
      mode: fc.constantFrom('acceptEdits', 'toString'),
      destination: fc.constantFrom('userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'),
    }),
    json.map((more) => ({ ...more, type: 'addRules' })),
  )
  const request = fc
    .record({
      tool_name: fc.oneof(
        text,
        fc.constantFrom('Bash', 'WebFetch', 'Read', 'AskUserQuestion', 'ExitPlanMode', 'toString'),
      ),
      input: json,
      permission_suggestions: fc.option(fc.array(suggestion, { maxLength: 4 }), { nil: undefined }),
      decision_reason: fc.option(text, { nil: undefined }),
      decision_reason_type: fc.option(text, { nil: undefined }),
      default_to_no: fc.option(fc.boolean(), { nil: undefined }),
    })
    .filter(({ tool_name }) => tool_name.trim() !== '')
    .map(({ tool_name, input, ...more }) => use(tool_name, input, more as Partial<CanUseTool>))
  fc.assert(
    fc.property(request, (one) => {
      const question = asked(one)
      expect(problemOf(question)).toBeNull()
      for (const { leadsTo, id } of question.options) {
        const result = answered(one, id, { values: initialValues(question.fields) }) as { behavior: string }
        expect(result.behavior).toBe(leadsTo.kind)
        if (leadsTo.kind === 'allow') expect(result).toMatchObject({ updatedInput: one.input })
      }
      const ruled = optionForRule(question.options, 'allow')
      if (ruled) expect(answered(one, ruled.id)).not.toHaveProperty('updatedPermissions')
      expect(optionForRule(question.options, 'deny')?.id).toBe('deny')
    }),
  )
})
