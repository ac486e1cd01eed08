import { basename } from 'node:path'
import type { ReviewSummary } from '../../../shared/contract/review'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { ReviewDesk } from '../../core/review/desk'
import type { ReviewEnded } from '../../core/review/desk-events'
import type { WindowHost } from '../window-host'

/** Of files that an agent has written one after another the first get a tab; the others are in the list. */
const mostWrittenTabs = 3
/** Of drafts that no agent asks for any more, so many get a tab after a restart. */
const mostOrphanTabs = 3

/** A new review gets a tab in its window, a closed tab is a rejection, and what became of a review is told. */
export function connectDeskToWindows(desk: ReviewDesk, windows: () => readonly WindowHost[]): Disposable {
  const seen = new Set<string>()
  /** Those that an agent could be answered for when they were last looked at. */
  const asked = new Set<string>()
  /** Those that nobody can be answered for any more and nobody has worked on: their tabs go when they are out of sight. */
  const left = new Set<string>()
  /** Rejected by closing their tab, which is to be said. */
  const closed = new Set<string>()
  const listening = new Map<WindowHost, Disposable>()
  const owned = new DisposableStack()
  const windowWith = (id: string | null) => windows().find((window) => window.id === id)

  const follow = (window: WindowHost) => {
    if (listening.has(window)) return
    const closing = window.tabs.on((event) => {
      if (event.kind === 'changed' && left.size > 0) queueMicrotask(() => closeLeft(window))
      if (event.kind !== 'closed' || event.tab.kind !== 'review') return
      const { proposal } = event.tab
      if (desk.closeTab(proposal) === 'rejected') closed.add(proposal)
    })
    listening.set(window, closing)
    owned.add(closing)
  }

  const closeLeft = ({ tabs }: WindowHost) => {
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
    }
    if (seen.has(id) || summary.phase === 'queued') return
    seen.add(id)
    if (summary.effect === 'written' && tabsOf(desk, window, isWritten) >= mostWrittenTabs) return
    if (summary.phase === 'orphaned' && tabsOf(desk, window, isOrphan) >= mostOrphanTabs) return
    // Who has asked for many changes at once is shown them in one place.
    if (summary.dialect === 'search') return
    // Whether it comes to the front is the page's to say: it knows where the person is typing.
    window.tabs.openReview(id, summary.path, { activate: false })
  }

  const remove = (id: string) => {
    seen.delete(id)
    asked.delete(id)
    left.delete(id)
    for (const window of windows()) {
      const tab = window.tabs.findReview(id)
      if (tab) window.tabs.close(tab.id)
    }
  }

  let told: string | null = null
  const tellRecording = (problem: string | null) => {
    for (const { notices } of windows()) {
      for (const { id, text } of notices.list()) if (text === told) notices.dismiss(id)
      if (problem !== null) notices.add({ kind: 'error', text: problem })
      else notices.add({ kind: 'info', text: 'Decisions are recorded again.', passing: true })
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
          return tellEnd(event, windowWith(event.place.window), closed.delete(event.id))
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

const isWritten = ({ effect }: ReviewSummary) => effect === 'written'
const isOrphan = ({ phase }: ReviewSummary) => phase === 'orphaned'

function tabsOf(desk: ReviewDesk, window: WindowHost, is: (review: ReviewSummary) => boolean): number {
  return desk.summaries().filter((review) => is(review) && window.tabs.findReview(review.id)).length
}

function tellEnd(event: ReviewEnded, window: WindowHost | undefined, isByClosing: boolean): void {
  const name = basename(event.path)
  const undo = event.canUndo ? ({ kind: 'undo-review', label: 'Undo', review: event.id } as const) : null
  if (event.effect === 'written' && (event.end === 'confirmed' || event.end === 'rejected')) {
    const text = event.end === 'confirmed' ? `${name} kept.` : `${name} is as it was before.`
    window?.notices.add({ kind: 'info', text, action: undo, passing: true })
    return
  }
  switch (event.end) {
    case 'confirmed':
      window?.notices.add({
        kind: 'info',
        text: `${name} accepted and written.`,
        action: undo,
        passing: true,
      })
      return
    case 'kept':
      window?.notices.add({
        kind: 'info',
        text: `${name} written as your change.`,
        action: undo,
        passing: true,
      })
      return
    case 'diverged':
      window?.notices.add({
        kind: 'warning',
        text: `${name} now holds something else than what you accepted. Look at the file.`,
        action: { kind: 'open-file', label: 'Open file', path: event.path },
      })
      return
    case 'rejected':
      if (!isByClosing) return
      window?.notices.add({
        kind: 'info',
        text: `You closed the tab of ${name}, so its change was rejected.`,
        action: event.canReopen ? { kind: 'reopen-review', label: 'Undo', review: event.id } : null,
        passing: true,
      })
      return
    case 'answered-there':
      window?.notices.add({ kind: 'info', text: `${name} was answered in the terminal.`, passing: true })
      return
    default:
      return
  }
}
