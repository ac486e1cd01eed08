/** What a person uses: keys, or a mouse, finger or pen. */
export type Hand = 'keys' | 'pointer'

let last: Hand = 'pointer'
let presses = 0

/** What the person used last. A button pressed by assistive technology sends neither and changes nothing. */
export function lastInput(): Hand {
  return last
}

/** Call it on every key and every press in the page. */
export function noteInput(hand: Hand): void {
  last = hand
  if (hand === 'pointer') presses++
}

/** How often the person has pressed anywhere in the page. If it has grown, they may have gone elsewhere. */
export function pressCount(): number {
  return presses
}
