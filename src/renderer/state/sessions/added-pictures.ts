import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { UnsentMessage } from '../../../shared/contract/conversations'
import { send } from '../host/calls'
import { link } from '../host/link'
import { windowMirror } from '../window/window-mirror'

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

/** The conversations whose pictures haven't arrived at the host. */
const unsaved = new Set<string>()

function save(conversation: string): void {
  unsaved.delete(conversation)
  const added = pictures.getState()[conversation]
  if (!added) return
  send('conversation.keepPictures', { draft: conversation, pictures: [...added] }, (isTaken) => {
    // Others are saved for themselves, and none where another page has the window.
    if (!isTaken && pictures.getState()[conversation] === added) unsaved.add(conversation)
  })
}

link.subscribe(({ state }) => {
  if (state !== 'elsewhere') return
  // What the host keeps is newer, and is taken again.
  unsaved.clear()
  pictures.setState({}, true)
})
windowMirror.store.subscribe(() => [...unsaved].forEach(save))

/** Saves a conversation's pictures again if they haven't arrived, before the host is asked what it has of them. */
export function savePicturesNow(conversation: string): void {
  if (unsaved.has(conversation)) save(conversation)
}

/** The pictures of a conversation's unsent message. The host keeps them for the next page, for they are large. */
export function picturesOf(conversation: string): PictureDraft {
  return {
    get: () => pictures.getState()[conversation] ?? none,
    set: (added) => {
      pictures.setState({ [conversation]: added })
      save(conversation)
    },
    use: () => useStore(pictures, (all) => all[conversation] ?? none),
  }
}
