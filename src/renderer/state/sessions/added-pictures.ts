import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Picture } from '../../../shared/contract/conversations'
import { type LayoutValue, defineLayoutValue } from '../window/kept-layout'

/** A picture that goes with the next message. */
export interface AddedPicture extends Picture {
  /** Its file's name; empty for one that was pasted. */
  name: string
}

/** The pictures of unsent messages. They are large, so they live in the page: a reload loses them, which is told. */
export interface PictureDraft {
  get(): readonly AddedPicture[]
  set(pictures: readonly AddedPicture[]): void
  use(): readonly AddedPicture[]
  /** How many were lost with the page that had them, followed. */
  useLost(): number
}

type Counts = Readonly<Record<string, number>>

const none: readonly AddedPicture[] = []
const pictures = createStore<Readonly<Record<string, readonly AddedPicture[]>>>()(() => ({}))
const counts: LayoutValue<Counts> = defineLayoutValue('conversation.pictures', (stored) =>
  stored !== null && typeof stored === 'object'
    ? Object.fromEntries(Object.entries(stored).filter(([, count]) => typeof count === 'number' && count > 0))
    : {},
)

/** The pictures of a conversation's unsent message. */
export function picturesOf(conversation: string): PictureDraft {
  return {
    get: () => pictures.getState()[conversation] ?? none,
    set: (added) => {
      pictures.setState({ [conversation]: added })
      const { [conversation]: _, ...others } = counts.get()
      counts.set(added.length === 0 ? others : { ...others, [conversation]: added.length })
    },
    use: () => useStore(pictures, (all) => all[conversation] ?? none),
    useLost: () => {
      const has = useStore(pictures, (all) => all[conversation] !== undefined)
      const count = counts.use()[conversation] ?? 0
      return has ? 0 : count
    },
  }
}
