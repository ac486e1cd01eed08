import { Emitter } from '../../../shared/lifetime'

/** What a person uses: keys, or a mouse, finger or pen. */
export type Hand = 'keys' | 'pointer'

let last: Hand = 'pointer'
let presses = 0
const pressed = new Emitter<void>()

/** Hears each press. */
export const onPress = pressed.on

/** Call it on every key and every press in the page. A button pressed by assistive technology sends neither. */
export function noteInput(hand: Hand): void {
  last = hand
  if (hand !== 'pointer') return
  presses++
  pressed.emit()
}

/**
 * The hand that asks for something now. `ifStillHere` runs what follows on a late answer, unless the person has pressed
 * something else meanwhile, such as another tab: then they stay there. `isStillHere` says whether it would.
 */
export function handNow(): { readonly isStillHere: boolean; ifStillHere(goOn: (hand: Hand) => void): void } {
  const [hand, before] = [last, presses]
  return {
    get isStillHere() {
      return presses === before
    },
    ifStillHere(goOn) {
      if (this.isStillHere) goOn(hand)
    },
  }
}
