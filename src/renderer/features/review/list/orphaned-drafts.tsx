import { useState, type ReactNode } from 'react'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { announce } from '../../../ui/browser/live-region'
import { Button } from '../../../ui/controls/button'
import { countOf } from '../../../ui/wording/number-format'
import { callForAll } from './call-for-all'
import { Confirmation } from './confirmation'

/** Drafts whose agent is gone, when there are several: one line for all of them, which opens to their list. */
export function OrphanedDrafts({
  drafts,
  children,
  onFailure,
}: {
  drafts: readonly ReviewSummary[]
  /** Their lines. */
  children: ReactNode
  onFailure: (sentence: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  // What was asked about is what is discarded: a draft that came or changed since is not in it.
  const [asked, setAsked] = useState<readonly ReviewSummary[] | null>(null)
  const title = `${countOf(drafts.length, 'draft')} without an agent`
  const discard = async (those: readonly ReviewSummary[]) => {
    setAsked(null)
    const result = await callForAll('review.discardAll', those)
    if (!result.ok) return onFailure(result.failure.message)
    const { done, left } = result.value
    const rest =
      left === 0
        ? ''
        : ` ${countOf(left, 'draft')} changed meanwhile and ${left === 1 ? 'is' : 'are'} still here.`
    announce(`Discarded ${countOf(done, 'draft')}.${rest}`)
  }
  const edited = asked?.filter(({ isTouched }) => isTouched).length ?? 0
  return (
    <section className="gl-group" aria-label={title}>
      <div className="gl-pending-line row">
        <span className="gl-pending-name">{title}</span>
      </div>
      {asked ? (
        <Confirmation
          question={`Discard ${countOf(asked.length, 'draft')}?`}
          details={`${edited === 0 ? 'You changed none of them.' : `You worked on ${edited} of them.`} No files are changed.`}
          verb={`Discard ${countOf(asked.length, 'draft')}`}
          onYes={() => void discard(asked)}
          onNo={() => setAsked(null)}
        />
      ) : (
        <div className="gl-group-buttons">
          <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide list' : 'Show list'}
          </Button>
          <Button size="small" variant="quiet" onClick={() => setAsked(drafts)}>
            Discard all
          </Button>
        </div>
      )}
      {isOpen ? <ul aria-label="Drafts without an agent">{children}</ul> : null}
    </section>
  )
}
