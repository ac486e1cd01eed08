import { useState, type ReactNode } from 'react'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { HostClient } from '../../../state/host/client'
import { Button } from '../../../ui/controls/button'
import { countOf } from '../../../ui/wording/number-format'
import { sentenceFor } from '../call-faults'

/** Drafts whose agent is gone, when there are several: one line for all of them, which opens to their list. */
export function OrphanedDrafts({
  client,
  drafts,
  children,
  onDone,
  onFailure,
}: {
  client: HostClient
  drafts: readonly ReviewSummary[]
  /** Their lines. */
  children: ReactNode
  onDone: (sentence: string) => void
  onFailure: (sentence: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  // What was asked about is what is discarded: a draft that came or changed since is not in it.
  const [asked, setAsked] = useState<readonly ReviewSummary[] | null>(null)
  const title = `${countOf(drafts.length, 'draft')} without an agent`
  const discard = async (those: readonly ReviewSummary[]) => {
    setAsked(null)
    try {
      const reviews = those.map(({ id, revision }) => ({ id, revision })).slice(0, 1000)
      const { done, left } = await client.call('review.discardAll', { reviews })
      const rest =
        left === 0
          ? ''
          : ` ${countOf(left, 'draft')} changed meanwhile and ${left === 1 ? 'is' : 'are'} still here.`
      onDone(`Discarded ${countOf(done, 'draft')}.${rest}`)
    } catch (error) {
      onFailure(sentenceFor(error))
    }
  }
  return (
    <section className="gl-group gl-orphans" aria-label={title}>
      <div className="gl-pending-line">
        <span className="gl-pending-name">{title}</span>
      </div>
      {asked ? (
        <Discarding drafts={asked} onYes={() => void discard(asked)} onNo={() => setAsked(null)} />
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
      {isOpen ? (
        <ul className="gl-pending-list" aria-label="Drafts without an agent">
          {children}
        </ul>
      ) : null}
    </section>
  )
}

/** Asked once more, with what would be lost. */
function Discarding({
  drafts,
  onYes,
  onNo,
}: {
  drafts: readonly ReviewSummary[]
  onYes: () => void
  onNo: () => void
}) {
  const question = `Discard ${countOf(drafts.length, 'draft')}?`
  const edited = drafts.filter(({ isTouched }) => isTouched).length
  return (
    <div
      className="gl-group-asking"
      role="group"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onNo()
      }}
    >
      <p>
        {question} {edited === 0 ? 'You changed none of them.' : `You worked on ${edited} of them.`} No files
        are changed.
      </p>
      <span className="gl-pending-buttons">
        <Button size="small" variant="danger" onClick={(event) => event.detail < 2 && onYes()}>
          Discard {countOf(drafts.length, 'draft')}
        </Button>
        <Button ref={(button) => button?.focus()} size="small" variant="quiet" onClick={onNo}>
          Cancel
        </Button>
      </span>
    </div>
  )
}
