import { GitPullRequestArrow } from 'lucide-react'
import { Button } from '../../../ui/controls/button'
import type { ConversationActions } from '../conversation-state'

/** The way from what waits for the person to where they decide it. */
export function OpenReview({ id, actions }: { id: string; actions: ConversationActions }) {
  return (
    <Button size="small" icon={<GitPullRequestArrow />} onClick={() => actions.openReview?.(id)}>
      Open review
    </Button>
  )
}
