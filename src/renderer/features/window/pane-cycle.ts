/** What takes the focus in a pane that has not had it yet, the best first. */
const entrances = [
  '.panel-switch > [aria-pressed="true"]',
  '.xterm-helper-textarea',
  '.cm-content',
  '[role="tree"]',
  '[role="tab"][aria-selected="true"]',
]
const stops = 'select, button:not(:disabled), input:not(:disabled), a[href], [tabindex="0"]'

/** What had the focus and stands for another view than the one that is shown. */
const gone = '.panel-switch > [aria-pressed="false"]'

const lastFocused = new WeakMap<Element, HTMLElement>()

/** Remembers, for each pane, what had the focus in it. To be called on every focus change. */
export function rememberFocus(target: EventTarget | null): void {
  if (!(target instanceof HTMLElement)) return
  const pane = target.closest('[data-pane]')
  // The pane itself has the focus only as long as nothing in it can take it.
  if (pane && pane !== target) lastFocused.set(pane, target)
}

/** Puts the focus into the next pane that can be seen, or the previous one; round the end. */
export function cyclePanes(step: 1 | -1): void {
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
  const candidates = [
    ...(last && pane.contains(last) && !last.matches(gone) ? [last] : []),
    ...entrances.flatMap((query) => [...pane.querySelectorAll<HTMLElement>(query)]),
    ...pane.querySelectorAll<HTMLElement>(stops),
  ]
  for (const candidate of candidates) {
    if (!isReachable(candidate)) continue
    candidate.focus()
    if (document.activeElement === candidate) return true
  }
  return false
}

/** The pane of this name, where it stands. */
export function findPane(name: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-pane="${name}"]`)
}

function isReachable(element: HTMLElement): boolean {
  if (element.closest('[inert]')) return false
  // The terminal's own text field is as good as invisible and yet what takes its keys.
  const seen = element.matches('.xterm-helper-textarea') ? (element.closest('.xterm') ?? element) : element
  return seen.checkVisibility({ visibilityProperty: true })
}
