import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFold } from './folds'

/** One quiet line that unfolds what stands behind it. */
export function FoldRow({
  id,
  isOpenAtFirst = false,
  icon,
  title,
  subject = '',
  facts,
  label = title,
  tone = 'plain',
  children,
}: {
  /** What the fold is remembered by. */
  id: string
  isOpenAtFirst?: boolean
  icon: ReactNode
  title: string
  /** What it is about, beside the title; cut at the end of the line. */
  subject?: string
  /** At the right edge. */
  facts?: ReactNode
  /** The accessible name: all that the line says, in words. */
  label?: string
  tone?: 'plain' | 'failed' | 'waiting'
  /** Drawn only while it is unfolded. */
  children: () => ReactNode
}) {
  const [isOpen, setOpen] = useFold(id, isOpenAtFirst)
  return (
    <div className={`fold fold-${tone}`} data-open={isOpen ? '' : undefined}>
      <button
        type="button"
        className="fold-line row"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="fold-icon" aria-hidden="true">
          {icon}
        </span>
        <span className="fold-title one-line">{title}</span>
        {subject === '' ? null : <bdi className="fold-subject one-line">{subject}</bdi>}
        {facts === undefined ? null : <span className="fold-facts row">{facts}</span>}
        <ChevronRight className="fold-sign" aria-hidden="true" />
      </button>
      {isOpen ? <div className="fold-body column">{children()}</div> : null}
    </div>
  )
}
