import { ShieldQuestion } from 'lucide-react'
import { Button } from '../../../ui/controls/button'
import type { AskedApproval } from '../conversation'

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
    <div className="composer-reason composer-asked">
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
