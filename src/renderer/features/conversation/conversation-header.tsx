import { Download, Ellipsis, Folder, GitBranch, Search } from 'lucide-react'
import { memo } from 'react'
import type { SessionFacts } from '../../../shared/conversation/transcript'
import { nameOfPath } from '../../../shared/text/path-name'
import { useKeyOf } from '../../commands/registry'
import { AgentDot } from '../../ui/labels/agent-dot'
import { Chip } from '../../ui/labels/chip'
import { Menu, MenuChoice, MenuGap, MenuHeading, MenuItem } from '../../ui/overlays/menu'
import { Toolbar, ToolbarButton } from '../../ui/controls/toolbar'
import { Tooltip } from '../../ui/overlays/tooltip'
import type { ConversationActions, ConversationState, DrivenFacts } from './conversation-state'
import { DrivenTools } from './driven-tools'
import type { Density } from '../../state/sessions/conversation-layout'
import { describeCosts, describeUsage } from './message/turn-words'

const densities: readonly (readonly [Density, string])[] = [
  ['summary', 'Summary: messages only'],
  ['normal', 'Normal: also tools, one line each'],
  ['verbose', 'Verbose: everything'],
]

/** What the conversation is, what it cost, and what can be done with it as a whole. Not drawn for what is said. */
export const ConversationHeader = memo(function ConversationHeader({
  title,
  agent,
  isReadOnly,
  facts,
  density,
  driven,
  actions,
  onFind,
}: Pick<ConversationState, 'title' | 'agent' | 'density'> & {
  isReadOnly: boolean
  /** Another object when they have changed. */
  facts: SessionFacts
  /** Null where Greenlight doesn't drive it. */
  driven: DrivenFacts | null
  actions: ConversationActions
  onFind: () => void
}) {
  const folder = facts.folder ?? facts.firstFolder
  return (
    <header className="conversation-header row">
      <AgentDot agent={agent} hollow={isReadOnly} />
      <h2 className="conversation-title name" dir="auto" title={title}>
        {title}
      </h2>
      <span className="conversation-facts row aside">
        {folder === null ? null : (
          <Tooltip content={folder}>
            <span>
              <Chip icon={<Folder />}>{nameOfPath(folder.replace(/[\\/]+$/, '')) || folder}</Chip>
            </span>
          </Tooltip>
        )}
        {facts.branch === null ? null : <Chip icon={<GitBranch />}>{facts.branch}</Chip>}
        {facts.model === null ? null : <span>{facts.model}</span>}
      </span>
      {/* Where Greenlight drives it, this stands beside the field. */}
      {driven ? null : <Total facts={facts} />}
      {driven && actions.driven ? <DrivenTools facts={driven} actions={actions.driven} /> : null}
      <Toolbar label="Conversation tools" className="conversation-tools">
        <ToolbarButton
          size="small"
          label="Find in conversation"
          icon={<Search />}
          keys={useKeyOf('conversation.find')}
          onClick={onFind}
        />
        <Menu
          align="end"
          trigger={<ToolbarButton size="small" label="More for this conversation" icon={<Ellipsis />} />}
        >
          <MenuHeading>Detail</MenuHeading>
          {densities.map(([each, words]) => (
            <MenuChoice
              key={each}
              checked={density === each}
              onCheckedChange={() => actions.setDensity(each)}
            >
              {words}
            </MenuChoice>
          ))}
          <MenuGap />
          <MenuItem icon={<Download />} onSelect={() => actions.exportAs('md')}>
            Export as Markdown …
          </MenuItem>
          <MenuItem icon={<Download />} onSelect={() => actions.exportAs('jsonl')}>
            Export as JSON lines …
          </MenuItem>
        </Menu>
      </Toolbar>
    </header>
  )
})

function Total({ facts: { usage, costUSD } }: { facts: SessionFacts }) {
  const parts = describeCosts(usage, costUSD)
  if (parts.length === 0) return null
  const words = <span className="conversation-total aside number">{parts.join(' · ')}</span>
  return usage === null ? words : <Tooltip content={`Total: ${describeUsage(usage)}`}>{words}</Tooltip>
}
