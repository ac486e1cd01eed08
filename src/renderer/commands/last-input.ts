/** What a person acts with: keys, or a mouse, a finger or a pen. */
export type Hand = 'keys' | 'pointer'

let last: Hand = 'pointer'
let presses = 0

/** What the person acted with last. Assistive technology that presses a button sends neither and leaves it as it is. */
export function lastInput(): Hand {
  return last
}

/** To be called on every key and every press in the page. */
export function noteInput(hand: Hand): void {
  last = hand
  if (hand === 'pointer') presses++
}

/** How often the person has pressed anywhere in the page: where it has grown, they may have gone elsewhere. */
export function pressCount(): number {
  return presses
}
