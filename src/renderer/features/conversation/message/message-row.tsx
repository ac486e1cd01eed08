import { ChevronLeft, ChevronRight, Pencil, RotateCcw } from 'lucide-react'
import { memo } from 'react'
import { shallow } from 'zustand/vanilla/shallow'
import { textOf, type Item, type Turn, speakerOf } from '../../../../shared/conversation/transcript'
import { AgentDot } from '../../../ui/labels/agent-dot'
import { CopyButton } from '../../../ui/controls/copy-button'
import { IconButton } from '../../../ui/controls/icon-button'
import { formatCost, formatNumber } from '../../../ui/wording/number-format'
import { TimeText } from '../../../ui/labels/time-text'
import { Tooltip } from '../../../ui/overlays/tooltip'
import { Blocks } from './blocks'
import { workFold } from './folds'
import { NoticeWords } from './notice-words'
import { useSurroundings } from '../surroundings'
import { describeTurn, describeUsage } from './turn-words'
import { WorkRow } from '../tools/work-row'

export interface MessageProps {
  item: Item
  /** It begins what its speaker says, so that the name stands above it. */
  isFirst: boolean
  /** The turn that ends with it; `partial`: not all of it is here yet. */
  turn: Turn | 'partial' | null
}

/** One message: who speaks, what was said, and at the end of a turn what it took. */
export const Message = memo(function Message({ item, isFirst, turn }: MessageProps) {
  const { density } = useSurroundings()
  return (
    <>
      {isFirst || item.branches || density === 'verbose' ? <MessageHead item={item} /> : null}
      {item.kind === 'notice' ? (
        <div data-part={item.id}>
          <NoticeWords notice={item} />
        </div>
      ) : item.kind === 'prompt' ? (
        <div className={`prompt prompt-${item.manner}`}>
          <Blocks item={item.id} blocks={item.blocks} isPlain />
        </div>
      ) : (
        <div className={`reply ${item.isError ? 'reply-error' : ''}`}>
          <ReplyBlocks item={item} />
        </div>
      )}
      <MessageTools item={item} />
      {turn ? <TurnEnd turn={turn} /> : null}
    </>
  )
}, isSameMessage)

/** A turn is summed up anew at each look. */
function isSameMessage(one: MessageProps, other: MessageProps): boolean {
  return one.item === other.item && one.isFirst === other.isFirst && shallow(one.turn, other.turn)
}

/** In a summary the tools of a reply are one line. */
function ReplyBlocks({ item }: { item: Extract<Item, { kind: 'reply' }> }) {
  const { density } = useSurroundings()
  if (density !== 'summary') return <Blocks item={item.id} blocks={item.blocks} />
  const said = item.blocks.filter(({ kind }) => kind !== 'tool' && kind !== 'thinking' && kind !== 'other')
  return (
    <>
      <Blocks item={item.id} blocks={said} />
      {item.blocks.some(({ kind }) => kind === 'tool') ? (
        <WorkRow id={workFold(item.id)} items={[item]} isInside />
      ) : null}
    </>
  )
}

function MessageHead({ item }: { item: Item }) {
  const { agent, density } = useSurroundings()
  if (item.kind === 'notice' && !item.branches) return null
  return (
    <header className="message-head row">
      {item.kind === 'reply' ? <AgentDot agent={agent} /> : null}
      <span className="message-speaker">{speakerOf(item, agent)}</span>
      {item.kind === 'prompt' && mannerWords[item.manner] !== '' ? (
        <span className="message-fact">{mannerWords[item.manner]}</span>
      ) : null}
      {item.at === null ? null : (
        <span className="message-fact">
          <TimeText at={item.at} />
        </span>
      )}
      {density === 'verbose' && item.kind === 'reply' ? <ReplyFacts item={item} /> : null}
      {item.branches ? <BranchSwitch ids={item.branches.ids} index={item.branches.index} /> : null}
    </header>
  )
}

const mannerWords = {
  typed: '',
  queued: 'while the agent worked',
  command: 'command',
  shell: 'in the shell',
  agent: 'to the sub-agent',
}

function ReplyFacts({ item }: { item: Extract<Item, { kind: 'reply' }> }) {
  const { model, usage, costUSD, stopReason } = item
  const facts = [
    model,
    usage && `${formatNumber(usage.output)} tokens`,
    costUSD === null ? null : formatCost(costUSD),
    stopReason,
  ].filter((fact) => fact !== null)
  if (facts.length === 0) return null
  const words = <span className="message-fact name">{facts.join(' · ')}</span>
  return usage ? <Tooltip content={describeUsage(usage)}>{words}</Tooltip> : words
}

/** Where the conversation forks: one way after the other. */
function BranchSwitch({ ids, index }: { ids: readonly string[]; index: number }) {
  const { actions } = useSurroundings()
  const go = (to: number) => {
    const id = ids[to]
    if (id !== undefined) actions.choose?.(id)
  }
  return (
    <span className="branches row" role="group" aria-label="Branches of this conversation">
      <IconButton
        label="Previous branch"
        icon={<ChevronLeft />}
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      />
      <span className="number">{`${index + 1}/${ids.length}`}</span>
      <IconButton
        label="Next branch"
        icon={<ChevronRight />}
        disabled={index >= ids.length - 1}
        onClick={() => go(index + 1)}
      />
    </span>
  )
}

/** What can be done with a message: at its corner, while it is pointed at or has the focus. */
function MessageTools({ item }: { item: Item }) {
  const { promptActs } = useSurroundings()
  const hasText = item.kind === 'notice' ? item.text !== '' : textOf(item.blocks).trim() !== ''
  const isSaid = item.kind === 'prompt' && (item.manner === 'typed' || item.manner === 'queued')
  const { edit, rewind } = isSaid ? promptActs : { edit: null, rewind: null }
  if (!hasText && !edit && !rewind) return null
  return (
    <span className="message-tools">
      {isSaid && rewind ? (
        <IconButton label="Rewind files to before this" icon={<RotateCcw />} onClick={() => rewind(item)} />
      ) : null}
      {isSaid && edit ? (
        <IconButton label="Edit and ask again" icon={<Pencil />} onClick={() => edit(item)} />
      ) : null}
      {hasText ? (
        <CopyButton
          label="Copy message"
          text={() => (item.kind === 'notice' ? item.text : textOf(item.blocks))}
        />
      ) : null}
    </span>
  )
}

function TurnEnd({ turn }: { turn: Turn | 'partial' }) {
  if (turn === 'partial') {
    // Its line is there already, so that nothing moves when the rest comes.
    return (
      <p className="turn-end aside number" aria-hidden="true">
        …
      </p>
    )
  }
  const parts = describeTurn(turn)
  if (parts.length === 0) return null
  const words = <span>{parts.join(' · ')}</span>
  return (
    <p className="turn-end aside number">
      {turn.usage ? <Tooltip content={describeUsage(turn.usage)}>{words}</Tooltip> : words}
    </p>
  )
}
