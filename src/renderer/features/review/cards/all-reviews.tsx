import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Hand } from '../../../state/window/last-input'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { nextReview } from '../../../state/reviews/next-review'
import { inOrder, usePendingReviews } from '../../../state/reviews/reviews-mirror'
import { readSetting } from '../../../state/settings/settings-mirror'
import { wantedCard } from '../../../state/reviews/shown-review'
import { isViewed, viewedMarks } from '../../../state/reviews/viewed-reviews'
import { EmptyState } from '../../../ui/layout/empty-state'
import { LineCounts } from '../../../ui/labels/line-counts'
import { useFailureLine } from '../list/failure-line'
import { countOf, formatNumber } from '../../../ui/wording/number-format'
import { Toolbar } from '../../../ui/controls/toolbar'
import { sumOf } from './card-facts'
import { decidableReviews, DecideAll } from '../list/decide-all'
import { useFocusReturn } from '../focus-return'
import { LookToggles } from '../look-toggles'
import { NearCards } from './near-cards'
import type { Look } from '../text/draft-picture'
import { ReviewCard } from './review-card'
import { enterReview } from '../review-commands'
import { useLook } from '../review-view'
import { ScrollKeeper } from './scroll-keeper'
import '../review.css'
import '../text/review-text.css'
import './all-reviews.css'

/** What the scroll of all reviews needs. */
export interface AllReviewsProps {
  /** Whether its tab is the one that is shown. */
  active: boolean
  /** Puts the focus where no key does harm: the scroll is gone, or the place that the focus came from. */
  onFocusLost?: () => void
}

/** All pending changes as cards in one scroll, oldest first. Unmounting it decides nothing. */
export function AllReviews({ active, onFocusLost }: AllReviewsProps) {
  const pending = usePendingReviews()
  const reviews = useMemo(() => inOrder(pending), [pending])
  const marks = viewedMarks.use()
  const [look, changeLook] = useLook()
  const region = useRef<HTMLElement>(null)
  const focus = useFocusReturn(region, onFocusLost)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const near = useNearCards(scroller)
  const [current, setCurrent] = useCurrent(reviews)

  const latest = useRef({ focus, reviews, scroller })
  latest.current = { focus, reviews, scroller }
  // The list gets it, not a card: a key meant for the card that is gone must not decide another.
  const keepFocus = useCallback(() => region.current?.focus({ preventScroll: true }), [])
  const goTo = useCallback(
    (review: string, takesFocus: boolean) => {
      const found = latest.current.scroller?.querySelector<HTMLElement>(`[data-card="${CSS.escape(review)}"]`)
      if (!found) return
      setCurrent(review)
      found.scrollIntoView({ block: 'start' })
      if (takesFocus) enterReview(found)
    },
    [setCurrent],
  )
  const goOn = useCallback(
    (decided: ReviewSummary, hand: Hand) => {
      const { focus: whereFocus, reviews: all } = latest.current
      const takesFocus = hand === 'keys' && whereFocus.isHere()
      const next = readSetting('reviewNextAfterDecision') ? nextReview(all, decided) : null
      if (next) goTo(next.id, takesFocus)
      // After a click the person goes on where they were; after a key they want the next review.
      if (!next || !takesFocus) whereFocus.giveBack()
    },
    [goTo],
  )
  const wanted = useStore(wantedCard)
  const isAny = reviews.length > 0
  useLayoutEffect(() => {
    if (wanted.review === null || !active || (scroller === null && isAny)) return
    wantedCard.setState({ review: null })
    goTo(wanted.review, wanted.takesFocus)
  }, [wanted, active, scroller, isAny, goTo])

  return (
    <section
      ref={region}
      className="gl-all fills"
      aria-label="All reviews"
      tabIndex={-1}
      data-holds-focus
      onFocus={(event) => {
        const card = event.target.closest<HTMLElement>('[data-card]')?.dataset['card']
        if (card !== undefined) setCurrent(card)
      }}
    >
      {reviews.length === 0 ? (
        <EmptyState title="Nothing to review">
          Proposed changes appear here before they’re written.
        </EmptyState>
      ) : (
        <>
          <Head
            reviews={reviews}
            viewed={reviews.filter((review) => isViewed(marks, review)).length}
            look={look}
            onLook={changeLook}
          />
          <div className="gl-all-scroll" ref={setScroller}>
            <div className="gl-cards">
              {reviews.map((review) => (
                <ReviewCard
                  key={review.id}
                  review={review}
                  look={look}
                  isViewed={isViewed(marks, review)}
                  isCurrent={review.id === current}
                  isShown={active}
                  near={near}
                  onFocusGone={keepFocus}
                  onDecided={goOn}
                />
              ))}
            </div>
          </div>
        </>
      )}
    </section>
  )
}

interface HeadProps {
  reviews: readonly ReviewSummary[]
  /** How many of them have been viewed. */
  viewed: number
  look: Look
  onLook: (change: Partial<Look>) => void
}

/** The totals, how the reviews are shown, and the answers to all of them. */
function Head({ reviews, viewed, look, onLook }: HeadProps) {
  const { files, added, removed } = sumOf(reviews)
  const [failure, fail] = useFailureLine()
  const decidable = decidableReviews(reviews)
  return (
    <>
      <div className="gl-all-head row">
        <h2 className="gl-all-sum">
          {/* A file can be asked about more than once. */}
          {files < reviews.length ? `${countOf(reviews.length, 'review')} of ` : ''}
          {countOf(files, 'file')} · <LineCounts added={added} removed={removed} />
        </h2>
        <span className="gl-all-viewed number">
          {formatNumber(viewed)} of {formatNumber(reviews.length)} viewed
        </span>
        <Toolbar label="All reviews">
          <LookToggles parts={['layout', 'wrap']} look={look} onLook={onLook} />
        </Toolbar>
        {decidable.length > 0 ? <DecideAll reviews={decidable} onFailure={fail} /> : null}
      </div>
      {failure}
    </>
  )
}

/** Knows which cards are near while the list is mounted, and keeps what is visible in place. */
function useNearCards(scroller: HTMLElement | null): NearCards | null {
  const [near, setNear] = useState<NearCards | null>(null)
  useEffect(() => {
    if (!scroller) return
    const made = new NearCards(scroller)
    const list = scroller.firstElementChild
    const keeper = list instanceof HTMLElement ? new ScrollKeeper(scroller, list) : null
    setNear(made)
    return () => {
      setNear(null)
      keeper?.dispose()
      made.dispose()
    }
  }, [scroller])
  return near
}

/**
 * The card that the person works in, or worked in last: the first one at the beginning, and when it is gone, the one
 * that took its place.
 */
function useCurrent(reviews: readonly ReviewSummary[]): [string | null, (id: string) => void] {
  const [chosen, setChosen] = useState<string | null>(null)
  const place = useRef(0)
  const index = reviews.findIndex((review) => review.id === chosen)
  const at = index >= 0 ? index : Math.min(place.current, reviews.length - 1)
  useEffect(() => {
    place.current = Math.max(0, at)
  }, [at])
  return [reviews[at]?.id ?? null, setChosen]
}
