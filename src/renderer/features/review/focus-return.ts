import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'

/**
 * Remembers what had the focus before a region got it, and gives it back after a decision or when the region goes
 * away with the focus in it.
 */
export function useFocusReturn(
  region: RefObject<HTMLElement | null>,
  onLost?: () => void,
): { hear: (event: FocusEvent) => void; giveBack: () => void } {
  const before = useRef<HTMLElement | null>(null)
  const lost = useRef(onLost)
  lost.current = onLost

  const giveBack = () => {
    const now = document.activeElement
    const isElsewhere = now !== null && now !== document.body && !region.current?.contains(now)
    // Who has gone on to something else meanwhile is not called back.
    if (isElsewhere) return
    if (before.current?.isConnected) before.current.focus({ preventScroll: true })
    else lost.current?.()
  }
  const latest = useRef(giveBack)
  latest.current = giveBack

  useLayoutEffect(() => {
    const element = region.current
    return () => {
      if (element?.contains(document.activeElement)) latest.current()
    }
  }, [region])

  return {
    hear(event) {
      const from = event.relatedTarget
      // The pane around it only holds what something in it has lost.
      const isFromOutside =
        from instanceof HTMLElement &&
        !event.currentTarget.contains(from) &&
        !from.contains(event.currentTarget)
      if (isFromOutside) before.current = from
    },
    giveBack: () => latest.current(),
  }
}
