import type { ReviewSummary } from '../../../shared/contract/review'
import type { Tab } from '../../../shared/contract/tabs'
import { frameLayout } from '../window/frame-layout'
import { isUnderWay } from '../host/calls'
import { readMirror } from '../host/mirror'
import { type Approval, kindWords } from '../../../shared/approval/approval'
import { plainText } from '../../../shared/text/plain-text'
import { approvalsMirror, askedApprovals, showApproval } from '../approvals/approvals-mirror'
import { isQuestion } from '../../../shared/review/waiting'
import { showNextWaiting } from './next-review'
import { tell } from '../window/notices-mirror'
import { reviewsMirror } from './reviews-mirror'
import { showReview } from './shown-review'
import { tabsMirror } from '../tabs/tabs-mirror'
import { followTyping, isTyping } from '../tabs/text-work'

/**
 * What comes to the front of the reviews that have just got a tab and an approval that was just asked for. An open
 * question in front stays there, and so do the tabs of all reviews and of approvals; what no agent waits for (written
 * already, overdue, its agent gone) gives way to a question, and not to its like.
 */
export function comesToFront(
  fresh: readonly ReviewSummary[],
  approval: Approval | undefined,
  shown: Tab | undefined,
  inFront: ReviewSummary | undefined,
): { review: ReviewSummary } | { approval: Approval } | undefined {
  if (shown?.kind === 'reviews' || shown?.kind === 'approvals' || (inFront && isQuestion(inFront)))
    return undefined
  const question = fresh.find(isQuestion)
  if (question) return { review: question }
  if (approval) return { approval }
  return shown?.kind === 'review' || !fresh[0] ? undefined : { review: fresh[0] }
}

/** Calls by which the person goes to something else: until they are answered, the front is no longer what the tabs say. */
const choices = [
  'tabs.activate',
  'tabs.workOn',
  'tabs.step',
  'tabs.openFile',
  'tabs.openReview',
  'tabs.openReviews',
  'tabs.openSession',
  'tabs.openView',
  'tabs.openRendered',
  'tabs.openCompared',
  'tabs.reopen',
  'approvals.show',
] as const

/**
 * Brings a new review or approval to the front. Where another question is there, or the person is typing, it waits in
 * its tab and in the list. When the question in front ends without the person, the next one comes. The focus stays
 * where it is.
 */
export function runNewReviews(): void {
  // Nothing in the first snapshot is new: after a reload the window is as it was.
  let known: ReadonlySet<string> | null = null
  let knownApprovals: ReadonlySet<string> | null = null
  let asked: ReviewSummary | null = null
  // Others may arrive before the host shows it, and would take its place.
  let coming: string | null = null
  const look = () => {
    const state = readMirror(tabsMirror)
    const pending = readMirror(reviewsMirror)?.reviews
    if (!state || !pending || !readMirror(approvalsMirror)) return
    const approvals = askedApprovals()
    const freshApproval = approvals.find(({ id }) => knownApprovals?.has(id) === false)
    knownApprovals = new Set(approvals.map(({ id }) => id))
    const tabs = new Map(state.tabs.flatMap((tab) => (tab.kind === 'review' ? [[tab.review, tab.id]] : [])))
    // With many reviews they have no tabs of their own: questions are in the tab with all of them.
    const hasAll = state.tabs.some((tab) => tab.kind === 'reviews')
    // A tab may arrive before its review or after it; it is new once both are here.
    const reviews = pending.filter((review) => tabs.has(review.id) || (hasAll && isQuestion(review)))
    const shown = state.tabs.find(({ id }) => id === state.active)
    const isReviewing = shown?.kind === 'review' || shown?.kind === 'reviews'
    if (isReviewing) coming = null
    const inFrontId = shown?.kind === 'review' ? shown.review : coming
    const inFront = pending.find(({ id }) => id === inFrontId)

    const before = known
    const fresh = before === null ? [] : reviews.filter(({ id }) => !before.has(id))
    known = new Set(reviews.map(({ id }) => id))
    const was = asked
    asked = inFront && isQuestion(inFront) ? inFront : null
    const question = fresh.find(isQuestion)
    if (question && !isMiddleSeen()) tellOfReview(question)
    if (freshApproval && !isMiddleSeen()) tellOfApproval(freshApproval)
    if (isTyping()) return

    // Without open approvals their tab gives way like a file.
    const behind = shown?.kind === 'approvals' && approvals.length === 0 ? undefined : shown
    const front = comesToFront(fresh, freshApproval, behind, inFront)
    const isOver = was !== null && !reviews.some((review) => review.id === was.id && isQuestion(review))
    if (front && 'approval' in front) showApproval(front.approval.id, false)
    else if (front) {
      const { id } = front.review
      coming = id
      showReview(id, false, () => {
        if (coming === id) coming = null
      })
    } else if (isOver && (coming === was.id || !isUnderWay(choices))) showNextWaiting(was, false)
  }
  look()
  followTyping()
  tabsMirror.store.subscribe(look)
  reviewsMirror.store.subscribe(look)
  approvalsMirror.store.subscribe(look)
}

/** In a narrow window the middle may be hidden. */
function isMiddleSeen(): boolean {
  return document.querySelector('[data-pane="main"]')?.checkVisibility() ?? true
}

function tellOfReview({ id, agent, name }: ReviewSummary): void {
  tellOf(`${agent} proposes a change to ${name}.`, 'Show review', () => showReview(id, true))
}

function tellOfApproval({ id, question: { requester, kind } }: Approval): void {
  const sentence = `${plainText(requester.agent)} wants to ${kindWords[kind]}.`
  tellOf(sentence, 'Show approval', () => showApproval(id, true))
}

function tellOf(sentence: string, label: string, show: () => void): void {
  const run = () => {
    show()
    frameLayout.narrowView.set('main')
  }
  tell('info', sentence, { label, run })
}
