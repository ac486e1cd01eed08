import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { SettingsTarget } from '../../../shared/contract/settings'
import type { SettingName, Settings } from '../../../shared/settings/all-settings'
import type { Amount, Setting, WordList, Words } from '../../../shared/settings/setting'
import { changeSetting } from '../../state/settings/settings-sources'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { Toggle } from '../../ui/controls/toggle'

export interface SettingEditor {
  /** The label of the button that opens it. */
  label: string
  open: () => void
}

interface FieldProps {
  name: SettingName
  declared: Setting
  value: unknown
  target: SettingsTarget
  /** What edits a setting that the form has no field for. */
  editor: SettingEditor
}

/** The field that a setting's declaration asks for, with its title and sentence. */
export function SettingField(props: FieldProps) {
  const id = useId()
  const { title, sentence, kind } = props.declared
  // A list and a button have no field that a label could name.
  const isLabel = kind !== 'list' && kind !== 'other'
  const control = <Control {...props} id={id} describedBy={`${id}-sentence`} />
  const heading = isLabel ? (
    <label className="setting-title" htmlFor={id}>
      {title}
    </label>
  ) : (
    <h4 className="setting-title">{title}</h4>
  )
  return (
    <>
      {kind === 'switch' ? control : heading}
      <p className="setting-sentence" id={`${id}-sentence`}>
        {sentence}
      </p>
      {kind === 'switch' ? null : control}
    </>
  )
}

function Control({ id, describedBy, name, declared, value, target, editor }: FieldProps & Named) {
  const change = (next: (now: unknown) => unknown) =>
    changeSetting(target, name, (now) => next(now) as Settings[typeof name])
  const set = (next: unknown) => change(() => next)
  switch (declared.kind) {
    case 'switch':
      return (
        <Toggle label={declared.title} checked={value === true} onCheckedChange={(next) => void set(next)} />
      )
    case 'choice':
      return (
        <Select
          id={id}
          className="setting-wide"
          aria-describedby={describedBy}
          value={String(value)}
          onChange={(event) => void set(event.target.value)}
        >
          {declared.options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </Select>
      )
    case 'number':
      return (
        <NumberField
          id={id}
          describedBy={describedBy}
          declared={declared}
          value={Number(value)}
          onSet={set}
        />
      )
    case 'text':
      return (
        <WordField id={id} describedBy={describedBy} declared={declared} value={String(value)} onSet={set} />
      )
    case 'list':
      return (
        <ListField
          declared={declared}
          value={value as string[]}
          onChange={(next) => void change((now) => next(now as string[]))}
        />
      )
    case 'other':
      return (
        <Button size="small" onClick={editor.open}>
          {editor.label}
        </Button>
      )
  }
}

interface Named {
  id: string
  describedBy: string
}

/**
 * What is typed into a field. A value that comes while the field's own is on its way is an older one or its echo, and
 * takes no letter away. `newest` is what the setting is, or will be.
 */
function useTyped(value: string, onSet: (typed: string) => Promise<void>) {
  const [typed, setTyped] = useState(value)
  const underWay = useRef<{ text: string } | null>(null)
  useLayoutEffect(() => {
    if (underWay.current === null) setTyped(value)
  }, [value])
  const set = (text: string) => {
    const mine = { text }
    underWay.current = mine
    void onSet(text).finally(() => {
      if (underWay.current === mine) underWay.current = null
    })
  }
  return { typed, setTyped, set, newest: () => underWay.current?.text ?? value }
}

function NumberField({
  id,
  describedBy,
  declared,
  value,
  onSet,
}: Named & { declared: Amount; value: number; onSet: (value: number) => Promise<void> }) {
  const { typed, setTyped, set, newest } = useTyped(String(value), (text) => onSet(Number(text)))
  const fits = (number: number) =>
    number >= declared.min && number <= declared.max && (declared.step !== 1 || Number.isInteger(number))
  const isWrong = typed.trim() === '' || !fits(Number(typed))
  const error = `${id}-error`
  return (
    <>
      <span className="setting-number row">
        <input
          id={id}
          className="field"
          type="number"
          min={declared.min}
          max={declared.max}
          step={declared.step}
          value={typed}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${describedBy} ${error}` : describedBy}
          onChange={(event) => {
            setTyped(event.target.value)
            if (fits(event.target.valueAsNumber)) set(event.target.value)
          }}
          onBlur={() => isWrong && setTyped(newest())}
        />
        {declared.unit === undefined ? null : <span aria-hidden="true">{declared.unit}</span>}
      </span>
      {isWrong ? (
        <span className="setting-error" id={error}>
          {declared.step === 1 ? 'A whole number' : 'A number'} from {declared.min} to {declared.max}.
        </span>
      ) : null}
    </>
  )
}

function WordField({
  id,
  describedBy,
  declared,
  value,
  onSet,
}: Named & { declared: Words; value: string; onSet: (value: string) => Promise<void> }) {
  const { typed, setTyped, set, newest } = useTyped(value, onSet)
  const take = () => {
    if (typed !== newest()) set(typed)
  }
  return (
    <input
      id={id}
      className="field setting-wide"
      value={typed}
      maxLength={declared.longest}
      placeholder={declared.placeholder}
      spellCheck={false}
      aria-describedby={describedBy}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) take()
      }}
    />
  )
}

function ListField({
  declared,
  value,
  onChange,
}: {
  declared: WordList
  value: readonly string[]
  /** `next` makes the new list of what it is when it is changed. */
  onChange: (next: (now: readonly string[]) => string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const entry = typed.trim()
  const add = () => {
    if (entry === '') return
    if (!value.includes(entry)) onChange((now) => [...now.filter((other) => other !== entry), entry])
    setTyped('')
  }
  return (
    <div className="setting-list">
      <ul aria-label={declared.title}>
        {value.map((one) => (
          <li key={one} className="row">
            <code>{one}</code>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Remove ${one}`}
              onClick={() => onChange((now) => now.filter((other) => other !== one))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        className="setting-add"
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <input
          className="field"
          aria-label={`New ${declared.entry} for ${declared.title}`}
          value={typed}
          maxLength={declared.longest}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={entry === '' || value.length >= declared.most}>
          Add {declared.entry}
        </Button>
      </form>
    </div>
  )
}
