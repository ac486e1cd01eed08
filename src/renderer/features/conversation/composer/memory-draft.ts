import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AddedPicture, PictureDraft } from '../../../state/sessions/added-pictures'
import type { MessageDraft } from '../conversation-state'

/** A draft that lives as long as what shows it: an earlier message that is being edited. */
export function createDraft(text: string, pictures: readonly AddedPicture[]): MessageDraft {
  const store = createStore<{ text: string; pictures: readonly AddedPicture[] }>()(() => ({ text, pictures }))
  let own = ''
  return {
    get: () => store.getState().text,
    set: (changed) => store.setState({ text: changed }),
    use: () => useStore(store, (state) => state.text),
    own: {
      get: () => own,
      set: (changed) => void (own = changed),
    },
    pictures: {
      get: () => store.getState().pictures,
      set: (changed) => store.setState({ pictures: changed }),
      use: () => useStore(store, (state) => state.pictures),
    },
  }
}

const nothing = createStore<readonly AddedPicture[]>()(() => [])

/** For messages without pictures. */
export const noPictures: PictureDraft = {
  get: () => nothing.getState(),
  set: () => undefined,
  use: () => useStore(nothing),
}
