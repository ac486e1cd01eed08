import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ApprovalRule } from '../../../shared/approval/approval'
import { describeRule } from '../../../shared/approval/approval-rule'
import { useApprovalRules } from '../../state/approvals/approvals-mirror'
import { ask, attempt } from '../../state/host/calls'
import { Button } from '../../ui/controls/button'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'
import { AgentRules } from './agent-rules'
import { FileRules } from './file-rules'
import { RuleEditor } from './rule-editor'

/** The rules that answer by themselves; one can be made, and each changed and removed. */
export function ApprovalRules({ isShown }: { isShown: boolean }) {
  const rules = useApprovalRules()
  const [isAdding, setAdding] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  return (
    <div className="approvals-list scrolls" hidden={!isShown}>
      <section className="question-rules" aria-label="Questions">
        <div className="approvals-item approvals-lead">
          <div>
            <h3>Questions</h3>
            <p>
              A rule answers what is asked after it is made, whichever window it’s asked in. A rule that
              denies goes first. Plans, questions and forms always wait for you.
            </p>
            {rules.length === 0 && !isAdding ? (
              <p>No rules yet. Make one here, or answer with an option that adds one.</p>
            ) : null}
          </div>
          <Button
            ref={add}
            size="small"
            icon={<Plus />}
            aria-expanded={isAdding}
            onClick={() => setAdding(!isAdding)}
          >
            New rule
          </Button>
        </div>
        {isAdding ? (
          <div className="approvals-item" role="group" aria-label="New rule">
            <RuleEditor
              rule={null}
              save={(words) => attempt('approvals.addRule', words)}
              onEnd={() => {
                add.current?.focus()
                setAdding(false)
              }}
            />
          </div>
        ) : null}
        {rules.length > 0 ? (
          <ul aria-label="Rules">
            {rules.map((rule) => (
              <RuleItem key={rule.id} rule={rule} onRemove={() => add.current?.focus()} />
            ))}
          </ul>
        ) : null}
      </section>
      {isShown ? <FileRules /> : null}
      {isShown ? <AgentRules /> : null}
    </div>
  )
}

function RuleItem({ rule, onRemove }: { rule: ApprovalRule; onRemove: () => void }) {
  const [isEdited, setEdited] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const name = revealed(rule.pattern)
  const remove = async () => {
    if (await ask('approvals.removeRule', { id: rule.id })) onRemove()
  }
  return (
    <li className="approvals-item" aria-label={name}>
      <p>
        <RevealedText text={`${describeRule(rule)}:`} />
      </p>
      <pre className="approval-subject mono selectable" tabIndex={0} role="group" aria-label="Pattern">
        <RevealedText text={rule.pattern} />
      </pre>
      <div className="approval-buttons row">
        <Button
          ref={change}
          size="small"
          aria-label={`Change rule ${name}`}
          aria-expanded={isEdited}
          onClick={() => setEdited(!isEdited)}
        >
          Change
        </Button>
        <Button size="small" aria-label={`Remove rule ${name}`} onClick={() => void remove()}>
          Remove
        </Button>
      </div>
      {isEdited ? (
        <RuleEditor
          rule={rule}
          save={(words) => attempt('approvals.editRule', { id: rule.id, change: words })}
          onEnd={() => {
            change.current?.focus()
            setEdited(false)
          }}
        />
      ) : null}
    </li>
  )
}
