import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type {
  FieldChoice,
  ChoiceField,
  ChoicesField,
  Field,
  FieldValues,
  TextField,
} from '../../../shared/approval/approval-fields'
import { Select } from '../controls/select'
import { RevealedText, revealed } from '../labels/revealed-text'
import './field-form.css'

type Value = FieldValues[string]

interface FormProps {
  fields: readonly Field[]
  values: FieldValues
  /** A sentence for each field that is wrong. */
  problems: Readonly<Record<string, string>>
  onChange: (id: string, value: Value) => void
  /** How one of several is chosen: all of them in sight, or in a select. */
  choosing?: 'radios' | 'selects'
  /** What is filled in is only read. */
  isOver?: boolean
}

/** Described fields to fill in. No key in it answers or sends anything. */
export function FieldForm({
  fields,
  values,
  problems,
  onChange,
  choosing = 'radios',
  isOver = false,
}: FormProps) {
  return (
    <div className="field-form column">
      {fields.map((field) => (
        <FieldRow
          key={field.id}
          field={field}
          value={values[field.id]}
          problem={problems[field.id]}
          choosing={choosing}
          isOver={isOver}
          onChange={(value) => isOver || onChange(field.id, value)}
        />
      ))}
    </div>
  )
}

/** The values with another one; without an empty one. */
export function withValue(values: FieldValues, id: string, value: Value): FieldValues {
  const { [id]: _, ...others } = values
  return value === '' ? others : { ...others, [id]: value }
}

interface RowProps<F extends Field> {
  field: F
  value: Value | undefined
  problem: string | undefined
  choosing: 'radios' | 'selects'
  isOver: boolean
  onChange: (value: Value) => void
}

function FieldRow({ field, value, problem, choosing, isOver, onChange }: RowProps<Field>) {
  const id = useId()
  const described = `${id}-words`
  const words = (
    <span id={described} className="field-words column aside">
      {field.help === null ? null : <RevealedText text={field.help} />}
      <ChosenWords field={field} value={value} withHelp={choosing === 'selects'} />
      {problem === undefined ? null : <span className="field-problem">{problem}</span>}
    </span>
  )
  const label = (
    <>
      <RevealedText text={field.label} />
      {field.required ? <span className="field-required aside"> (required)</span> : null}
    </>
  )
  const common = { id, described, choosing, value, problem, isOver, onChange }
  if (field.kind === 'choice' && choosing === 'selects') {
    return (
      <div className="field-row column">
        <label htmlFor={id}>
          <RevealedText text={field.label} />
        </label>
        <SelectInput {...common} field={field} />
        {words}
      </div>
    )
  }
  switch (field.kind) {
    case 'boolean':
      return (
        <div className="field-row column">
          <label className="field-choice">
            <input
              type="checkbox"
              aria-describedby={described}
              checked={value === true}
              onChange={(event) => onChange(event.target.checked)}
            />
            <span>{label}</span>
          </label>
          {words}
        </div>
      )
    case 'text':
      return (
        <div className="field-row column">
          <label htmlFor={id}>{label}</label>
          <TextInput {...common} field={field} />
          {words}
        </div>
      )
    case 'choice':
    case 'choices':
      return (
        <fieldset className="field-row column" aria-describedby={described}>
          <legend>{label}</legend>
          {field.kind === 'choice' ? (
            <ChoiceInput {...common} field={field} />
          ) : (
            <ChoicesInput {...common} field={field} />
          )}
          {words}
        </fieldset>
      )
  }
}

type InputProps<F extends Field> = RowProps<F> & { id: string; described: string }

function TextInput({ id, described, field, value, problem, isOver, onChange }: InputProps<TextField>) {
  const common = {
    id,
    className: 'field',
    value: typeof value === 'string' ? value : '',
    'aria-describedby': described,
    'aria-invalid': problem !== undefined,
    'aria-required': field.required,
    readOnly: isOver,
  }
  return field.lines === 'many' ? (
    <textarea {...common} rows={4} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <input {...common} type="text" onChange={(event) => onChange(event.target.value)} />
  )
}

function ChoiceInput({ id, field, value, isOver, onChange }: InputProps<ChoiceField>) {
  const isOther = typeof value === 'string' && !field.choices.some((choice) => choice.value === value)
  return (
    <>
      {field.choices.map((choice) => (
        <div key={choice.value}>
          <label className="field-choice">
            <input
              type="radio"
              name={id}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
            />
            <ChoiceWords choice={choice} />
          </label>
          <ChoicePreview choice={choice} />
        </div>
      ))}
      {field.allowsOther ? (
        <OtherInput label={field.label} value={isOther ? value : ''} isOver={isOver} onChange={onChange} />
      ) : null}
    </>
  )
}

/** What the select's own entry for other words stands for; no adapter's value holds this sign. */
const other = '\0other'

function SelectInput({ id, described, field, value, problem, isOver, onChange }: InputProps<ChoiceField>) {
  const chosen = typeof value === 'string' ? value : ''
  const [writes, setWrites] = useState(false)
  const isOther = writes || (chosen !== '' && !field.choices.some((choice) => choice.value === chosen))
  return (
    <>
      <Select
        id={id}
        value={isOther ? other : chosen}
        aria-describedby={described}
        aria-invalid={problem !== undefined}
        onChange={({ target }) => {
          setWrites(target.value === other)
          onChange(target.value === other ? '' : target.value)
        }}
      >
        {/* Nothing chosen is a choice only where the form doesn't begin with one. */}
        {chosen !== '' && (field.required || field.initial !== null) ? null : (
          <option value="">{field.required ? '' : 'Default'}</option>
        )}
        {field.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {revealed(choice.label)}
          </option>
        ))}
        {field.allowsOther ? <option value={other}>Something else …</option> : null}
      </Select>
      {isOther ? <OtherInput label={field.label} value={chosen} isOver={isOver} onChange={onChange} /> : null}
    </>
  )
}

function ChoicesInput({ field, value, isOver, onChange }: InputProps<ChoicesField>) {
  const chosen: readonly string[] = Array.isArray(value) ? (value as readonly string[]) : []
  const isOffered = (one: string) => field.choices.some((choice) => choice.value === one)
  const offered = chosen.filter(isOffered)
  const other = chosen.filter((one) => !isOffered(one))
  const change = (choice: string, isIn: boolean) =>
    onChange([...offered.filter((one) => one !== choice), ...(isIn ? [choice] : []), ...other])
  return (
    <>
      {field.choices.map((choice) => (
        <div key={choice.value}>
          <label className="field-choice">
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) => change(choice.value, event.target.checked)}
            />
            <ChoiceWords choice={choice} />
          </label>
          <ChoicePreview choice={choice} />
        </div>
      ))}
      {field.allowsOther ? (
        <OtherInput
          label={field.label}
          value={other[0] ?? ''}
          isOver={isOver}
          onChange={(words) => onChange([...offered, ...(words === '' ? [] : [words])])}
        />
      ) : null}
    </>
  )
}

/** What the chosen one means, where a select doesn't say it, and what it warns of. */
function ChosenWords({
  field,
  value,
  withHelp,
}: {
  field: Field
  value: Value | undefined
  withHelp: boolean
}) {
  const chosen: FieldChoice | undefined =
    field.kind === 'choice' ? field.choices.find((choice) => choice.value === value) : undefined
  return (
    <>
      {withHelp && chosen && chosen.help !== null ? <RevealedText text={chosen.help} /> : null}
      {chosen?.warning === undefined ? null : (
        <span className="field-warning" role="status">
          <TriangleAlert aria-hidden="true" />
          <RevealedText text={chosen.warning} />
        </span>
      )}
    </>
  )
}

function ChoiceWords({ choice: { label, help } }: { choice: { label: string; help: string | null } }) {
  return (
    <span>
      <RevealedText text={label} />
      {help === null ? null : (
        <span className="field-choice-help aside">
          <RevealedText text={help} />
        </span>
      )}
    </span>
  )
}

/** What a choice would look like, where its agent sketched it. */
function ChoicePreview({ choice: { label, preview } }: { choice: FieldChoice }) {
  if (preview === undefined) return null
  return (
    <pre
      className="field-preview mono selectable"
      role="group"
      aria-label={`Preview of ${revealed(label)}`}
      tabIndex={0}
    >
      <RevealedText text={preview} />
    </pre>
  )
}

function OtherInput({
  label,
  value,
  isOver,
  onChange,
}: {
  label: string
  value: string
  isOver: boolean
  onChange: (words: string) => void
}) {
  return (
    <input
      type="text"
      className="field"
      aria-label={`Something else for ${revealed(label)}`}
      placeholder="Something else"
      readOnly={isOver}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
