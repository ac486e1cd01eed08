import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { Hand } from '../../state/window/last-input'
import type { ReviewSummary } from '../../../shared/contract/review'
import { send } from '../../state/host/calls'
import { useReview } from '../../state/reviews/reviews-mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { useAfterFirstFrame } from '../../ui/browser/first-frame'
import { EmptyState } from '../../ui/layout/empty-state'
import { Skeleton } from '../../ui/layout/skeleton'
import type { Look } from './text/draft-picture'
import { ReviewBars } from './review-bars'
import { ReviewComments } from './comments/review-comments'
import { holdDecisions, reviewAttribute, showController } from './review-commands'
import { type HearDecided, ReviewController } from './review-controller'
import { ReviewHeader } from './review-header'
import { shownSession } from './review-session'
import { ReviewTools } from './review-tools'
import { BinaryFacts } from './binary-facts'
import { useFocusReturn } from './focus-return'
import './review.css'
import './text/review-text.css'

/** What a review needs to be shown. */
export interface ReviewViewProps {
  reviewId: string
  /** Whether its tab is the one that is shown. */
  active: boolean
  /** Puts the focus where no key does harm: the review is gone, or the place that the focus came from. */
  onFocusLost?: () => void
  /**
   * Shows what comes after a review that the person has decided here, with the focus in it if `takesFocus`. Tells
   * whether anything comes; else the focus goes back where it was.
   */
  onDecided?: (review: ReviewSummary, takesFocus: boolean) => boolean
}

/** One proposed change of one file, to be read, decided and edited. Unmounting it decides nothing. */
export function ReviewView(props: ReviewViewProps) {
  // Another review is another view: nothing of the previous one may remain.
  return <OneReview key={props.reviewId} {...props} />
}

function OneReview({ reviewId, active, onFocusLost, onDecided }: ReviewViewProps) {
  const region = useRef<HTMLElement>(null)
  const focus = useFocusReturn(region, onFocusLost)
  const [look, changeLook] = useLook()
  const decided = (review: ReviewSummary, hand: Hand) => {
    // After a click the person goes on where they were; after a key they want the next review.
    const takesFocus = hand === 'keys' && focus.isHere()
    const goesOn = onDecided?.(review, takesFocus) ?? false
    if (takesFocus) holdDecisions()
    if (!goesOn || !takesFocus) focus.giveBack()
  }
  const controller = useController(reviewId, look, decided, true)
  const knownPath = useReview(reviewId, ({ path }) => path) ?? ''

  if (!controller) return <section className="gl-review fills" aria-label={`Review: ${knownPath}`} />
  return (
    <Shown
      controller={controller}
      region={region}
      look={look}
      onLook={changeLook}
      active={active}
      knownPath={knownPath}
    />
  )
}

interface ShownProps {
  controller: ReviewController
  region: React.RefObject<HTMLElement | null>
  look: Look
  onLook: (change: Partial<Look>) => void
  active: boolean
  knownPath: string
}

function Shown({ controller, region, look, onLook, active, knownPath }: ShownProps) {
  const model = useStore(controller.store)
  const { session } = model
  const content = shownSession(session)
  // What is not whole cannot be decided.
  const isShown = active && (session.kind === 'text' ? session.isWhole : content !== null)
  const isPainted = useAfterFirstFrame(content !== null)
  const isWhole = isPainted && model.picture?.isHead !== true
  // The buttons, too, must have been seen before they count.
  useVisibility(controller, region, isShown && isWhole)

  return (
    <section
      ref={region}
      className="gl-review fills"
      aria-label={`Review: ${content?.summary.path ?? knownPath}`}
      data-scope="review"
      // Without a text to go into, the review itself takes the keys.
      data-entrance={session.kind === 'binary' || session.kind === 'refused' ? '' : undefined}
      {...{ [reviewAttribute]: controller.session.client }}
      tabIndex={-1}
      onPointerDownCapture={(event) => controller.guard.begin(event.target)}
      onKeyDownCapture={ignoreHeldPress}
    >
      {session.kind === 'loading' ? (
        <div className="gl-review-loading">
          <Skeleton lines={12} progress={session.progress} />
        </div>
      ) : null}
      {session.kind === 'refused' ? (
        <EmptyState title="This review has ended.">Pending reviews are in the side bar.</EmptyState>
      ) : null}
      {content ? (
        <>
          <div role="group" aria-label="Answers" className="gl-review-top">
            <ReviewHeader controller={controller} model={model} session={content} isWhole={isWhole} />
            {session.kind === 'text' && isWhole ? (
              <ReviewTools controller={controller} model={model} look={look} onLook={onLook} />
            ) : null}
            {session.kind === 'text' && !isWhole ? <div className="gl-review-tools" /> : null}
          </div>
          <ReviewBars controller={controller} model={model} session={content} />
          {content.kind === 'text' && isWhole ? (
            <ReviewComments controller={controller} model={model} agent={content.summary.agent} />
          ) : null}
          {content.kind === 'text' ? (
            <div
              className="gl-review-body"
              ref={controller.setPlace}
              aria-disabled={model.isReady ? undefined : true}
            />
          ) : (
            <BinaryFacts session={content} />
          )}
        </>
      ) : null}
    </section>
  )
}

/** Keeps a key that is held down from pressing a button again and again. */
export function ignoreHeldPress(event: React.KeyboardEvent): void {
  const isPress = event.key === 'Enter' || event.key === ' '
  if (event.repeat && isPress && event.target instanceof HTMLButtonElement) event.preventDefault()
}

/** The controller of a review, made anew for another one; null at first, and while no review is wanted. */
export function useController(
  id: string | null,
  look: Look,
  onDecided: HearDecided,
  showsHead = false,
): ReviewController | null {
  const [controller, setController] = useState<ReviewController | null>(null)
  const latest = useRef({ look, onDecided })
  latest.current = { look, onDecided }
  // Before the first frame, so that it shows what the host answers at once.
  useLayoutEffect(() => {
    if (id === null) return
    const made = new ReviewController(
      id,
      latest.current.look,
      (review, hand) => latest.current.onDecided(review, hand),
      showsHead,
    )
    const shown = showController(made)
    const going = sendBeforeGoing(made)
    setController(made)
    return () => {
      going.dispose()
      shown.dispose()
      made.dispose()
      setController(null)
    }
  }, [id, showsHead])
  useEffect(() => controller?.setLook(look), [controller, look])
  return controller
}

/** Sends everything typed before the page is hidden or closed. */
function sendBeforeGoing({ session, comments }: ReviewController): Disposable {
  const flush = () => {
    session.flush()
    void comments.settle()
  }
  const leave = () => {
    session.leave()
    void comments.settle()
  }
  const rejoin = () => session.rejoin()
  // After `beforeunload` the person may still stay.
  window.addEventListener('beforeunload', flush)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', rejoin)
  document.addEventListener('visibilitychange', flush)
  return disposable(() => {
    window.removeEventListener('beforeunload', flush)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', rejoin)
    document.removeEventListener('visibilitychange', flush)
  })
}

/** The look from the settings. A change applies at once and is kept as a setting. */
export function useLook(): [Look, (change: Partial<Look>) => void] {
  const layout = useSetting('reviewLayout')
  const foldUnchanged = useSetting('reviewFoldUnchanged')
  const ignoreWhitespace = useSetting('reviewIgnoreWhitespace')
  const wrap = useSetting('reviewWrap')
  const [own, setOwn] = useState<Partial<Look>>({})
  const look = useMemo(
    () => ({ layout, foldUnchanged, ignoreWhitespace, wrap, ...own }),
    [layout, foldUnchanged, ignoreWhitespace, wrap, own],
  )
  const change = (part: Partial<Look>) => {
    setOwn((before) => ({ ...before, ...part }))
    send('settings.set', {
      ...(part.layout === undefined ? {} : { reviewLayout: part.layout }),
      ...(part.foldUnchanged === undefined ? {} : { reviewFoldUnchanged: part.foldUnchanged }),
      ...(part.ignoreWhitespace === undefined ? {} : { reviewIgnoreWhitespace: part.ignoreWhitespace }),
      ...(part.wrap === undefined ? {} : { reviewWrap: part.wrap }),
    })
  }
  return [look, change]
}

/** Tells the guard when the review's answers can be seen, and when the review has changed its size. */
function useVisibility(
  { guard }: ReviewController,
  region: React.RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useEffect(() => {
    const answers = region.current?.querySelector('.gl-review-top')
    if (!region.current || !answers || !isShown) return
    const sizes = guard.restartOnResize(region.current)
    const seeing = guard.follow(answers)
    return () => {
      seeing.dispose()
      sizes.dispose()
    }
  }, [guard, region, isShown])
}
