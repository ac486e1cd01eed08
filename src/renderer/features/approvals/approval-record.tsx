import type { ApprovalRecordEntry } from '../../../shared/approval/approval'
import { useApprovalRecord } from '../../state/approvals/approvals-mirror'
import { AgentDot } from '../../ui/labels/agent-dot'
import { TimeText } from '../../ui/labels/time-text'
import { EmptyState } from '../../ui/layout/empty-state'
import { RevealedText } from './revealed-text'

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
  if (entries.length === 0) return <EmptyState title="Nothing has been answered yet" />
  return (
    <ul className="approvals-list" aria-label="Record">
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
          {entry.said === null ? (
            <p className="approval-field-words">
              {[entry.tool, entry.folder].filter(Boolean).join(', ')} What was asked is not kept over a
              restart.
            </p>
          ) : (
            <pre className="approval-subject mono selectable" tabIndex={0} role="group" aria-label="Asked">
              <RevealedText text={entry.said.subject} />
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
