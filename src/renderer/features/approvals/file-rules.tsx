import { type RefObject, useId, useRef, useState } from 'react'
import type { SettingsTarget } from '../../../shared/contract/settings'
import { type PathRule, describePatternProblem, mostPathRules } from '../../../shared/gate/path-rule'
import type { Done } from '../../../shared/result'
import { pathRulesIn, removePathRule, savePathRule, useLetThrough } from '../../state/agents/saved-path-rules'
import { useGateOffered } from '../../state/agents/gate-mirror'
import { useSettingsSources } from '../../state/settings/settings-sources'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import '../../ui/form/field-form.css'

const answers: Record<PathRule['answer'], string> = {
  write: 'May be written',
  ask: 'Always reviewed',
  never: 'May not be changed',
}
const order = Object.keys(answers) as PathRule['answer'][]

/** Where a rule holds, in words. */
type Places = readonly (readonly [target: SettingsTarget, words: string])[]

/** The rules by path: what agents may write without a review, and what they may not. */
export function FileRules() {
  const sources = useSettingsSources()
  const isOffered = useGateOffered()
  const [problem, setProblem] = useState<string | null>(null)
  const add = useRef<HTMLInputElement>(null)
  const folder = sources?.folder ?? null
  const places: Places = [
    ...(folder ? ([['folder', `Only in ${plainName(folder.name)}`]] as const) : []),
    ['person', 'Everywhere'],
  ]
  const rules = places.flatMap(([target, where]) =>
    pathRulesIn(sources, target).map((rule) => ({ ...{ target, where, rule } })),
  )
  const save = async (saving: Promise<Done>) => {
    const saved = await saving
    setProblem(saved.ok ? null : saved.failure.message)
    return saved.ok
  }
  return (
    <section className="approvals-item file-rules" aria-label="Files">
      <h3>Files</h3>
      <p className="aside">
        What Claude may do with files, in terminals and conversations, as .gitignore patterns; what its
        commands write isn’t stopped. Of all that fit, the strictest counts. Only files in the window’s
        folders can be written without a review, and names that begin with a dot only if the pattern spells
        them.
      </p>
      {isOffered ? null : (
        <p className="field-problem">
          In terminals they have no effect now: Claude Code’s hooks are off. A switch in Connections turns
          them on.
        </p>
      )}
      {rules.length === 0 ? null : (
        <ul aria-label="Patterns of files">
          {rules.map(({ target, where, rule }, index) => (
            <FileRule
              key={`${target} ${index} ${rule.pattern}`}
              rule={rule}
              where={where}
              onChange={(answer) => void save(savePathRule(target, { ...rule, answer }))}
              onRemove={async () => {
                if (await save(removePathRule(target, rule.pattern))) add.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <NewRule
        field={add}
        places={places}
        isFull={(target) => pathRulesIn(sources, target).length >= mostPathRules}
        onAdd={async (target, rule) => {
          const isSaved = await save(savePathRule(target, rule))
          if (isSaved) announce(`Rule for ${rule.pattern} saved.`)
          return isSaved
        }}
      />
    </section>
  )
}

function FileRule({
  rule,
  where,
  onChange,
  onRemove,
}: {
  rule: PathRule
  where: string
  onChange: (answer: PathRule['answer']) => void
  onRemove: () => Promise<void>
}) {
  const name = `${revealed(rule.pattern)}, ${where.toLowerCase()}`
  const problem = describePatternProblem(rule)
  const count = useLetThrough(rule.pattern)
  return (
    <li className="file-rule row">
      <div className="file-rule-what column">
        <code className="selectable">
          <RevealedText text={rule.pattern} />
        </code>
        <span className="aside">
          {where}
          {rule.answer === 'write' && count > 0 ? `, ${countOf(count, 'write')} in 7 days` : ''}
        </span>
      </div>
      <AnswerSelect label={`What agents may do with ${name}`} value={rule.answer} onChange={onChange} />
      <Button
        size="small"
        variant="quiet"
        aria-label={`Remove rule for ${name}`}
        onClick={() => void onRemove()}
      >
        Remove
      </Button>
      {problem === null ? null : <p className="field-problem">{problem} It has no effect until then.</p>}
    </li>
  )
}

function AnswerSelect({
  label,
  value,
  onChange,
}: {
  label: string
  value: PathRule['answer']
  onChange: (answer: PathRule['answer']) => void
}) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value as PathRule['answer'])}
    >
      {order.map((answer) => (
        <option key={answer} value={answer}>
          {answers[answer]}
        </option>
      ))}
    </Select>
  )
}

function NewRule({
  field,
  places,
  isFull,
  onAdd,
}: {
  field: RefObject<HTMLInputElement | null>
  places: Places
  isFull: (target: SettingsTarget) => boolean
  onAdd: (target: SettingsTarget, rule: PathRule) => Promise<boolean>
}) {
  const [rule, setRule] = useState<PathRule>({ pattern: '', answer: 'write' })
  const [chosen, setChosen] = useState<SettingsTarget | null>(null)
  const [isTried, setTried] = useState(false)
  const id = useId()
  const target = places.find(([place]) => place === chosen)?.[0] ?? places[0]?.[0] ?? 'person'
  const problem = isFull(target)
    ? `There can be ${mostPathRules} rules. Remove one first.`
    : describePatternProblem(rule)
  const isShown = isTried && problem !== null
  const submit = async () => {
    setTried(true)
    if (problem !== null || !(await onAdd(target, rule))) return
    setRule({ ...rule, pattern: '' })
    setTried(false)
  }
  return (
    <form
      className="file-rule row"
      aria-label="New rule for files"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label htmlFor={id}>Pattern</label>
      <input
        ref={field}
        id={id}
        className="field mono"
        placeholder="docs/**"
        spellCheck={false}
        value={rule.pattern}
        aria-invalid={isShown}
        aria-describedby={isShown ? `${id}-problem` : undefined}
        onChange={({ target: input }) => setRule({ ...rule, pattern: input.value })}
      />
      {places.length < 2 ? null : (
        <Select
          aria-label="Where the rule holds"
          value={target}
          onChange={(event) => setChosen(event.target.value as SettingsTarget)}
        >
          {places.map(([place, words]) => (
            <option key={place} value={place}>
              {words}
            </option>
          ))}
        </Select>
      )}
      <AnswerSelect
        label="What agents may do"
        value={rule.answer}
        onChange={(answer) => setRule({ ...rule, answer })}
      />
      <Button size="small" type="submit">
        Add rule
      </Button>
      {isShown ? (
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problem}
        </p>
      ) : null}
    </form>
  )
}
