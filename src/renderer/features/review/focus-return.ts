import { useLayoutEffect, useRef, type RefObject } from 'react'
import { isInLayer } from '../../commands/layers'

/** Where a person is on the way to a review, or in one. */
const passing = '[data-scope~="review"], [data-holds-focus], [role="tablist"]'

/** What had the focus last outside of reviews. One for the page: it stays the same from review to review. */
let place: HTMLElement | null = null
let isFollowing = false

function follow(): void {
  if (isFollowing) return
  isFollowing = true
  remember(document.activeElement)
  document.addEventListener('focusin', (event) => remember(event.target))
}

function remember(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement) || target === document.body) return
  if (isInLayer(target) || target.closest(passing) || target.matches('[role="tabpanel"], [data-pane]')) return
  place = target
}

/** Where the focus goes when a region of reviews no longer needs it. */
export interface FocusReturn {
  /** Puts the focus back where the person was before the reviews, unless they have gone on to something else. */
  giveBack(): void
  /** Whether the focus is in the region, or went away with something in it. */
  isHere(): boolean
}

/**
 * Gives the focus back after a decision. When the region goes away with the focus in it, or the place from before is
 * gone, `onLost` puts it elsewhere: not back, for a terminal there would get what is being typed here.
 */
export function useFocusReturn(region: RefObject<HTMLElement | null>, onLost?: () => void): FocusReturn {
  useLayoutEffect(follow, [])
  useFocusGone(region, onLost)
  const isHere = () => {
    const now = document.activeElement
    // An element that goes away leaves the focus to the pane or panel around it.
    const isAround = now === null || now === document.body || now.matches('[data-pane], [role="tabpanel"]')
    return isAround || region.current?.contains(now) === true
  }
  return {
    giveBack() {
      if (!isHere()) return
      place?.focus({ preventScroll: true })
      if (place === null || document.activeElement !== place) onLost?.()
    },
    isHere,
  }
}

/** Hears when a region goes away with the focus in it, while there is still time to put the focus elsewhere. */
export function useFocusGone(region: RefObject<HTMLElement | null>, onGone?: () => void): void {
  const latest = useRef(onGone)
  latest.current = onGone
  useLayoutEffect(() => {
    const element = region.current
    return () => {
      if (element?.contains(document.activeElement)) latest.current?.()
    }
  }, [region])
}

/** As the ref of what has the focus at first, and not again when something around it changes. */
export function focusAtFirst(element: HTMLElement | null): void {
  element?.focus()
}

/** As the ref of a question that goes away with its answer: what is around it has the focus then. */
export function passFocusOn(question: HTMLElement | null): () => void {
  const around = question?.closest<HTMLElement>('[data-holds-focus], [data-pane]')
  return () => {
    // After React, which gives the focus back to whatever had it before, even where that is nothing.
    queueMicrotask(() => {
      if (document.activeElement === document.body) around?.focus({ preventScroll: true })
    })
  }
}
