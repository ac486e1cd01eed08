import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/**
 * How the page stands to its host: `elsewhere` means that another page of this window has taken over, `lost` that
 * the host is gone and that the page keeps trying.
 */
export type LinkState = 'connecting' | 'live' | 'elsewhere' | 'lost'

/** The link, and what takes the window back to this page when it is open elsewhere. */
export interface Link {
  state: LinkState
  useHere: (() => void) | null
}

/** Set by main.tsx as connect.ts reports; read by the window's frame and by views that must wait. */
export const link = createStore<Link>()(() => ({ state: 'connecting', useHere: null }))

/** What the person reads about a link; null while all is well. */
export function linkSentence(state: LinkState): string | null {
  switch (state) {
    case 'live':
      return null
    case 'connecting':
      return 'Connecting to Greenlight …'
    case 'elsewhere':
      return 'This window is open elsewhere. Use it here, and the other page will stand back.'
    case 'lost':
      return 'The connection to Greenlight is lost. What you typed is kept here; the page keeps trying.'
  }
}

/** The link's state, followed. */
export function useLinkState(): LinkState {
  return useStore(link, (value) => value.state)
}
