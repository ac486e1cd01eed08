import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** One quiet line that unfolds what stands behind it. */
export function FoldRow({
  icon,
  title,
  subject,
  facts,
  label,
  tone = 'plain',
  isOpen,
  onToggle,
  children,
}: {
  icon: ReactNode
  title: string
  /** What it is about, beside the title; cut at the end of the line. */
  subject?: string
  /** At the right edge. */
  facts?: ReactNode
  /** The accessible name: all that the line says, in words. */
  label: string
  tone?: 'plain' | 'failed' | 'waiting'
  isOpen: boolean
  onToggle: () => void
  /** Drawn only while it is unfolded. */
  children: () => ReactNode
}) {
  return (
    <div className={`fold fold-${tone}`} data-open={isOpen ? '' : undefined}>
      <button
        type="button"
        className="fold-line"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={onToggle}
      >
        <span className="fold-icon" aria-hidden="true">
          {icon}
        </span>
        <span className="fold-title">{title}</span>
        {subject === undefined || subject === '' ? null : <bdi className="fold-subject">{subject}</bdi>}
        {facts === undefined ? null : <span className="fold-facts">{facts}</span>}
        <ChevronRight className="fold-sign" aria-hidden="true" />
      </button>
      {isOpen ? <div className="fold-body">{children()}</div> : null}
    </div>
  )
}
