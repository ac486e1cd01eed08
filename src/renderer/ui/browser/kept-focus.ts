/** What is pressed; a text keeps its own place. */
const pressed = 'button, [role="switch"]'

/** Where the focus may go on: to one of the buttons in it, by the index of the one that had it, or to itself. */
interface Place {
  within: HTMLElement
  index: number | null
}

/**
 * For a region whose buttons go away, or are switched off, when they are pressed: the focus goes to what else the same
 * list item can do, else to what around it can have the focus, else to the heir. Only a focus that would be nowhere is
 * moved. Ends with the function that it gives.
 */
export function keepFocusIn(region: HTMLElement, heir: () => HTMLElement | null): () => void {
  let held: { button: HTMLElement; places: readonly Place[] } | null = null
  const isLost = ({ button }: { button: HTMLElement }) => !button.isConnected || button.matches(':disabled')
  const see = () => {
    if (held === null || !isLost(held)) return
    const { button, places } = held
    forget()
    const now = document.activeElement
    if (now !== null && now !== document.body && now !== button) return
    const next = places.map(elementAt).find((element) => element !== null) ?? heir()
    next?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(see)
  const forget = () => {
    held = null
    observer.disconnect()
  }
  const hear = ({ target }: FocusEvent) => {
    forget()
    if (!(target instanceof HTMLElement) || !target.matches(pressed) || !region.contains(target)) return
    held = { button: target, places: placesOf(target, region) }
    // Only while a button has the focus, so that what streams costs nothing more while one types.
    observer.observe(region, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  }
  // Whoever leaves a button that stays has gone by themselves.
  const leave = () => {
    const left = held
    queueMicrotask(() => left !== null && left === held && !isLost(left) && forget())
  }
  document.addEventListener('focusin', hear)
  region.addEventListener('focusout', leave)
  return () => {
    forget()
    document.removeEventListener('focusin', hear)
    region.removeEventListener('focusout', leave)
  }
}

function placesOf(button: HTMLElement, region: HTMLElement): Place[] {
  const item = button.closest<HTMLElement>('li')
  const around = button.parentElement?.closest<HTMLElement>('[tabindex]')
  return [
    ...(item && region.contains(item) ? [{ within: item, index: buttonsIn(item).indexOf(button) }] : []),
    ...(around && region.contains(around) ? [{ within: around, index: null }] : []),
  ]
}

function elementAt({ within, index }: Place): HTMLElement | null {
  if (!within.isConnected) return null
  if (index === null) return within
  const buttons = buttonsIn(within)
  const isOn = (button: HTMLElement) => !button.matches(':disabled')
  // The one before, for what comes last in a row is what takes something away.
  return buttons.slice(0, index).findLast(isOn) ?? buttons.find(isOn) ?? null
}

function buttonsIn(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(pressed)]
}
