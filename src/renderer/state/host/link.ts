import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ConnectionState } from '../../connect'

/** The link, and what takes the window back to this page when it is open elsewhere. */
export interface Link {
  state: ConnectionState
  /** The host was restarted and doesn't know this page; only its new link helps. */
  refused: boolean
  useHere: (() => void) | null
}

/** Set by main.tsx as connect.ts reports; read by the window's frame and by views that must wait. */
export const link = createStore<Link>()(() => ({ state: 'connecting', refused: false, useHere: null }))

/** The sentence that the person reads about the link; null while it is live. */
export function linkSentence({ state, refused }: Pick<Link, 'state' | 'refused'>): string | null {
  if (refused) return 'Greenlight has restarted. Open its new link and close this page.'
  switch (state) {
    case 'live':
      return null
    case 'connecting':
      return 'Connecting to Greenlight …'
    case 'elsewhere':
      return 'This window is open elsewhere. “Use here” moves it to this page.'
    case 'lost':
      return 'Connection to Greenlight lost. Your text is kept here; reconnecting …'
  }
}

export function useLink(): Link {
  return useStore(link)
}
