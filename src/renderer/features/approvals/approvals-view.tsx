import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { Approval } from '../../../shared/approval/approval'
import { forgetAnswerDrafts } from '../../state/approvals/answer-drafts'
import { isAsked } from '../../../shared/approval/approval'
import { type ApprovalsPart, chosenApproval, useApprovals } from '../../state/approvals/approvals-mirror'
import { showNextWaiting } from '../../state/reviews/next-review'
import { keepFocusIn } from '../../ui/browser/kept-focus'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { EmptyState } from '../../ui/layout/empty-state'
import { formatNumber } from '../../ui/wording/number-format'
import { ApprovalCard } from './approval-card'
import { ApprovalRecord } from './approval-record-list'
import { ApprovalRules } from './approval-rules-list'
import './approvals.css'

const parts: readonly [ApprovalsPart, string][] = [
  ['waiting', 'Waiting'],
  ['rules', 'Rules'],
  ['record', 'Record'],
]

/** What agents ask beside changes, one at a time; the rules that answer by themselves; what was answered. */
export function ApprovalsView({ active }: { active: boolean }) {
  const approvals = useApprovals()
  const region = useRef<HTMLElement>(null)
  const chosen = useStore(chosenApproval)
  const { part } = chosen
  const waiting = approvals.filter(isAsked).length
  const shown = approvals.find(({ id }) => id === chosen.id) ?? approvals.find(isAsked) ?? approvals[0]
  useEffect(() => (region.current ? keepFocusIn(region.current, () => region.current) : undefined), [])
  useEffect(() => forgetAnswerDrafts(new Set(approvals.map(({ id }) => id))), [approvals])
  // What is shown stays shown, whatever comes before it.
  const shownId = shown?.id ?? null
  useEffect(() => {
    if (chosenApproval.getState().id !== shownId) chosenApproval.setState({ id: shownId })
  }, [shownId])
  useEffect(() => {
    if (!active || !chosen.takesFocus || chosen.id !== shownId) return
    chosenApproval.setState({ takesFocus: false })
    const card = region.current?.querySelector<HTMLElement>('.approval')
    ;(card ?? region.current)?.focus({ preventScroll: true })
  }, [active, chosen, shownId, part])

  const answered = (approval: Approval, byKeys: boolean) => {
    const focused = document.activeElement
    // The answered card goes before its answer is told: the person may already be in the next one, or elsewhere.
    const card = focused?.closest<HTMLElement>('.approval') ?? null
    if (card !== null && card.dataset['approval'] !== approval.id) return
    const isHere = region.current?.contains(focused) === true
    if (isHere) region.current?.focus({ preventScroll: true })
    showNextWaiting(approval, byKeys && (isHere || focused === document.body))
  }
  return (
    <section
      ref={region}
      className="approvals fills"
      aria-label="Approvals"
      tabIndex={-1}
      data-holds-focus
      data-entrance
    >
      <div className="approvals-head row">
        <div role="group" aria-label="What is shown" className="approvals-parts row">
          {parts.map(([name, label]) => (
            <Button
              key={name}
              size="small"
              variant={part === name ? 'plain' : 'quiet'}
              aria-pressed={part === name}
              onClick={() => chosenApproval.setState({ part: name })}
            >
              {name === 'waiting' && waiting > 0 ? `${label} (${formatNumber(waiting)})` : label}
            </Button>
          ))}
        </div>
        {part === 'waiting' && shown && approvals.length > 1 ? (
          <Steps approvals={approvals} shown={shown} />
        ) : null}
      </div>
      {/* What is typed of a rule stays while something else is looked at. */}
      <ApprovalRules isShown={part === 'rules'} />
      {part === 'rules' ? null : part === 'record' ? (
        <ApprovalRecord />
      ) : shown ? (
        <ApprovalCard key={shown.id} approval={shown} onAnswered={answered} />
      ) : (
        <EmptyState title="No agent is waiting for an answer">
          Commands, addresses, plans and questions that agents ask about appear here.
        </EmptyState>
      )}
    </section>
  )
}

function Steps({ approvals, shown }: { approvals: readonly Approval[]; shown: Approval }) {
  const at = approvals.findIndex(({ id }) => id === shown.id)
  const go = (by: number) => {
    const next = approvals[(at + by + approvals.length) % approvals.length]
    if (next) chosenApproval.setState({ id: next.id })
  }
  return (
    <div className="approvals-steps row">
      <span className="number">
        {formatNumber(at + 1)} of {formatNumber(approvals.length)}
      </span>
      <IconButton label="Previous approval" icon={<ChevronLeft />} onClick={() => go(-1)} />
      <IconButton label="Next approval" icon={<ChevronRight />} onClick={() => go(1)} />
    </div>
  )
}
