import { createStore } from 'zustand/vanilla'
import { onPress } from '../window/last-input'

/** How long a request holds, in milliseconds. */
const patience = 3000

/**
 * A request for the focus by what isn't shown yet. It holds for a short time only: if that is shown much later, perhaps
 * by an agent, nobody is waiting for it any more. Whoever presses elsewhere meanwhile keeps the focus there.
 */
export class FocusRequest<Wanted> {
  readonly store = createStore<{ wanted: Wanted | null; since: number }>()(() => ({ wanted: null, since: 0 }))

  /** It is there as long as the page. */
  constructor() {
    onPress(() => this.forget())
  }

  get holds(): boolean {
    const { wanted, since } = this.store.getState()
    return wanted !== null && Date.now() - since < patience
  }

  make(wanted: Wanted): void {
    this.store.setState({ wanted, since: Date.now() })
  }

  /** Drops the request, whatever it is for. */
  forget(): void {
    this.store.setState({ wanted: null })
  }

  /** Ends the request if this is what it is for, and gives whether it still held. */
  take(isMeant: (wanted: Wanted) => boolean): boolean {
    const { wanted } = this.store.getState()
    if (wanted === null || !isMeant(wanted)) return false
    const { holds } = this
    this.forget()
    return holds
  }
}
