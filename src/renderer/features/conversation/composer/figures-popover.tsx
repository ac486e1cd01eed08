import { useEffect, useState } from 'react'
import type { ConversationFigures, LiveConversationState } from '../../../../shared/contract/conversations'
import type { Usage } from '../../../../shared/conversation/transcript'
import type { Result } from '../../../../shared/result'
import { Popover } from '../../../ui/overlays/popover'
import { Skeleton } from '../../../ui/layout/skeleton'
import { formatCost, formatNumber, formatTokens } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'
import './figures-popover.css'

/** From this part on the room in the model's context is scarce. */
const scarce = 0.8

interface Facts {
  context: LiveConversationState['context']
  usage: Usage | null
  costUSD: number | null
}

/** How full the context is and what the conversation has cost; all that is known of it at a press. */
export function FiguresPopover({
  figures,
  ...facts
}: Facts & { figures: (() => Promise<Result<ConversationFigures>>) | null }) {
  const { context, costUSD, usage } = facts
  const part = context && context.size > 0 ? Math.min(1, context.used / context.size) : null
  const percent = part === null ? null : Math.round(part * 100)
  const tokens =
    usage === null ? null : formatTokens(usage.input + usage.cacheRead + usage.cacheWrite + usage.output)
  if (percent === null && costUSD === null && tokens === null && figures === null) return null
  const label = [
    context && percent !== null
      ? `Context ${percent}% full, ${formatTokens(context.used)} of ${formatTokens(context.size)} tokens`
      : null,
    costUSD === null ? null : `cost ${formatCost(costUSD)}`,
    tokens === null ? null : `${tokens} tokens in all`,
  ]
    .filter((words) => words !== null)
    .join(', ')
  return (
    <Popover
      label="Usage"
      trigger={
        <button
          type="button"
          className={`composer-foot-button row number ${part !== null && part >= scarce ? 'gauge-scarce' : ''}`}
          aria-label={label === '' ? 'Usage' : label}
        >
          {part === null ? null : <Ring part={part} />}
          {percent === null ? null : <span>{`${percent}%`}</span>}
          {costUSD === null ? null : <span className="gauge-cost">{formatCost(costUSD)}</span>}
          {percent === null && costUSD === null ? <span>{tokens ?? 'Usage'}</span> : null}
        </button>
      }
    >
      <div className="popover-body figures column">
        <Table title={null} rows={rowsOf(facts)} />
        {figures === null ? null : <Asked figures={figures} />}
      </div>
    </Popover>
  )
}

function Ring({ part }: { part: number }) {
  const round = 2 * Math.PI * 6
  return (
    <svg className="gauge" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="6" className="gauge-used" strokeDasharray={`${part * round} ${round}`} />
    </svg>
  )
}

function rowsOf({ context, usage, costUSD }: Facts): ConversationFigures[number]['rows'] {
  const rows: ConversationFigures[number]['rows'] = []
  if (context)
    rows.push({
      label: 'Tokens in context',
      value: `${formatNumber(context.used)} of ${formatNumber(context.size)}`,
    })
  if (costUSD !== null) rows.push({ label: 'Cost', value: formatCost(costUSD) })
  if (usage) {
    rows.push(
      { label: 'Tokens in', value: formatNumber(usage.input) },
      { label: 'From the cache', value: formatNumber(usage.cacheRead) },
      { label: 'Into the cache', value: formatNumber(usage.cacheWrite) },
      { label: 'Tokens out', value: formatNumber(usage.output) },
    )
  }
  return rows
}

/** What the agent itself tells when it is asked. */
function Asked({ figures }: { figures: () => Promise<Result<ConversationFigures>> }) {
  const [answer, setAnswer] = useState<Result<ConversationFigures> | null>(null)
  useEffect(() => {
    let isOver = false
    void figures().then((told) => isOver || setAnswer(told))
    return () => {
      isOver = true
    }
  }, [figures])
  if (answer === null) return <Skeleton lines={4} />
  if (!answer.ok) return <p className="figures-fault">{answer.failure.message}</p>
  return answer.value.map(({ title, rows }) => <Table key={title} title={title} rows={rows} />)
}

function Table({ title, rows }: { title: string | null; rows: ConversationFigures[number]['rows'] }) {
  if (rows.length === 0) return null
  return (
    <section>
      {title === null ? null : <h3>{plainName(title)}</h3>}
      <dl>
        {rows.map(({ label, value }, index) => (
          <div key={index}>
            <dt>{plainName(label)}</dt>
            <dd className="number selectable">{plainName(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
