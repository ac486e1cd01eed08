import { memo, type ReactNode, type Ref } from 'react'
import { speakerOf, type Turn } from '../../../../shared/conversation/transcript'
import { exactTime } from '../../../ui/wording/relative-time'
import { isTurnOpen } from '../activity'
import type { ConversationState } from '../conversation-state'
import { GapRow } from './gap-row'
import { Message } from '../message/message-row'
import { describeLines, itemsOf, type Row, type Rows } from './rows'
import { LinesRow, WorkRow } from '../tools/work-row'

interface ListRowProps {
  state: ConversationState
  rows: Rows
  index: number
  /** Its distance from the list's beginning, in pixels. */
  start: number
  /** Tab leads here. */
  isStop: boolean
  /** All rows there are, are here: their number means something. */
  isWhole: boolean
  onFocus: (row: { key: string; index: number }) => void
  /** The end of the conversation is wanted. */
  onEnd: () => void
  /** What is not loaded before this row is asked for. */
  onLater: (row: number) => void
  ref: Ref<HTMLDivElement>
}

/** A row of the list, whatever it shows. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { state, rows, index, start, isStop, isWhole, onFocus, onEnd, onLater, ref } = props
  const row = rows.at(index)
  if (!row) return null
  const { transcript } = state
  return (
    <div
      ref={ref}
      className={`message message-${row.kind === 'item' ? (transcript.at(row.index)?.kind ?? '') : row.kind}`}
      role="article"
      aria-label={labelOf(row, state)}
      aria-posinset={isWhole ? index + 1 : undefined}
      aria-setsize={isWhole ? rows.length : undefined}
      data-index={index}
      tabIndex={isStop ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => onFocus({ key: row.key, index })}
    >
      <div className="message-column">
        {draw(row, state, rows.at(index - 1), { onEnd, onLater: () => onLater(index) })}
      </div>
    </div>
  )
})

function draw(
  row: Row,
  state: ConversationState,
  above: Row | undefined,
  gap: { onEnd: () => void; onLater: () => void },
): ReactNode {
  const { transcript, density } = state
  switch (row.kind) {
    case 'item': {
      const item = transcript.at(row.index)
      if (!item) return null
      // Lines of the file stand between without parting anything.
      const isApart = above?.kind === 'work' || above?.kind === 'gap'
      const before = isApart ? undefined : transcript.at(row.index - 1)
      const isFirst = item.kind === 'prompt' || (item.kind === 'reply' && before?.kind !== 'reply')
      const turn = endsTurn(state, row.index) ? turnOf(state, row.index) : null
      return <Message key={density} item={item} isFirst={isFirst} turn={turn} />
    }
    case 'work':
      return <WorkRow id={row.key} items={itemsOf(transcript, row.from, row.to)} />
    case 'lines':
      return <LinesRow id={row.key} lines={transcript.others.slice(row.from, row.to)} />
    case 'gap':
      return (
        <GapRow
          after={row.after}
          isLoading={state.history.kind === 'here' && state.history.earlier === 'loading'}
          {...gap}
        />
      )
  }
}

/** The turn of an item; `partial` where a part of it is not here, since then nothing is known of what it took. */
function turnOf(
  { transcript, history, gaps = [] }: ConversationState,
  index: number,
): Turn | 'partial' | null {
  const turn = transcript.turnAt(index)
  if (!turn) return null
  const from = transcript.indexOf(turn.id)
  const begin = transcript.at(from)
  const hasEarlier = history.kind !== 'here' || history.earlier !== 'none'
  if (from === 0 && begin?.kind !== 'prompt' && hasEarlier) return 'partial'
  const first = begin?.offset ?? 0
  const last = transcript.at(index)?.offset ?? 0
  return gaps.some(({ before }) => first < before && before <= last) ? 'partial' : turn
}

/** A turn ends before the next prompt, or where the agent has stopped. */
function endsTurn(state: ConversationState, index: number): boolean {
  const { transcript } = state
  const next = transcript.at(index + 1)
  if (next) return next.kind === 'prompt' && next.manner !== 'queued'
  return !isTurnOpen(state) && transcript.at(index)?.kind !== 'prompt'
}

function labelOf(row: Row, { transcript, agent }: ConversationState): string {
  switch (row.kind) {
    case 'item': {
      const item = transcript.at(row.index)
      if (!item) return agent
      const speaker = speakerOf(item, agent)
      return item.at === null ? speaker : `${speaker}, ${exactTime(item.at)}`
    }
    case 'work':
      return `${agent} worked`
    case 'lines':
      return describeLines(transcript.others.slice(row.from, row.to))
    case 'gap':
      return 'Messages not loaded'
  }
}
