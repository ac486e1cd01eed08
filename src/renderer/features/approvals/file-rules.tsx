import { type RefObject, useId, useRef, useState } from 'react'
import { type PathRule, describePatternProblem, mostPathRules } from '../../../shared/gate/path-rule'
import { attempt } from '../../state/host/calls'
import { useGateOffered } from '../../state/agents/gate-mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { Button } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { announce } from '../../ui/browser/live-region'
import '../../ui/form/field-form.css'

const answers: Record<PathRule['answer'], string> = {
  write: 'May be written',
  ask: 'Always reviewed',
  never: 'May not be changed',
}
const order = Object.keys(answers) as PathRule['answer'][]

/** The rules by path: what agents may write without a review, and what they may not. */
export function FileRules() {
  const rules = useSetting('reviewPathRules')
  const isOffered = useGateOffered()
  const folder = useWindow()?.folders[0]
  const [problem, setProblem] = useState<string | null>(null)
  const add = useRef<HTMLInputElement>(null)
  if (!isOffered) return null
  const save = async (next: PathRule[]) => {
    const saved = await attempt('settings.change', {
      ...{ target: folder ? ('folder' as const) : ('person' as const), reset: [] },
      values: { reviewPathRules: next.toSorted((a, b) => a.pattern.localeCompare(b.pattern)) },
    })
    setProblem(saved.ok ? null : saved.failure.message)
    return saved.ok
  }
  const change = (index: number, answer: PathRule['answer']) =>
    void save(rules.map((rule, at) => (at === index ? { ...rule, answer } : rule)))
  const remove = async (index: number) => {
    if (await save(rules.filter((_, at) => at !== index))) add.current?.focus()
  }
  return (
    <section className="approvals-item file-rules" aria-label="Files">
      <h3>Files</h3>
      <p className="aside">
        What agents may do with files, as .gitignore patterns. Of all that fit, the strictest counts. Only
        files in the window’s folders can be written without a review, and names that begin with a dot only if
        the pattern spells them.
      </p>
      {rules.length === 0 ? null : (
        <ul aria-label="Patterns of files">
          {rules.map((rule, index) => (
            <FileRule
              key={`${index} ${rule.pattern}`}
              rule={rule}
              onChange={(answer) => change(index, answer)}
              onRemove={() => void remove(index)}
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
        isFull={rules.length >= mostPathRules}
        onAdd={async (rule) => {
          const others = rules.filter(({ pattern }) => pattern !== rule.pattern)
          const isSaved = await save([...others, rule])
          if (isSaved) announce(`Rule for ${rule.pattern} saved.`)
          return isSaved
        }}
      />
    </section>
  )
}

function FileRule({
  rule,
  onChange,
  onRemove,
}: {
  rule: PathRule
  onChange: (answer: PathRule['answer']) => void
  onRemove: () => void
}) {
  const name = revealed(rule.pattern)
  const problem = describePatternProblem(rule)
  return (
    <li className="file-rule">
      <code className="selectable">
        <RevealedText text={rule.pattern} />
      </code>
      <AnswerSelect label={`What agents may do with ${name}`} value={rule.answer} onChange={onChange} />
      <Button size="small" variant="quiet" aria-label={`Remove rule for ${name}`} onClick={onRemove}>
        Remove
      </Button>
      {problem === null ? null : <p className="field-problem">{problem} It counts for nothing until then.</p>}
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
  isFull,
  onAdd,
}: {
  field: RefObject<HTMLInputElement | null>
  isFull: boolean
  onAdd: (rule: PathRule) => Promise<boolean>
}) {
  const [rule, setRule] = useState<PathRule>({ pattern: '', answer: 'write' })
  const [isTried, setTried] = useState(false)
  const id = useId()
  const problem = isFull
    ? `There can be ${mostPathRules} rules. Remove one first.`
    : describePatternProblem(rule)
  const isShown = isTried && problem !== null
  const submit = async () => {
    setTried(true)
    if (problem !== null || !(await onAdd(rule))) return
    setRule({ ...rule, pattern: '' })
    setTried(false)
  }
  return (
    <form
      className="file-rule"
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
        onChange={({ target }) => setRule({ ...rule, pattern: target.value })}
      />
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
