import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { UnsentMessage } from '../../../shared/contract/conversations'
import { send } from '../host/calls'

/** A picture that goes with the next message; its name is its file's, empty for one that was pasted. */
export type AddedPicture = UnsentMessage['pictures'][number]

/** The pictures of an unsent message. */
export interface PictureDraft {
  get(): readonly AddedPicture[]
  set(pictures: readonly AddedPicture[]): void
  use(): readonly AddedPicture[]
}

const none: readonly AddedPicture[] = []
const pictures = createStore<Readonly<Record<string, readonly AddedPicture[]>>>()(() => ({}))

/** The pictures of a conversation's unsent message. The host keeps them for the next page, for they are large. */
export function picturesOf(conversation: string): PictureDraft {
  return {
    get: () => pictures.getState()[conversation] ?? none,
    set: (added) => {
      pictures.setState({ [conversation]: added })
      send('conversation.keepPictures', { draft: conversation, pictures: [...added] })
    },
    use: () => useStore(pictures, (all) => all[conversation] ?? none),
  }
}
