import { formatNumber } from '../wording/number-format'
import './badge.css'

/** A small count on an icon or behind a word; nothing for zero. Say the count in the name beside it as well. */
export function Badge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="badge number" aria-hidden="true">
      {count > 99 ? '99+' : formatNumber(count)}
    </span>
  )
}
