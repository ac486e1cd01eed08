import { useId } from 'react'
import type { Approval } from '../../../shared/approval/approval'
import { plainText } from '../../../shared/text/plain-text'
import { AgentDot } from '../../ui/labels/agent-dot'
import { describe } from '../../ui/labels/description'
import { TimeText } from '../../ui/labels/time-text'
import { approvalName, approvalTitle } from './question-words'

/** An approval's line in the list of what waits. */
export function WaitingApproval({
  approval,
  isCurrent,
  onOpen,
}: {
  approval: Approval
  isCurrent: boolean
  onOpen: () => void
}) {
  const { question, askedAt, state } = approval
  const title = approvalTitle(question)
  const name = `${approvalName(question)}, ${question.requester.agent}`
  const isGone = state.kind === 'withdrawn'
  const description = describe(useId(), [isGone && 'Withdrawn'])
  return (
    <li aria-label={name}>
      {description.words}
      <button
        type="button"
        className="gl-pending-open"
        aria-label={name}
        aria-current={isCurrent ? 'true' : undefined}
        {...description.of}
        onClick={onOpen}
      >
        <span className="gl-pending-line row">
          <AgentDot agent={question.requester.agent} hollow={isGone} />
          <span className="name gl-pending-name">{title}</span>
        </span>
        <span className="gl-pending-line row gl-pending-more aside">
          <span className="name gl-pending-folder">
            {plainText(question.subject).replaceAll(/\s+/g, ' ')}
          </span>
          {isGone ? <span className="gl-pending-phase">Withdrawn</span> : null}
          <TimeText at={askedAt} />
        </span>
      </button>
    </li>
  )
}
