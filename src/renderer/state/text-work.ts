/**
 * Whether the person is at work in a text: where the middle shows something else by itself, they lose what they type
 * in. A terminal stays as it is, and so do the tree and buttons.
 */
export function isWorkingInText(focused: Element | null): boolean {
  if (focused === null || focused.closest('.xterm') !== null) return false
  const texts = 'input, textarea, [contenteditable]:not([contenteditable="false"]), [role="dialog"]'
  return focused.closest(texts) !== null
}
