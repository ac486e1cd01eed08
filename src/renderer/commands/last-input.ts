/** What a person acts with: keys, or a mouse, a finger or a pen. */
export type Hand = 'keys' | 'pointer'

let last: Hand = 'pointer'

/** What the person acted with last. Assistive technology that presses a button sends neither and leaves it as it is. */
export function lastInput(): Hand {
  return last
}

/** To be called on every key and every press in the page. */
export function noteInput(hand: Hand): void {
  last = hand
}
