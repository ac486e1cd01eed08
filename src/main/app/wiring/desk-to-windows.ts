import type { ReviewSummary } from '../../../shared/contract/review'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { isPersonsOwn } from '../../../shared/review/proposal'
import type { Tabs } from '../../core/editing/tabs'
import type { Notices } from '../../core/notices/notices'
import type { ReviewDesk } from '../../core/review/desk'
import { allReviews } from '../page/tab-handlers'
import type { ReviewEndNotices } from './review-end-notices'

/** A window that shows reviews and their ends. */
interface ReviewWindow {
  readonly id: string
  readonly tabs: Tabs
  readonly notices: Notices
  readonly endings: ReviewEndNotices
}

/** At most this many reviews of a kind get a tab each; more are in the one tab with all reviews. */
const mostTabs = 3
/** At most this many drafts that no agent waits for any more get a tab after a restart. */
const mostOrphanTabs = 3

/** A new review gets a tab in its window, closing the tab rejects it, and the person is told how each one ended. */
export function connectDeskToWindows(desk: ReviewDesk, windows: () => readonly ReviewWindow[]): Disposable {
  const seen = new Set<string>()
  /** Reviews whose agent could still be answered at the last look. */
  const asked = new Set<string>()
  /** Reviews that no agent waits for any more and nobody has worked on: their tabs close when they are out of sight. */
  const left = new Set<string>()
  /** Rejected by closing their tab, which the person is to be told. */
  const closed = new Set<string>()
  const followed = new Set<ReviewWindow>()
  const owned = new DisposableStack()
  const windowWith = (id: string | null) => windows().find((window) => window.id === id)

  const follow = (window: ReviewWindow) => {
    if (followed.has(window)) return
    followed.add(window)
    owned.add(
      window.tabs.on((event) => {
        if (event.kind === 'changed' && left.size > 0) queueMicrotask(() => closeLeft(window))
        if (event.kind !== 'closed' || event.tab.kind !== 'review') return
        const { proposal } = event.tab
        if (desk.closeTab(proposal) === 'rejected') closed.add(proposal)
      }),
    )
  }

  const closeLeft = ({ tabs }: ReviewWindow) => {
    for (const id of left) {
      const tab = tabs.findReview(id)
      if (!tab || tabs.shownOn(tab.side)?.id === tab.id) continue
      if (desk.summary(id)?.isTouched) left.delete(id)
      else tabs.close(tab.id)
    }
  }

  const show = (id: string) => {
    const summary = desk.summary(id)
    const window = windowWith(desk.placeOf(id)?.window ?? null)
    if (!summary || !window) return
    follow(window)
    if (summary.phase !== 'orphaned') asked.add(id)
    else if (asked.delete(id)) {
      left.add(id)
      closeLeft(window)
      closeEmpty(window)
    }
    if (seen.has(id) || summary.phase === 'queued') return
    seen.add(id)
    if (summary.phase === 'orphaned' && orphanTabsIn(window) >= mostOrphanTabs) return
    // Whoever asks for many changes at once sees them in one place.
    if (isPersonsOwn(summary)) return
    // Whether it comes to the front, the page decides: it knows where the person is typing.
    if (othersLike(summary, window) < mostTabs) openInOrder(summary, window)
    else if (summary.phase !== 'orphaned') window.tabs.openOther(allReviews, { activate: false })
  }

  const orphanTabsIn = ({ tabs }: ReviewWindow) =>
    desk.summaries().filter(({ id, phase }) => phase === 'orphaned' && tabs.findReview(id)).length

  /** How many other reviews are open in a window that, like this one, an agent or nobody waits for. */
  const othersLike = ({ id, effect }: ReviewSummary, window: ReviewWindow) =>
    openIn(window).filter(
      (other) => other.id !== id && (other.effect === 'written') === (effect === 'written'),
    ).length

  const openIn = (window: ReviewWindow) =>
    desk
      .summaries()
      .filter(
        (review) =>
          review.phase === 'open' && !isPersonsOwn(review) && desk.placeOf(review.id)?.window === window.id,
      )

  /** Tabs of reviews are in the order of the list, whichever was ready first. */
  const openInOrder = ({ id, path, askedAt }: ReviewSummary, { tabs }: ReviewWindow) => {
    const opened = tabs.find(tabs.openReview(id, path, { activate: false }))
    const mine = tabs.state.tabs.filter((tab) => tab.side === opened?.side)
    const later = mine.findIndex(
      (tab) => tab.kind === 'review' && (desk.summary(tab.proposal)?.askedAt ?? 0) > askedAt,
    )
    if (opened && later >= 0 && later < mine.indexOf(opened)) tabs.move(opened.id, later)
  }

  const remove = (id: string) => {
    seen.delete(id)
    asked.delete(id)
    left.delete(id)
    for (const window of windows()) {
      const tab = window.tabs.findReview(id)
      if (tab) window.tabs.close(tab.id)
      closeEmpty(window)
    }
  }

  /** The tab with all reviews closes with the last open one, unless somebody is looking at it. */
  const closeEmpty = (window: ReviewWindow) => {
    const all = window.tabs.state.tabs.find((other) => other.kind === 'other' && other.name === allReviews)
    if (all && openIn(window).length === 0 && window.tabs.shownOn(all.side)?.id !== all.id) {
      window.tabs.close(all.id)
    }
  }

  let told: string | null = null
  const tellRecording = (problem: string | null) => {
    for (const { notices } of windows()) {
      for (const { id, text } of notices.list()) if (text === told) notices.dismiss(id)
      if (problem !== null) notices.add({ kind: 'error', text: problem })
      else notices.add({ kind: 'info', text: 'Decisions are being recorded again.', passing: true })
    }
    told = problem
  }

  owned.add(
    desk.onChange((event) => {
      switch (event.kind) {
        case 'put':
          return show(event.id)
        case 'remove':
          return remove(event.id)
        case 'ended':
          return windowWith(event.place.window)?.endings.tell(event, closed.delete(event.id))
        case 'told':
          windowWith(event.place.window)?.notices.add({ kind: 'info', text: event.text, passing: true })
          return
        case 'recording':
          return tellRecording(event.problem)
        case 'decided':
          return
      }
    }),
  )
  return owned
}
