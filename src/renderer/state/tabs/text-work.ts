/** How long after a key in a text the person counts as typing there, in milliseconds. */
const pause = 5000

let lastKey = Number.NEGATIVE_INFINITY

/**
 * Whether the person is typing: if the middle then switched to something else by itself, they would lose the place they
 * type in. Answering a dialog counts; a cursor that merely rests in a text doesn't. A terminal isn't replaced, and
 * neither are the tree and buttons.
 */
export function isTyping(): boolean {
  const focused = document.activeElement
  if (focused?.closest('[role="dialog"]')) return true
  return isInText(focused) && performance.now() - lastKey < pause
}

/** Whether the focus is in a text field in which something is written. */
export function isInWords(): boolean {
  const field = document.activeElement
  const isText =
    field instanceof HTMLInputElement ? field.type === 'text' : field instanceof HTMLTextAreaElement
  return isText && isInText(field) && (field as HTMLInputElement).value.trim() !== ''
}

/** Watches from now on for typing in texts. */
export function followTyping(): void {
  const hear = ({ target }: Event) => {
    if (target instanceof Element && isInText(target)) lastKey = performance.now()
  }
  // Dictated and composed text arrives without keys.
  for (const kind of ['keydown', 'input']) window.addEventListener(kind, hear, { capture: true })
}

function isInText(element: Element | null): boolean {
  if (element === null || element.closest('.xterm') !== null) return false
  return element.closest('input, textarea, [contenteditable]:not([contenteditable="false"])') !== null
}
