import { ChevronRight, Square, SquareCheck } from 'lucide-react'
import { memo, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { Hand } from '../../../commands/last-input'
import type { HostClient } from '../../../state/host/client'
import { setViewed, stateOf } from '../../../state/reviews/viewed-reviews'
import { Button } from '../../../ui/controls/button'
import { EmptyState } from '../../../ui/layout/empty-state'
import { announce } from '../../../ui/browser/live-region'
import { Skeleton } from '../../../ui/layout/skeleton'
import { TimeText } from '../../../ui/labels/time-text'
import { BinaryFacts } from '../binary-facts'
import { guessHeight, isLong } from './card-facts'
import { CardWatch } from './card-watch'
import type { NearCards } from './near-cards'
import type { Look } from '../text/draft-picture'
import { ReviewBars } from '../review-bars'
import { reviewAttribute } from '../review-commands'
import type { ReviewController } from '../review-controller'
import { Answers, Chips, NoteField, ReviewSubject, type ShownSession } from '../review-header'
import { ignoreHeldPress, useController, type Surroundings } from '../review-view'

/** What a card needs. */
export interface ReviewCardProps {
  client: HostClient
  review: ReviewSummary
  look: Look
  /** Whether the person has marked it as viewed. */
  isViewed: boolean
  /** It is the one that the page's filled button belongs to. */
  isCurrent: boolean
  /** Whether the list that it stands in is shown. */
  isShown: boolean
  /** Knows which cards need their texts; null until the list stands. */
  near: NearCards | null
  /** The card goes away with the focus in it. */
  onFocusGone: () => void
  onDecided: (review: ReviewSummary, hand: Hand) => void
}

/** A card that comes near waits so long for its text, in milliseconds: one that is only passed by needs none. */
const passingTime = 80

/**
 * One review among all: its head always, its text while it is near what is visible. A card in which the person has
 * worked keeps its text, and with it what can be undone.
 */
export const ReviewCard = memo(function ReviewCard(props: ReviewCardProps) {
  const { client, review, look, isViewed, isCurrent, isShown, near } = props
  const region = useRef<HTMLElement>(null)
  const height = useRef(guessHeight(review))
  const surroundings = useRef<Surroundings>({ announce, decided: props.onDecided })
  surroundings.current = { announce, decided: props.onDecided }

  // What it was when it came: a card does not fold because the draft has grown.
  const [isFoldedAtFirst] = useState(() => isLong(review))
  const [choice, setChoice] = useState<{ isFolded: boolean; state: string } | null>(null)
  const state = stateOf(review)
  const isFolded = choice?.state === state ? choice.isFolded : isViewed || isFoldedAtFirst
  const fold = (folds: boolean) => setChoice({ isFolded: folds, state })
  const [wasOpen, setWasOpen] = useState(!isFolded)
  if (!isFolded && !wasOpen) setWasOpen(true)

  const [isTouched, setTouched] = useState(false)
  const isNear = useNear(region, near, height)
  // Far away it is a name and a height: a thousand of them must cost little.
  const [wasNear, setWasNear] = useState(false)
  if ((isNear || isTouched) && !wasNear) setWasNear(true)
  const isAwake = wasOpen && (isNear || isTouched)
  const controller = useController(client, isAwake ? review.id : null, look, surroundings)
  const isSettled = useSettled(controller)
  const watch = useRef<CardWatch | null>(null)
  const [isNoting, setNoting] = useState(false)
  const touch = () => setTouched(true)
  useFocusGone(region, props.onFocusGone)

  return (
    <section
      ref={region}
      className="gl-review gl-card"
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
          <div className="gl-review-header">
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
              {controller ? <CardFacts controller={controller} /> : null}
            </ReviewSubject>
            {controller ? (
              <CardAnswers controller={controller} isFilled={isCurrent} onNote={() => setNoting(true)} />
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
              <span className="gl-card-viewed-word">Viewed</span>
            </button>
          </div>
          {isNoting && controller ? (
            <CardNote controller={controller} agent={review.agent} onEnd={() => setNoting(false)} />
          ) : null}
        </div>
      ) : (
        <h3 className="gl-card-far">{review.name}</h3>
      )}
      {controller && near ? (
        <CardContent
          controller={controller}
          look={look}
          isShown={isShown}
          isFolded={isFolded}
          region={region}
          scroller={near.scroller}
          watch={watch}
        />
      ) : null}
    </section>
  )
})

/** Whether a card is near what is visible; `height` learns how high it was when it no longer is. */
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

/** Whether a card's text stands and is as high as it will be: before, the guessed height must hold its place. */
function useSettled(controller: ReviewController | null): boolean {
  const [settled, setSettled] = useState<ReviewController | null>(null)
  useEffect(() => {
    if (!controller) return
    let frame = 0
    const look = () => {
      if (frame !== 0 || !shownSession(controller)) return
      // The editor finds out its height in the first frame.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => setSettled(controller))
      })
    }
    look()
    const stop = controller.store.subscribe(look)
    return () => {
      stop()
      cancelAnimationFrame(frame)
      setSettled(null)
    }
  }, [controller])
  return controller !== null && settled === controller
}

/** Tells when a card goes away with the focus in it, while there is still time to put the focus elsewhere. */
function useFocusGone(region: RefObject<HTMLElement | null>, onGone: () => void): void {
  const latest = useRef(onGone)
  latest.current = onGone
  useLayoutEffect(() => {
    const element = region.current
    return () => {
      if (element?.contains(document.activeElement)) latest.current()
    }
  }, [region])
}

const shownSession = (controller: ReviewController): ShownSession | null => {
  const { session } = controller.store.getState()
  return session.kind === 'text' || session.kind === 'binary' ? session : null
}

function CardFacts({ controller }: { controller: ReviewController }) {
  useStore(controller.store)
  const session = shownSession(controller)
  if (!session) return null
  return (
    <>
      <span className="gl-review-age">
        <TimeText at={session.summary.askedAt} />
      </span>
      <Chips summary={session.summary} session={session} />
    </>
  )
}

function CardAnswers({
  controller,
  isFilled,
  onNote,
}: {
  controller: ReviewController
  isFilled: boolean
  onNote: () => void
}) {
  const model = useStore(controller.store)
  const session = shownSession(controller)
  if (!session || !isAsking(session)) return null
  return (
    <Answers controller={controller} model={model} session={session} onNote={onNote} isFilled={isFilled} />
  )
}

function CardNote(props: { controller: ReviewController; agent: string; onEnd: () => void }) {
  useStore(props.controller.store)
  const session = shownSession(props.controller)
  return session && isAsking(session) ? <NoteField {...props} /> : null
}

const isAsking = ({ closed, summary }: ShownSession) =>
  closed === null && (summary.phase === 'open' || summary.phase === 'queued')

interface CardContentProps {
  controller: ReviewController
  look: Look
  isShown: boolean
  isFolded: boolean
  region: RefObject<HTMLElement | null>
  scroller: HTMLElement
  watch: RefObject<CardWatch | null>
}

function CardContent(props: CardContentProps) {
  const { controller, look, isShown, isFolded, region, scroller, watch } = props
  const model = useStore(controller.store)
  const { session } = model
  const place = useRef<HTMLDivElement>(null)
  const isText = session.kind === 'text'
  const isSeen = isShown && (isText || session.kind === 'binary')

  useLayoutEffect(() => {
    controller.setPlace(place.current)
    return () => controller.setPlace(null)
  }, [controller, isText])
  useEffect(() => controller.setLook(look), [controller, look])
  useEffect(() => {
    const card = region.current
    const head = card?.querySelector<HTMLElement>('.gl-review-top')
    const list = card?.parentElement
    if (!isSeen || !card || !head || !list) return
    const watching = new CardWatch(controller.guard, { scroller, list, card, head })
    watch.current = watching
    return () => {
      watch.current = null
      watching.dispose()
    }
  }, [controller, isSeen, region, scroller, watch])

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
          <div
            className="gl-review-body"
            ref={place}
            hidden={isFolded}
            aria-disabled={model.isReady ? undefined : true}
          />
        </>
      )
  }
}
