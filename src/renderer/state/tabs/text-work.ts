/** For so long after a key in a text the person counts as typing there, in milliseconds. */
const pause = 5000

let lastKey = Number.NEGATIVE_INFINITY

/**
 * Whether the person is at work in a text: where the middle shows something else by itself, they lose what they type
 * in. They type, or answer a dialog; a cursor that merely rests in a text is no work. A terminal stays as it is, and so
 * do the tree and buttons.
 */
export function isTyping(): boolean {
  const focused = document.activeElement
  if (focused?.closest('[role="dialog"]')) return true
  return isInText(focused) && performance.now() - lastKey < pause
}

/** Notices from now on what is typed into texts. */
export function followTyping(): void {
  const hear = ({ target }: Event) => {
    if (target instanceof Element && isInText(target)) lastKey = performance.now()
  }
  // What is dictated or composed comes without keys.
  for (const kind of ['keydown', 'input']) window.addEventListener(kind, hear, { capture: true })
}

function isInText(element: Element | null): boolean {
  if (element === null || element.closest('.xterm') !== null) return false
  return element.closest('input, textarea, [contenteditable]:not([contenteditable="false"])') !== null
}
