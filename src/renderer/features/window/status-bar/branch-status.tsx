import { GitBranch, GitCommitHorizontal } from 'lucide-react'
import type { GitHead } from '../../../../shared/contract/git'
import { useEffect } from 'react'
import { foldersOver, lookForRepositories, useGitHead } from '../../../state/files/git-mirror'
import { useLink } from '../../../state/host/link'
import { useActivePath } from '../../../state/tabs/tabs-mirror'
import { useWindow } from '../../../state/window/window-mirror'
import { countOf, formatNumber } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import { Tooltip } from '../../../ui/overlays/tooltip'

/** The branch of the active file, and its distance from its upstream. */
export function BranchStatus() {
  const path = useActivePath()
  const head = useGitHead(path)
  const { state } = useLink()
  useEffect(() => {
    if (path !== null && state === 'live') lookForRepositories(foldersOver(path))
  }, [path, state])
  // Known a little earlier, from .git/HEAD alone.
  const early = useWindow()?.branch ?? null
  const name = head ? (head.branch ?? head.commit ?? '') : early
  if (name === null || name === '') return null
  const { ahead = 0, behind = 0 } = head?.upstream ?? {}
  const isDetached = head !== null && head.branch === null
  return (
    <Tooltip content={describeHead(head, name)} side="top">
      <span className="status-branch row">
        {isDetached ? <GitCommitHorizontal aria-hidden="true" /> : <GitBranch aria-hidden="true" />}
        <span className="name">{plainName(name)}</span>
        {isDetached ? <span>detached</span> : null}
        {ahead > 0 ? <span aria-hidden="true">↑{formatNumber(ahead)}</span> : null}
        {behind > 0 ? <span aria-hidden="true">↓{formatNumber(behind)}</span> : null}
        {ahead + behind > 0 ? (
          <span className="unseen">
            , {describeDistance(head)} {plainName(head?.upstream?.name ?? '')}
          </span>
        ) : null}
      </span>
    </Tooltip>
  )
}

function describeHead(head: GitHead | null, name: string): string {
  if (!head) return `Branch ${plainName(name)}`
  if (head.branch === null) return `No branch: detached at commit ${name}`
  const start = `Branch ${plainName(name)}`
  if (!head.upstream) return head.commit === null ? `${start}, without commits` : start
  const { name: upstream } = head.upstream
  return `${start}, ${describeDistance(head)} ${plainName(upstream)}`
}

function describeDistance(head: GitHead | null): string {
  const { ahead = 0, behind = 0 } = head?.upstream ?? {}
  if (ahead + behind === 0) return 'level with'
  const parts = [
    ahead > 0 ? `${countOf(ahead, 'commit')} ahead` : '',
    behind > 0 ? `${countOf(behind, 'commit')} behind` : '',
  ]
  return `${parts.filter(Boolean).join(' and ')}${ahead > 0 && behind === 0 ? ' of' : ''}`
}
