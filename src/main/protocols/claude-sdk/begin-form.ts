import type {
  FieldChoice,
  ChoiceField,
  Field,
  FieldValues,
  TextField,
} from '../../../shared/approval/approval-fields'
import { type Result, fail, succeed } from '../../../shared/result'
import { modeChoices } from '../claude-tools/permission-modes'
import { type Resumption, textOf } from './launch-arguments'

/** How hard a model thinks. */
export const effortChoices: readonly FieldChoice[] = [
  { value: 'default', label: 'Default', help: null },
  { value: 'low', label: 'Low', help: null },
  { value: 'medium', label: 'Medium', help: null },
  { value: 'high', label: 'High', help: null },
  { value: 'xhigh', label: 'Very high', help: null },
  { value: 'max', label: 'Maximum', help: null },
]

/** Names that every version knows, until a version has said which it has. */
export const usualModels: readonly FieldChoice[] = [
  { value: 'default', label: 'Default', help: null },
  { value: 'opus', label: 'Opus', help: null },
  { value: 'sonnet', label: 'Sonnet', help: null },
  { value: 'haiku', label: 'Haiku', help: null },
]

/** The form of a new conversation with Claude. */
export function beginFields(models: readonly FieldChoice[]): Field[] {
  return [
    choice('model', 'Model', models, 'Or the full name of another one.', true),
    choice('permissionMode', 'Permission mode', modeChoices, null),
    choice('effort', 'Effort', effortChoices, 'How long the model may think.'),
    choice(
      'systemPromptMode',
      'System prompt',
      [
        { value: 'none', label: 'Claude’s own', help: null },
        { value: 'append', label: 'Claude’s own, and more', help: null },
        { value: 'replace', label: 'Another one', help: null },
      ],
      null,
    ),
    many('systemPrompt', 'Text of the system prompt', 'Only used if you add to Claude’s own or replace it.'),
    many('allowedTools', 'Allowed tools', 'Used without asking, one a line, such as Bash(git log *).'),
    many('disallowedTools', 'Disallowed tools', 'Never used, one a line.'),
    many('folders', 'More folders', 'Folders that Claude may also work in, one a line.'),
    many('mcpConfig', 'MCP configuration', 'JSON, or paths of JSON files, one a line.'),
    one('resume', 'Session to resume', 'The id of an earlier session. Empty for a new one.'),
    {
      kind: 'boolean',
      id: 'forkSession',
      label: 'Resume it as a copy',
      help: 'The earlier session stays as it is.',
      required: false,
      initial: false,
    },
    one('sessionId', 'Id of the new session', 'A UUID of your own. Empty for one of Claude’s.'),
  ]
}

/** What the form begins with, unless something else was chosen last. */
export const usualValues: FieldValues = {
  model: 'default',
  permissionMode: 'default',
  effort: 'default',
  systemPromptMode: 'none',
  forkSession: false,
}

const keptIds = [
  ...['model', 'permissionMode', 'effort', 'systemPromptMode', 'systemPrompt'],
  ...['allowedTools', 'disallowedTools', 'folders', 'mcpConfig'],
]

/** What is remembered for the next conversation. That nothing is asked has to be chosen each time. */
export function keptValues(values: FieldValues): Record<string, string | boolean> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) => {
      const isKept = keptIds.includes(id) && !(id === 'permissionMode' && value === 'bypassPermissions')
      return isKept && typeof value !== 'object' ? [[id, value] as const] : []
    }),
  )
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** The session that a filled-in form goes on from; null for a new one. Fails for ids that are none. */
export function resumptionOf(values: FieldValues): Result<Resumption | null> {
  const session = textOf(values, 'resume')
  const own = textOf(values, 'sessionId')
  if (own !== '' && !uuid.test(own))
    return fail('bad-id', 'The id of the new session isn’t a UUID. Correct it, or leave it empty.')
  if (session === '') return succeed(null)
  if (!uuid.test(session))
    return fail('bad-id', 'The session to resume isn’t a UUID. Copy it from the list of sessions.')
  const isFork = values['forkSession'] === true
  if (own !== '' && !isFork)
    return fail('bad-id', 'A resumed session keeps its id. Resume it as a copy, or leave the new id empty.')
  return succeed({ session, isFork, upTo: null })
}

function choice(
  id: string,
  label: string,
  choices: readonly FieldChoice[],
  help: string | null,
  allowsOther = false,
): ChoiceField {
  return {
    kind: 'choice',
    id,
    label,
    help,
    required: false,
    choices,
    allowsOther,
    initial: choices[0]?.value ?? null,
  }
}

function many(id: string, label: string, help: string): TextField {
  return { ...one(id, label, help), lines: 'many' }
}

function one(id: string, label: string, help: string): TextField {
  return {
    ...{ kind: 'text', lines: 'one', format: 'text', shortest: null, longest: null, initial: null },
    ...{ id, label, help, required: false },
  }
}
