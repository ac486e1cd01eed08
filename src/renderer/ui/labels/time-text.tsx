import { useEffect, useReducer } from 'react'
import { exactTime, relativeTime, untilNextReading } from '../wording/relative-time'
import { Tooltip } from '../overlays/tooltip'

/** A moment as "2 min ago", kept up to date, with the exact time on hover. Milliseconds since the epoch. */
export function TimeText({ at }: { at: number }) {
  const [turn, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setTimeout(tick, untilNextReading(at, Date.now()))
    return () => clearTimeout(timer)
  }, [at, turn])
  return (
    <Tooltip content={exactTime(at)}>
      <time className="number" dateTime={new Date(at).toISOString()}>
        {relativeTime(at, Date.now())}
      </time>
    </Tooltip>
  )
}
