import { type RefObject, useEffect, useState } from 'react'
import { PressGuard } from '../../ui/browser/press-guard'

/** So much of the answers must be on the screen for them to be seen. */
const seenPart = 0.9

/**
 * The guard of a card, as long as it stands: its answers count once they have been seen, in one place, for a while.
 * Whatever changes the size of the card or of what it stands in makes them wait anew.
 */
export function usePressGuard(
  card: RefObject<HTMLElement | null>,
  answers: RefObject<HTMLElement | null>,
): { guard: PressGuard; isReady: boolean } {
  const [guard] = useState(() => new PressGuard())
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const [all, buttons] = [card.current, answers.current]
    if (!all || !buttons) return
    const hearing = guard.onChange(setReady)
    let isOnScreen = false
    const tell = () => guard.setVisible(isOnScreen && document.visibilityState === 'visible')
    const seeing = new IntersectionObserver(
      (entries) => {
        isOnScreen = (entries.at(-1)?.intersectionRatio ?? 0) >= seenPart
        tell()
      },
      { threshold: [0, seenPart, 1] },
    )
    seeing.observe(buttons)
    const sizes = new ResizeObserver(() => guard.restart())
    sizes.observe(all)
    sizes.observe(buttons)
    document.addEventListener('visibilitychange', tell)
    return () => {
      document.removeEventListener('visibilitychange', tell)
      seeing.disconnect()
      sizes.disconnect()
      guard.setVisible(false)
      hearing.dispose()
    }
  }, [guard, card, answers])
  return { guard, isReady }
}
