import { useId } from 'react'
import type {
  ChoiceField,
  ChoicesField,
  Field,
  FieldValues,
  TextField,
} from '../../../shared/approval/approval-fields'
import { RevealedText, revealed } from './revealed-text'

type Value = FieldValues[string]

interface FormProps {
  fields: readonly Field[]
  values: FieldValues
  /** A sentence for each field that is wrong. */
  problems: Readonly<Record<string, string>>
  onChange: (id: string, value: Value) => void
}

/** What the agent asks to be filled in. No key in it answers anything. */
export function ApprovalForm({ fields, values, problems, onChange }: FormProps) {
  return (
    <div className="approval-form">
      {fields.map((field) => (
        <FieldRow
          key={field.id}
          field={field}
          value={values[field.id]}
          problem={problems[field.id]}
          onChange={(value) => onChange(field.id, value)}
        />
      ))}
    </div>
  )
}

interface RowProps<F extends Field> {
  field: F
  value: Value | undefined
  problem: string | undefined
  onChange: (value: Value) => void
}

function FieldRow({ field, value, problem, onChange }: RowProps<Field>) {
  const id = useId()
  const described = `${id}-words`
  const words = (
    <span id={described} className="approval-field-words aside">
      {field.help === null ? null : <RevealedText text={field.help} />}
      {problem === undefined ? null : <span className="approval-problem">{problem}</span>}
    </span>
  )
  const label = (
    <>
      <RevealedText text={field.label} />
      {field.required ? <span className="approval-required aside"> (required)</span> : null}
    </>
  )
  const common = { id, described, onChange }
  switch (field.kind) {
    case 'boolean':
      return (
        <div className="approval-field">
          <label className="approval-choice">
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
        <div className="approval-field">
          <label htmlFor={id}>{label}</label>
          <TextInput {...common} field={field} value={value} problem={problem} />
          {words}
        </div>
      )
    case 'choice':
    case 'choices':
      return (
        <fieldset className="approval-field" aria-describedby={described}>
          <legend>{label}</legend>
          {field.kind === 'choice' ? (
            <ChoiceInput {...common} field={field} value={value} problem={problem} />
          ) : (
            <ChoicesInput {...common} field={field} value={value} problem={problem} />
          )}
          {words}
        </fieldset>
      )
  }
}

type InputProps<F extends Field> = RowProps<F> & { id: string; described: string }

function TextInput({ id, described, field, value, problem, onChange }: InputProps<TextField>) {
  const common = {
    id,
    className: 'field',
    value: typeof value === 'string' ? value : '',
    'aria-describedby': described,
    'aria-invalid': problem !== undefined,
    'aria-required': field.required,
  }
  return field.lines === 'many' ? (
    <textarea {...common} rows={4} onChange={(event) => onChange(event.target.value)} />
  ) : (
    <input {...common} type="text" onChange={(event) => onChange(event.target.value)} />
  )
}

function ChoiceInput({ id, field, value, onChange }: InputProps<ChoiceField>) {
  const isOther = typeof value === 'string' && !field.choices.some((choice) => choice.value === value)
  return (
    <>
      {field.choices.map((choice) => (
        <label key={choice.value} className="approval-choice">
          <input
            type="radio"
            name={id}
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
          />
          <ChoiceWords choice={choice} />
        </label>
      ))}
      {field.allowsOther ? (
        <OtherInput label={field.label} value={isOther ? value : ''} onChange={onChange} />
      ) : null}
    </>
  )
}

function ChoicesInput({ field, value, onChange }: InputProps<ChoicesField>) {
  const chosen: readonly string[] = Array.isArray(value) ? (value as readonly string[]) : []
  const isOffered = (one: string) => field.choices.some((choice) => choice.value === one)
  const offered = chosen.filter(isOffered)
  const other = chosen.filter((one) => !isOffered(one))
  const change = (choice: string, isIn: boolean) =>
    onChange([...offered.filter((one) => one !== choice), ...(isIn ? [choice] : []), ...other])
  return (
    <>
      {field.choices.map((choice) => (
        <label key={choice.value} className="approval-choice">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={(event) => change(choice.value, event.target.checked)}
          />
          <ChoiceWords choice={choice} />
        </label>
      ))}
      {field.allowsOther ? (
        <OtherInput
          label={field.label}
          value={other[0] ?? ''}
          onChange={(words) => onChange([...offered, ...(words === '' ? [] : [words])])}
        />
      ) : null}
    </>
  )
}

function ChoiceWords({ choice: { label, help } }: { choice: { label: string; help: string | null } }) {
  return (
    <span>
      <RevealedText text={label} />
      {help === null ? null : (
        <span className="approval-choice-help aside">
          <RevealedText text={help} />
        </span>
      )}
    </span>
  )
}

function OtherInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (words: string) => void
}) {
  return (
    <input
      type="text"
      className="field"
      aria-label={`Something else for ${revealed(label)}`}
      placeholder="Something else"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
