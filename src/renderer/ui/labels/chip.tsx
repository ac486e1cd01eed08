import type { ReactNode } from 'react'
import './chip.css'

/** A few words about a thing's state, beside its name. */
export function Chip({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: 'plain' | 'accent' | 'added' | 'removed' | 'waiting'
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span className={`chip chip-${tone}`}>
      {icon}
      <span className="chip-words">{children}</span>
    </span>
  )
}
