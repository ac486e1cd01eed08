import { useEffect, useId, useState } from 'react'
import type { SettingsTarget } from '../../../shared/contract/settings'
import type { SettingName, Settings } from '../../../shared/settings/all-settings'
import type { Amount, Setting, WordList, Words } from '../../../shared/settings/setting'
import { changeSetting } from '../../state/settings/settings-sources'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { Toggle } from '../../ui/controls/toggle'

interface FieldProps {
  name: SettingName
  declared: Setting
  value: unknown
  target: SettingsTarget
  /** For a setting with a shape of its own, which the form does not draw. */
  onOpenOther: () => void
}

/** The field of one setting, as its declaration says, with its title and its sentence. */
export function SettingField({ name, declared, value, target, onOpenOther }: FieldProps) {
  const id = useId()
  const set = (next: unknown) => changeSetting(target, name, next as Settings[typeof name])
  const sentence = `${id}-sentence`
  const about = (
    <p className="setting-sentence" id={sentence}>
      {declared.sentence}
    </p>
  )
  if (declared.kind === 'switch') {
    return (
      <>
        <Toggle label={declared.title} checked={value === true} onCheckedChange={set} />
        {about}
      </>
    )
  }
  const label = (
    <label className="setting-title" htmlFor={id}>
      {declared.title}
    </label>
  )
  switch (declared.kind) {
    case 'choice':
      return (
        <>
          {label}
          {about}
          <Select
            id={id}
            className="setting-wide"
            aria-describedby={sentence}
            value={String(value)}
            onChange={(event) => set(event.target.value)}
          >
            {declared.options.map(([option, words]) => (
              <option key={option} value={option}>
                {words}
              </option>
            ))}
          </Select>
        </>
      )
    case 'number':
      return (
        <>
          {label}
          {about}
          <NumberField id={id} describedBy={sentence} declared={declared} value={Number(value)} onSet={set} />
        </>
      )
    case 'text':
      return (
        <>
          {label}
          {about}
          <WordField id={id} describedBy={sentence} declared={declared} value={String(value)} onSet={set} />
        </>
      )
    case 'list':
      return (
        <>
          <h4 className="setting-title">{declared.title}</h4>
          {about}
          <ListField declared={declared} value={value as string[]} onSet={set} />
        </>
      )
    case 'other':
      return (
        <>
          <h4 className="setting-title">{declared.title}</h4>
          {about}
          <Button size="small" onClick={onOpenOther}>
            {name === 'keys' ? 'Open keyboard shortcuts' : `Change ${declared.title.toLowerCase()} as JSON`}
          </Button>
        </>
      )
  }
}

interface Named {
  id: string
  describedBy: string
}

function NumberField({
  id,
  describedBy,
  declared,
  value,
  onSet,
}: Named & { declared: Amount; value: number; onSet: (value: number) => void }) {
  const [typed, setTyped] = useState(String(value))
  useEffect(() => setTyped(String(value)), [value])
  const number = Number(typed)
  const isWrong =
    typed.trim() === '' ||
    !Number.isFinite(number) ||
    number < declared.min ||
    number > declared.max ||
    (declared.step === 1 && !Number.isInteger(number))
  const error = `${id}-error`
  return (
    <>
      <span className="setting-number">
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
            const next = event.target.valueAsNumber
            const isWhole = declared.step !== 1 || Number.isInteger(next)
            if (next >= declared.min && next <= declared.max && isWhole) onSet(next)
          }}
          onBlur={() => isWrong && setTyped(String(value))}
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
}: Named & { declared: Words; value: string; onSet: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const take = () => {
    if (typed !== value) onSet(typed)
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
  onSet,
}: {
  declared: WordList
  value: readonly string[]
  onSet: (value: string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const entry = typed.trim()
  const add = () => {
    if (entry === '') return
    if (!value.includes(entry)) onSet([...value, entry])
    setTyped('')
  }
  return (
    <div className="setting-list">
      <ul aria-label={declared.title}>
        {value.map((one) => (
          <li key={one}>
            <code>{one}</code>
            <Button
              size="small"
              variant="quiet"
              aria-label={`Remove ${one}`}
              onClick={() => onSet(value.filter((other) => other !== one))}
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
