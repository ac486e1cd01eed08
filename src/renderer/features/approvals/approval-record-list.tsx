import type { ApprovalRecordEntry, ApprovalRule } from '../../../shared/approval/approval'
import { describeRule } from '../../../shared/approval/approval-rule'
import { useApprovalRecord, useApprovalRules } from '../../state/approvals/approvals-mirror'
import { AgentDot } from '../../ui/labels/agent-dot'
import { TimeText } from '../../ui/labels/time-text'
import { EmptyState } from '../../ui/layout/empty-state'
import { RevealedText, revealed } from '../../ui/labels/revealed-text'

const kinds: Record<ApprovalRecordEntry['kind'], string> = {
  run: 'Run a command',
  fetch: 'Fetch an address',
  plan: 'Follow a plan',
  question: 'A question',
  other: 'Use a tool',
}
const outcomes: Record<ApprovalRecordEntry['outcome'], string> = {
  allowed: 'Allowed',
  denied: 'Denied',
  withdrawn: 'Withdrawn',
  refused: 'Refused',
}
const answerers: Record<ApprovalRecordEntry['by'], string> = {
  person: ' by you',
  rule: ' by a rule',
  elsewhere: ', answered elsewhere',
  app: '',
}

/** What was answered and by whom, the latest first. */
export function ApprovalRecord() {
  const entries = useApprovalRecord()
  const rules = useApprovalRules()
  if (entries.length === 0) return <EmptyState title="Nothing has been answered yet" />
  return (
    <div className="approvals-list scrolls">
      <p className="approvals-item approvals-lead">
        The commands, addresses, plans and reasons themselves may hold secrets, so they are never written to
        the disk: they are shown here until Greenlight quits. The rest stays.
      </p>
      <ul aria-label="Record">
        {entries.map((entry) => (
          <li key={`${entry.id} ${entry.at}`} className="approvals-item">
            <p className="approvals-entry">
              <AgentDot agent={entry.agent} hollow />
              <span>
                <RevealedText text={entry.agent} />: {kinds[entry.kind]}
              </span>
              <strong>
                {outcomes[entry.outcome]}
                {answerers[entry.by]}
              </strong>
              <TimeText at={entry.at} />
            </p>
            <p className="field-words column aside">
              <RevealedText text={factsOf(entry, rules)} />
            </p>
            {entry.said === null ? null : (
              <pre className="approval-subject mono selectable" tabIndex={0} role="group" aria-label="Asked">
                <RevealedText text={entry.said.subject} />
              </pre>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** With which words it was answered or by which rule, with which tool, and where. */
function factsOf(
  { said, by, rule: id, tool, folder }: ApprovalRecordEntry,
  rules: readonly ApprovalRule[],
): string {
  const rule = rules.find((one) => one.id === id)
  const words = rule ? `${describeRule(rule)}: ${rule.pattern}` : 'The rule has been removed'
  const answer = by === 'rule' ? words : said?.option
  return [answer && revealed(answer), tool, folder].filter(Boolean).join(' · ')
}
