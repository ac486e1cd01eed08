import { GitPullRequestArrow, ShieldQuestion } from 'lucide-react'
import { plainName } from '../../../ui/wording/plain-name'
import { Button } from '../../../ui/controls/button'
import { OpenReview } from '../tools/open-review'
import type { AskedApproval, AskedReview, ConversationActions } from '../conversation-state'

/** The agent waits for the person's answer: what for, and the way to where it is given. */
export function PendingApprovals({
  approvals: [first, ...others],
  agent,
  onShow,
}: {
  approvals: readonly AskedApproval[]
  agent: string
  onShow: (id: string) => void
}) {
  if (!first) return null
  return (
    <div className="composer-reason row composer-asked">
      <ShieldQuestion aria-hidden="true" />
      <span className="composer-asked-words one-line">
        {`${agent} wants to ${first.wants}`}
        {first.subject === '' ? null : (
          <>
            : <bdi className="mono">{first.subject}</bdi>
          </>
        )}
      </span>
      {others.length > 0 ? <span>{`and ${others.length} more`}</span> : null}
      <Button size="small" onClick={() => onShow(first.id)}>
        Show approval
      </Button>
    </div>
  )
}

/** The agent waits for the person's review: of what, and the way there. */
export function AskedReviews({
  reviews: [first, ...others],
  agent,
  actions,
}: {
  reviews: readonly AskedReview[]
  agent: string
  actions: ConversationActions
}) {
  if (!first) return null
  return (
    <div className="composer-reason row composer-asked">
      <GitPullRequestArrow aria-hidden="true" />
      <span className="composer-asked-words one-line">
        {`${agent} is waiting for your review of `}
        <bdi>{plainName(first.name)}</bdi>
      </span>
      {others.length > 0 ? <span>{`and ${others.length} more`}</span> : null}
      <OpenReview id={first.id} actions={actions} />
    </div>
  )
}
