interface AnyField {
  id: string
  label: string
  /** A sentence below the label. */
  help: string | null
  required: boolean
}

/** One of the values that can be chosen. */
export interface FieldChoice {
  value: string
  label: string
  help: string | null
  /** What the person must know before choosing it, as a sentence. */
  warning?: string
  /** What it would look like: a sketch, code. */
  preview?: string
}

/** One or more lines of text. Lengths in characters; `least` and `most` are of a number. */
export interface TextField extends AnyField {
  kind: 'text'
  lines: 'one' | 'many'
  /** `markdown`: a whole text to read and change, such as a plan. */
  format: 'text' | 'number' | 'integer' | 'email' | 'address' | 'markdown'
  shortest: number | null
  longest: number | null
  least?: number | null
  most?: number | null
  initial: string | null
}

/** One of several. `allowsOther`: or the person's own words. */
export interface ChoiceField extends AnyField {
  kind: 'choice'
  choices: readonly FieldChoice[]
  allowsOther: boolean
  initial: string | null
}

/** Any number of several. */
export interface ChoicesField extends AnyField {
  kind: 'choices'
  choices: readonly FieldChoice[]
  allowsOther: boolean
  fewest: number | null
  most: number | null
  initial: readonly string[]
}

/** Yes or no. */
export interface BooleanField extends AnyField {
  kind: 'boolean'
  initial: boolean
}

/** A field of a form that an agent asks to be filled in. */
export type Field = TextField | ChoiceField | ChoicesField | BooleanField

/** What was filled in, by field id; without empty fields. */
export type FieldValues = Readonly<Record<string, string | boolean | readonly string[]>>

/** The longest question; nobody could read a longer one before answering. UTF-16 units. */
export const longestSubject = 256 * 1024
const mostFields = 50
const mostChoices = 200
/** The longest value of a field that isn't Markdown, in UTF-16 units. */
export const longestValue = 32 * 1024

/** Why fields can't be shown as a form, as a sentence; null if they can. */
export function problemOfFields(fields: readonly Field[]): string | null {
  if (fields.length > mostFields) return `There are more than ${mostFields} fields. Ask for fewer.`
  if (new Set(fields.map(({ id }) => id)).size < fields.length) return 'Two fields have the same id.'
  for (const field of fields) {
    if (field.kind !== 'choice' && field.kind !== 'choices') continue
    if (field.choices.length > mostChoices)
      return `A field has more than ${mostChoices} choices. Offer fewer.`
    if (new Set(field.choices.map(({ value }) => value)).size < field.choices.length) {
      return 'Two choices of a field have the same value.'
    }
  }
  return null
}

/** What a form holds before anything is filled in. */
export function initialValues(fields: readonly Field[]): FieldValues {
  return Object.fromEntries(
    fields.flatMap(({ id, initial }) => (initial === null ? [] : [[id, initial] as const])),
  )
}

/** A sentence for each field that isn't filled in right, and for each value that has no field; by id. */
export function validateFields(fields: readonly Field[], values: FieldValues): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined
    const problem = problemOfValue(field, value)
    if (problem !== null) problems[field.id] = problem
  }
  const known = new Set(fields.map(({ id }) => id))
  for (const id of Object.keys(values)) if (!known.has(id)) problems[id] = 'There is no such field.'
  return problems
}

type Value = FieldValues[string] | undefined

function problemOfValue(field: Field, value: Value): string | null {
  switch (field.kind) {
    case 'boolean':
      if (value !== undefined && typeof value !== 'boolean') return 'Say yes or no.'
      return null
    case 'text':
      return problemOfText(field, value)
    case 'choice':
      if (value === undefined || value === '') return field.required ? 'Choose one.' : null
      if (typeof value !== 'string') return 'Choose one.'
      return problemOfChosen(field, value)
    case 'choices':
      return problemOfChoices(field, value)
  }
}

function problemOfText(field: TextField, value: Value): string | null {
  if (value === undefined || value === '') return field.required ? 'Fill this in.' : null
  if (typeof value !== 'string') return 'Write words.'
  const length = Array.from(value).length
  const limit = field.format === 'markdown' ? longestSubject : longestValue
  const most = Math.min(field.longest ?? limit, limit)
  if (field.shortest !== null && length < field.shortest)
    return `Write at least ${field.shortest} characters.`
  if (length > most) return `Write at most ${most} characters.`
  if (field.lines === 'one' && /[\r\n]/.test(value)) return 'Write one line.'
  if (field.required && value.trim() === '') return 'Fill this in.'
  switch (field.format) {
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())
        ? problemOfNumber(field, Number(value))
        : 'Write a number.'
    case 'integer':
      return /^[+-]?\d+$/.test(value.trim()) ? problemOfNumber(field, Number(value)) : 'Write a whole number.'
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Write an e-mail address.'
    case 'address':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value.trim())
        ? null
        : 'Write an address, such as https://example.com.'
    case 'text':
    case 'markdown':
      return null
  }
}

function problemOfNumber({ least = null, most = null }: TextField, value: number): string | null {
  // No JSON holds it.
  if (!Number.isFinite(value)) return 'Write a smaller number.'
  if (least !== null && value < least) return `Write ${least} or more.`
  return most !== null && value > most ? `Write ${most} or less.` : null
}

function problemOfChoices(field: ChoicesField, value: Value): string | null {
  const chosen = value ?? []
  if (!Array.isArray(chosen)) return 'Choose some.'
  const all = chosen as readonly string[]
  if (new Set(all).size < all.length) return 'Choose each only once.'
  const fewest = Math.max(field.fewest ?? 0, field.required ? 1 : 0)
  if (all.length < fewest) return fewest === 1 ? 'Choose at least one.' : `Choose at least ${fewest}.`
  if (field.most !== null && all.length > field.most) return `Choose at most ${field.most}.`
  for (const one of all) {
    const problem = problemOfChosen(field, one)
    if (problem !== null) return problem
  }
  return null
}

function problemOfChosen({ choices, allowsOther }: ChoiceField | ChoicesField, value: string): string | null {
  if (choices.some((choice) => choice.value === value)) return null
  if (!allowsOther) return 'Choose from the list.'
  if (value.length > longestValue) return `Write at most ${longestValue} characters.`
  return value.trim() === '' ? 'Write something of your own.' : null
}
