import { ChevronRight, GitBranch, SquareArrowOutUpRight } from 'lucide-react'
import { describe } from '../../ui/labels/description'
import type { DragEvent, MouseEvent, ReactNode } from 'react'
import type { GitHead } from '../../../shared/contract/git'
import type { TreeMark } from '../../state/files/git-mirror'
import { AgentDot } from '../../ui/labels/agent-dot'
import { FileIcon } from '../../ui/labels/file-icon'
import { plainName } from '../../ui/wording/plain-name'
import { lookOf } from './tree-mark'
import type { TreeRow } from './tree-rows'

interface TreeEntryProps {
  id: string
  row: Extract<TreeRow, { kind: 'entry' }>
  style: { transform: string; paddingLeft: number }
  is: { cursor: boolean; active: boolean; chosen: boolean; cut: boolean; dropped: boolean }
  /** The agent whose change of this file waits for review. */
  agent: string | undefined
  mark: TreeMark | null
  /** Its HEAD, if it is a git repository of its own. */
  repository: GitHead | null
  /** The field to rename it, in place of the name. */
  naming: ReactNode
  onClick: (event: MouseEvent) => void
  onDoubleClick: () => void
  onDragStart: (event: DragEvent) => void
  onDragEnd: () => void
  onDragOver: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
}

function describeRepository({ branch, commit }: GitHead): string {
  const where = branch === null ? (commit === null ? '' : `at ${commit}`) : `on ${plainName(branch)}`
  return `git repository of its own${where === '' ? '' : `, ${where}`}`
}

/** One file or folder of the tree. */
export function TreeEntry({
  id,
  row,
  style,
  is,
  agent,
  mark,
  repository,
  naming,
  ...events
}: TreeEntryProps) {
  const { entry, expanded } = row
  const look = mark ? lookOf(mark) : null
  const facts = [
    entry.symlink ? 'symbolic link' : '',
    repository ? describeRepository(repository) : '',
    look?.words ?? '',
    agent ? `change by ${agent} to review` : '',
    is.cut ? 'cut' : '',
  ]
  const description = describe(id, facts)
  const classes = [
    'list-row',
    is.cursor && 'list-cursor',
    is.active && 'tree-active',
    is.chosen && 'tree-chosen',
    is.cut && 'tree-cut',
    is.dropped && 'tree-drop',
    look && `tree-${look.tone}`,
  ]
  return (
    <div
      id={id}
      className={classes.filter(Boolean).join(' ')}
      role="treeitem"
      aria-label={entry.name}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={expanded ?? undefined}
      aria-selected={is.active || is.chosen}
      {...description.of}
      title={entry.name.length > 24 ? plainName(entry.name) : undefined}
      style={style}
      draggable={naming === null}
      {...events}
    >
      <span className="list-icon">
        {expanded === null ? (
          <FileIcon name={entry.name} />
        ) : (
          <ChevronRight className={expanded ? 'list-open' : ''} aria-hidden="true" />
        )}
      </span>
      {naming ?? (
        <span className="name" dir="auto">
          {plainName(entry.name)}
        </span>
      )}
      {entry.symlink ? <SquareArrowOutUpRight className="tree-link" aria-hidden="true" /> : null}
      {repository ? (
        <span className="tree-repository" title={describeRepository(repository)} aria-hidden="true">
          <GitBranch />
        </span>
      ) : null}
      {description.words}
      <span className="tree-signs row">
        {agent ? <AgentDot agent={agent} /> : null}
        {look && look.letter !== '' ? (
          <span className="tree-letter" title={look.words} aria-hidden="true">
            {look.letter}
          </span>
        ) : null}
      </span>
    </div>
  )
}
