/** What takes the focus in a pane or in what a tab shows, the best first. */
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

/** What is only on the way: a tab leads to what it shows, and what holds a text has the focus until the text is there. */
const onTheWay = '[role="tab"], [role="tabpanel"], [data-holds-focus]'

/** What had the focus and stands for another view than the one that is shown. */
const gone = '.panel-switch > [aria-pressed="false"]'

const lastFocused = new WeakMap<Element, HTMLElement>()

/** Remembers, for each pane, what had the focus in it. To be called on every focus change. */
export function rememberFocus(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return
  const pane = target.closest('[data-pane]')
  // The pane itself has the focus only as long as nothing in it can take it.
  if (pane && pane !== target && !target.matches(onTheWay)) lastFocused.set(pane, target)
}

/**
 * Puts the focus into the next pane that can be seen, or the previous one; round the end. Where a pane only holds the
 * focus, first into that one.
 */
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

/** Puts the focus into a pane: where it was last, else where work is done in it. Tells whether something took it. */
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
 * Puts the focus into what a tab shows. While that is still on its way the panel has it, and gives it on when the text
 * comes, unless the person has gone elsewhere by then.
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

/** The pane of this name, where it stands. */
export function findPane(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-pane="${name}"]`)
}

function enterContent(panel: HTMLElement): boolean {
  return entrances.some((query) => [...panel.querySelectorAll<HTMLElement>(query)].some(takeFocus))
}

function takeFocus(element: HTMLElement): boolean {
  if (!isReachable(element)) return false
  // A text stands where it was left.
  element.focus({ preventScroll: element.matches('.cm-content') })
  return document.activeElement === element
}

function isReachable(element: HTMLElement): boolean {
  if (element.closest('[inert]')) return false
  // The terminal's own text field is as good as invisible and yet what takes its keys.
  const seen = element.matches('.xterm-helper-textarea') ? (element.closest('.xterm') ?? element) : element
  return seen.checkVisibility({ visibilityProperty: true })
}
