/** What can take the focus in a pane or a tab's content, the best first. */
const entrances = [
  '[data-entrance]',
  '.panel-switch > [aria-pressed="true"]',
  '.xterm-helper-textarea',
  '.cm-content:not([tabindex="-1"])',
  '.cm-content',
  '[role="tree"]',
  'textarea:not(:disabled)',
]
const stops = 'select, button:not(:disabled), input:not(:disabled), a[href], [tabindex="0"]'

/** Not remembered as the last focus: a tab leads to its content, and a holder has the focus only until its text is there. */
const onTheWay = '[role="tab"], [role="tabpanel"], [data-holds-focus]'

/** The switch of a view that is no longer shown, though it had the focus. */
const gone = '.panel-switch > [aria-pressed="false"]'

const lastFocused = new WeakMap<Element, HTMLElement>()

/** Remembers what last had the focus in each pane. Call it on every focus change. */
export function rememberFocus(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return
  const pane = target.closest('[data-pane]')
  // The pane itself has the focus only while nothing in it can take it.
  if (pane && pane !== target && !target.matches(onTheWay)) lastFocused.set(pane, target)
}

/** Moves the focus to the next or previous visible pane, round the end. A pane that itself has the focus comes first. */
export function cyclePanes(step: 1 | -1): void {
  const holding = document.activeElement
  if (holding instanceof HTMLElement && holding.matches('[data-pane]') && enterPane(holding)) return
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(isReachable)
  if (panes.length === 0) return
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  for (let count = 1; count <= panes.length; count++) {
    const from = at < 0 && step < 0 ? 0 : at
    const pane = panes[(from + step * count + panes.length * 2) % panes.length]
    if (pane && enterPane(pane)) return
  }
}

/** Moves the focus into a pane: where it was last, else to its best entrance. Gives whether something took it. */
export function enterPane(pane: HTMLElement): boolean {
  const last = lastFocused.get(pane)
  if (last && pane.contains(last) && !last.matches(gone) && takeFocus(last)) return true
  const panel = pane.querySelector<HTMLElement>(
    '.tab-area:not(.tab-area-behind) [role="tabpanel"]:not([hidden])',
  )
  if (panel) {
    enterPanel(panel)
    return true
  }
  const candidates = [
    ...entrances.flatMap((query) => [...pane.querySelectorAll<HTMLElement>(query)]),
    ...pane.querySelectorAll<HTMLElement>(stops),
  ]
  return candidates.some(takeFocus)
}

/**
 * Moves the focus into a tab's content. While that is loading the panel has the focus and passes it on once the content
 * is there, unless the person has gone elsewhere.
 */
export function enterPanel(panel: HTMLElement): void {
  if (enterContent(panel)) return
  panel.focus({ preventScroll: true })
  const seeing = new MutationObserver(() => {
    if (document.activeElement !== panel || enterContent(panel)) seeing.disconnect()
  })
  const attributeFilter = ['data-entrance', 'hidden', 'tabindex']
  seeing.observe(panel, { childList: true, subtree: true, attributeFilter })
  panel.addEventListener('blur', () => seeing.disconnect(), { once: true })
}

/** The pane of this name, if it is in the page. */
export function findPane(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-pane="${name}"]`)
}

function enterContent(panel: HTMLElement): boolean {
  return entrances.some((query) => [...panel.querySelectorAll<HTMLElement>(query)].some(takeFocus))
}

function takeFocus(element: HTMLElement): boolean {
  if (!isReachable(element)) return false
  // A text stays scrolled to where it was left.
  element.focus({ preventScroll: element.matches('.cm-content') })
  return document.activeElement === element
}

function isReachable(element: HTMLElement): boolean {
  if (element.closest('[inert]')) return false
  // The terminal's text field takes its keys but is invisible; the terminal around it counts.
  const seen = element.matches('.xterm-helper-textarea') ? (element.closest('.xterm') ?? element) : element
  return seen.checkVisibility({ visibilityProperty: true })
}
