import { useState } from 'react'
import type { ApprovalRule } from '../../../shared/approval/approval'
import { describeRule } from '../../../shared/approval/approval-rule'
import { useApprovalRules } from '../../state/approvals/approvals-mirror'
import { ask } from '../../state/host/calls'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { RevealedText, revealed } from './revealed-text'

/** The rules that answer by themselves; each can be changed and removed. */
export function ApprovalRules() {
  const rules = useApprovalRules()
  const [edited, setEdited] = useState<string | null>(null)
  if (rules.length === 0) {
    return (
      <EmptyState title="No rules yet">
        “Always allow” and “Allow for this session” make one. It answers what is asked after that.
      </EmptyState>
    )
  }
  return (
    <ul className="approvals-list" aria-label="Rules">
      {rules.map((rule) => (
        <li key={rule.id} className="approvals-item" aria-label={revealed(rule.pattern)}>
          <p>
            <RevealedText text={`${describeRule(rule)}:`} />
          </p>
          {edited === rule.id ? (
            <RuleEditor rule={rule} onEnd={() => setEdited(null)} />
          ) : (
            <>
              <pre
                className="approval-subject mono selectable"
                tabIndex={0}
                role="group"
                aria-label="Pattern"
              >
                <RevealedText text={rule.pattern} />
              </pre>
              <div className="approval-buttons">
                <Button
                  size="small"
                  aria-label={`Change rule ${revealed(rule.pattern)}`}
                  onClick={() => setEdited(rule.id)}
                >
                  Change
                </Button>
                <Button
                  size="small"
                  aria-label={`Remove rule ${revealed(rule.pattern)}`}
                  onClick={() => void ask('approvals.removeRule', { id: rule.id })}
                >
                  Remove
                </Button>
              </div>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function RuleEditor({ rule, onEnd }: { rule: ApprovalRule; onEnd: () => void }) {
  const [pattern, setPattern] = useState(rule.pattern)
  const [denies, setDenies] = useState(rule.answer === 'deny')
  const [isEverywhere, setEverywhere] = useState(rule.folder === null)
  const [isEveryAgent, setEveryAgent] = useState(rule.agent === null)
  const save = async () => {
    const change = {
      pattern,
      answer: denies ? ('deny' as const) : ('allow' as const),
      folder: isEverywhere ? null : rule.folder,
      agent: isEveryAgent ? null : rule.agent,
    }
    if (await ask('approvals.editRule', { id: rule.id, change })) onEnd()
  }
  return (
    <div className="approval-form">
      <textarea
        className="field mono"
        aria-label="Pattern"
        rows={2}
        value={pattern}
        onChange={(event) => setPattern(event.target.value)}
      />
      <span className="approval-field-words">
        * stands for anything but what joins commands, such as ; | & or a new line; \* for a star.
      </span>
      <Check label="Deny instead of allow" checked={denies} onChange={setDenies} />
      {rule.folder === null ? null : (
        <Check label="In every folder" checked={isEverywhere} onChange={setEverywhere} />
      )}
      {rule.agent === null ? null : (
        <Check label="For every agent" checked={isEveryAgent} onChange={setEveryAgent} />
      )}
      <div className="approval-buttons">
        <Button size="small" disabled={pattern === ''} onClick={() => void save()}>
          Save rule
        </Button>
        <Button size="small" variant="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="approval-choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
