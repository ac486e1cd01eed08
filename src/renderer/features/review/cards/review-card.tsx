import { ChevronRight, Square, SquareCheck } from 'lucide-react'
import { memo, useEffect, useRef, useState, type RefObject } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { setViewed, stateOf } from '../../../state/reviews/viewed-reviews'
import { Button } from '../../../ui/controls/button'
import { EmptyState } from '../../../ui/layout/empty-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { TimeText } from '../../../ui/labels/time-text'
import { BinaryFacts } from '../binary-facts'
import { guessHeight, isLong } from './card-facts'
import { CardWatch } from './card-watch'
import type { NearCards } from './near-cards'
import type { Look } from '../text/draft-picture'
import { ReviewComments } from '../comments/review-comments'
import { readNote } from '../note-drafts'
import { ReviewBars } from '../review-bars'
import { reviewAttribute } from '../review-commands'
import type { HearDecided, ReviewController, ReviewModel } from '../review-controller'
import { Answers, Chips, NoteField, ReviewSubject } from '../review-header'
import { isAsking, shownSession } from '../review-session'
import { ignoreHeldPress, useController } from '../review-view'
import { useFocusGone } from '../focus-return'

/** What a card needs. */
export interface ReviewCardProps {
  review: ReviewSummary
  look: Look
  /** Whether the person has marked it as viewed. */
  isViewed: boolean
  /** Its button is the filled one of the page. */
  isCurrent: boolean
  /** Whether its list is shown. */
  isShown: boolean
  /** Knows which cards need their texts; null until the list is mounted. */
  near: NearCards | null
  /** The card goes away with the focus in it. */
  onFocusGone: () => void
  onDecided: HearDecided
}

const noReview = createStore<ReviewModel | null>()(() => null)

/** How long a card must be near before it loads its text, in milliseconds: while scrolling past, it needs none. */
const passingTime = 80

/**
 * One review among all: its head always, its text while it is near the visible part. A card in which the person has
 * worked keeps its text, and with it what can be undone.
 */
export const ReviewCard = memo(function ReviewCard(props: ReviewCardProps) {
  const { review, look, isViewed, isCurrent, isShown, near } = props
  const region = useRef<HTMLElement>(null)
  const height = useRef(guessHeight(review))

  // As it was at first: a card does not fold because its draft has grown.
  const [isFoldedAtFirst] = useState(() => isLong(review))
  const [choice, setChoice] = useState<{ isFolded: boolean; state: string } | null>(null)
  const state = stateOf(review)
  const isFolded = choice?.state === state ? choice.isFolded : isViewed || isFoldedAtFirst
  const fold = (folds: boolean) => setChoice({ isFolded: folds, state })
  const [wasOpen, setWasOpen] = useState(!isFolded)
  if (!isFolded && !wasOpen) setWasOpen(true)

  const [isTouched, setTouched] = useState(false)
  const isNear = useNear(region, near, height)
  // Far away it is only a name and a height: a thousand of them must cost little.
  const [wasNear, setWasNear] = useState(false)
  if ((isNear || isTouched) && !wasNear) setWasNear(true)
  const isAwake = wasOpen && (isNear || isTouched)
  const controller = useController(isAwake ? review.id : null, look, props.onDecided)
  const model = useStore(controller?.store ?? noReview)
  const session = model && shownSession(model.session)
  const isSettled = useSettled(session !== null)
  const watch = useCardWatch(controller, region, near, isShown && session !== null)
  const [isNoting, setNoting] = useState(() => readNote(review.id) !== '')
  const touch = () => setTouched(true)
  useFocusGone(region, props.onFocusGone)

  return (
    <section
      ref={region}
      className="gl-review fills gl-card"
      aria-label={`Review: ${review.path}`}
      data-card={review.id}
      data-entrance={isCurrent ? '' : undefined}
      data-scope="review"
      {...(controller ? { [reviewAttribute]: controller.session.client } : {})}
      data-asleep={controller ? undefined : ''}
      data-folded={isFolded ? '' : undefined}
      data-viewed={isViewed ? '' : undefined}
      tabIndex={-1}
      style={isSettled || isFolded ? undefined : { minHeight: height.current }}
      onFocus={touch}
      onPointerDownCapture={(event) => {
        touch()
        watch.current?.look()
        controller?.guard.begin(event.target)
      }}
      onKeyDownCapture={ignoreHeldPress}
    >
      {wasNear ? (
        <div role="group" aria-label="Answers" className="gl-review-top">
          <div className="gl-review-header row">
            <button
              type="button"
              className="gl-card-fold"
              aria-label={`${isFolded ? 'Unfold' : 'Fold'} ${review.name}`}
              aria-expanded={!isFolded}
              title={isFolded ? 'Unfold' : 'Fold'}
              onClick={() => fold(!isFolded)}
            >
              <ChevronRight aria-hidden="true" />
            </button>
            <ReviewSubject summary={review} heading>
              {session ? (
                <>
                  <TimeText at={session.summary.askedAt} />
                  <Chips session={session} />
                </>
              ) : null}
            </ReviewSubject>
            {controller && session && isAsking(session) ? (
              <Answers
                controller={controller}
                model={model}
                session={session}
                onNote={() => setNoting(true)}
                isFilled={isCurrent}
              />
            ) : !wasOpen ? (
              <Button aria-label={`Show ${review.name}`} onClick={() => fold(false)}>
                Show
              </Button>
            ) : null}
            <button
              type="button"
              className="button button-quiet button-normal gl-card-viewed"
              role="checkbox"
              aria-checked={isViewed}
              aria-label={`Viewed ${review.name}`}
              onClick={() => {
                setViewed(review, !isViewed)
                fold(!isViewed)
              }}
            >
              {isViewed ? <SquareCheck aria-hidden="true" /> : <Square aria-hidden="true" />}
              <span>Viewed</span>
            </button>
          </div>
          {isNoting && controller && session ? (
            <NoteField controller={controller} session={session} onEnd={() => setNoting(false)} />
          ) : null}
        </div>
      ) : (
        <h3 className="gl-card-far">{review.name}</h3>
      )}
      {controller && model && near ? (
        <CardContent controller={controller} model={model} isFolded={isFolded} />
      ) : null}
    </section>
  )
})

/** Whether a card is near the visible part; `height` keeps its last height once it no longer is. */
function useNear(
  region: RefObject<HTMLElement | null>,
  near: NearCards | null,
  height: RefObject<number>,
): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!near || !region.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    const end = near.watch(region.current, (isNearNow, heightNow) => {
      clearTimeout(timer)
      if (!isNearNow) {
        setNear((before) => {
          if (before) height.current = heightNow
          return false
        })
      } else if (isFirst) setNear(true)
      else timer = setTimeout(() => setNear(true), passingTime)
      isFirst = false
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [near, region, height])
  return isNear
}

/** Whether a card's text is drawn at its final height. Before, the guessed height keeps its place. */
function useSettled(isThere: boolean): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!isThere) return
    // The editor finds out its height in the first frame.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setSettled(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      setSettled(false)
    }
  }, [isThere])
  return isThere && isSettled
}

/** Keeps the guard of a card's review informed while the card is seen. */
function useCardWatch(
  controller: ReviewController | null,
  region: RefObject<HTMLElement | null>,
  near: NearCards | null,
  isSeen: boolean,
): RefObject<CardWatch | null> {
  const watch = useRef<CardWatch | null>(null)
  useEffect(() => {
    const card = region.current
    const head = card?.querySelector<HTMLElement>('.gl-review-top')
    const list = card?.parentElement
    if (!isSeen || !controller || !near || !card || !head || !list) return
    const made = new CardWatch(controller.guard, { scroller: near.scroller, list, card, head })
    watch.current = made
    return () => {
      watch.current = null
      made.dispose()
    }
  }, [controller, isSeen, region, near])
  return watch
}

function CardContent({
  controller,
  model,
  isFolded,
}: {
  controller: ReviewController
  model: ReviewModel
  isFolded: boolean
}) {
  const { session } = model
  switch (session.kind) {
    case 'loading':
      return (
        <div className="gl-review-loading" hidden={isFolded}>
          <Skeleton lines={3} progress={session.progress} />
        </div>
      )
    case 'refused':
      return <EmptyState title="This review has ended." />
    case 'binary':
      return (
        <>
          <ReviewBars controller={controller} model={model} session={session} />
          {isFolded ? null : <BinaryFacts session={session} />}
        </>
      )
    case 'text':
      return (
        <>
          <ReviewBars controller={controller} model={model} session={session} />
          {isFolded ? null : (
            <ReviewComments controller={controller} model={model} agent={session.summary.agent} />
          )}
          <div
            className="gl-review-body"
            ref={controller.setPlace}
            hidden={isFolded}
            aria-disabled={model.isReady ? undefined : true}
          />
        </>
      )
  }
}
