import type { ApprovalAnswer, ApprovalOption } from '../../../shared/approval/approval'
import type { FieldChoice, Field, FieldValues } from '../../../shared/approval/approval-fields'
import { type Json, numberOf, objectOf, parseJson, stringOf } from '../../../shared/json'
import type { Elicitation } from './wire-messages'

/** What a server of tools is told about what it asked the person. */
type ElicitationResult =
  | { action: 'accept'; content?: Record<string, unknown> }
  | { action: 'decline' | 'cancel' }

/** A schema's members as fields, in the order in which the server listed them. */
export function elicitationFields({ requested_schema: schema, property_order: order }: Elicitation): Field[] {
  const properties = objectOf(schema?.['properties']) ?? {}
  const required = schema?.['required']
  const names = [...new Set([...(order ?? []), ...Object.keys(properties)])]
  return names.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? objectOf(properties[name]) : undefined
    const isRequired = Array.isArray(required) && required.includes(name)
    return property ? [fieldOf(name, property, isRequired)] : []
  })
}

/** To send the form, or to open the address; to decline, or to cancel what was begun. */
export function elicitationOptions({ mode, url }: Elicitation): ApprovalOption[] {
  const accept: ApprovalOption =
    mode === 'url' && url !== undefined
      ? { id: 'accept', label: 'Open address', leadsTo: { kind: 'allow', remembers: null, opens: url } }
      : { id: 'accept', label: 'Send', leadsTo: { kind: 'allow', remembers: null } }
  const deny = { kind: 'deny', stops: false, dropsReason: true } as const
  return [
    accept,
    { id: 'decline', label: 'Decline', leadsTo: deny },
    { id: 'cancel', label: 'Cancel', leadsTo: deny },
  ]
}

/** The answer to an elicitation. Numbers and the like come as what the schema says they are. */
export function elicitationResult(request: Elicitation, answer: ApprovalAnswer): ElicitationResult {
  if (answer.kind === 'denied') return { action: answer.option === 'decline' ? 'decline' : 'cancel' }
  if (answer.kind !== 'allowed') return { action: 'cancel' }
  if (request.mode === 'url') return { action: 'accept' }
  const properties = objectOf(request.requested_schema?.['properties']) ?? {}
  const content = Object.entries(answer.values).flatMap(([name, value]) => {
    const typed = typedValue(value, objectOf(properties[name]) ?? {})
    return typed === undefined ? [] : [[name, typed] as const]
  })
  return { action: 'accept', content: Object.fromEntries(content) }
}

function fieldOf(id: string, property: Json, required: boolean): Field {
  const title = stringOf(property['title'])
  const help = stringOf(property['description'])
  const any = { id, label: title?.trim() ? title : id, help: help?.trim() ? help : null, required }
  const choices = choicesOf(property)
  const initial = property['default']
  if (property['type'] === 'array') {
    const offered = choicesOf(objectOf(property['items']) ?? {})
    return {
      ...any,
      kind: 'choices',
      choices: offered ?? [],
      allowsOther: offered === null,
      fewest: numberOf(property['minItems']),
      most: numberOf(property['maxItems']),
      initial: Array.isArray(initial) ? initial.filter((one) => typeof one === 'string') : [],
    }
  }
  if (property['type'] === 'boolean') return { ...any, kind: 'boolean', initial: initial === true }
  if (choices) {
    const known = choices.some(({ value }) => value === initial) ? stringOf(initial) : null
    return { ...any, kind: 'choice', choices, allowsOther: false, initial: known }
  }
  const isText = property['type'] === 'string'
  const format = formatOf(property)
  return {
    ...any,
    help: [any.help, boundsOf(property)].filter((words) => words !== null).join(' ') || null,
    kind: 'text',
    lines: isText || format !== 'text' ? 'one' : 'many',
    format,
    shortest: numberOf(property['minLength']),
    longest: numberOf(property['maxLength']),
    least: numberOf(property['minimum']),
    most: numberOf(property['maximum']),
    initial: initial === undefined || initial === null ? null : textOf(initial),
  }
}

function choicesOf(property: Json): FieldChoice[] | null {
  const constants = [property['oneOf'], property['anyOf']].find((one) => Array.isArray(one))
  if (Array.isArray(constants)) {
    return constants.flatMap((one) => {
      const choice = objectOf(one)
      const value = stringOf(choice?.['const'])
      return value === null ? [] : [{ value, label: stringOf(choice?.['title']) ?? value, help: null }]
    })
  }
  const values = property['enum']
  if (!Array.isArray(values)) return null
  const names: unknown[] = Array.isArray(property['enumNames']) ? property['enumNames'] : []
  return values
    .filter((value) => typeof value === 'string')
    .map((value, index) => ({ value, label: stringOf(names[index]) ?? value, help: null }))
}

function formatOf({ type, format }: Json): 'text' | 'number' | 'integer' | 'email' | 'address' {
  if (type === 'number' || type === 'integer') return type
  if (format === 'email') return 'email'
  return format === 'uri' ? 'address' : 'text'
}

/** What a number or a date has to be, in words: a person reads it before they write. */
function boundsOf({ minimum, maximum, format }: Json): string | null {
  const least = numberOf(minimum)
  const most = numberOf(maximum)
  if (format === 'date') return 'A date, such as 2026-12-31.'
  if (format === 'date-time') return 'A date with a time, such as 2026-12-31T12:00:00Z.'
  if (least !== null && most !== null) return `From ${least} to ${most}.`
  if (least !== null) return `At least ${least}.`
  return most === null ? null : `At most ${most}.`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typedValue(value: FieldValues[string], { type }: Json): unknown {
  if (typeof value !== 'string') return value
  switch (type) {
    case 'number':
    case 'integer':
      return value.trim() === '' ? undefined : Number(value)
    case 'string':
    case undefined:
      return value
    default:
      return parseJson(value) ?? value
  }
}
