import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus when another panel replaces the one that has it: the pane holds it, where keys do nothing, and the
 * element that had it gets it back with its panel, unless the focus has gone elsewhere.
 */
export function useFocusKept(panel: string | null): void {
  const left = useRef<{ panel: string; element: HTMLElement } | null>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    const hidden = focused?.closest('[role="tabpanel"][hidden]')
    const pane = hidden?.closest<HTMLElement>('[data-pane]')
    if (hidden && pane && focused instanceof HTMLElement) {
      left.current = { panel: hidden.id, element: focused }
      pane.tabIndex = -1
      pane.focus({ preventScroll: true })
      return
    }
    const isLost = focused === null || focused === document.body || focused.matches('[data-pane]')
    if (panel !== null && left.current?.panel === panel) {
      if (isLost) left.current.element.focus({ preventScroll: true })
      left.current = null
    }
  }, [panel])
}
