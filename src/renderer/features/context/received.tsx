import { useEffect, useReducer } from 'react'
import { AgentDot } from '../../ui/labels/agent-dot'
import { formatNumber } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { exactTime } from '../../ui/wording/relative-time'
import { TimeText } from '../../ui/labels/time-text'
import { Tooltip } from '../../ui/overlays/tooltip'
import type { Holder } from './holders'

/** "Claude · 12 s ago" for each holder; the words `nobody` where there is none. */
export function Received({ holders, nobody }: { holders: readonly Holder[]; nobody?: string }) {
  if (holders.length === 0)
    return nobody === undefined ? null : <span className="context-fact aside">{nobody}</span>
  return (
    <span className="context-holders aside">
      {holders.map(({ agent, at, count }) => (
        <span key={agent} className="context-holder row">
          <AgentDot agent={agent} />
          <span className="name">
            {plainName(agent)}
            {count > 1 ? ` × ${formatNumber(count)}` : ''}
          </span>
          <span aria-hidden="true">·</span>
          <SentAgo at={at} />
        </span>
      ))}
    </span>
  )
}

const minute = 60_000

/** A time in milliseconds since the epoch, with seconds for the first minute, then as everywhere else. */
export function SentAgo({ at }: { at: number }) {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  const age = Date.now() - at
  const isYoung = age < minute
  useEffect(() => {
    if (!isYoung) return
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [isYoung, at])
  if (!isYoung) return <TimeText at={at} />
  const seconds = Math.floor(age / 1000)
  return (
    <Tooltip content={exactTime(at)}>
      <time className="number" dateTime={new Date(at).toISOString()}>
        {seconds < 2 ? 'just now' : `${seconds} s ago`}
      </time>
    </Tooltip>
  )
}
