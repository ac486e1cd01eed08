import { createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import { useTopic } from '../host/mirror'

type Search = Topics['sessionSearch']['snapshot']

/** The field's content, kept as long as the page. `wanted` is incremented when the search is opened again. */
export const sessionSearchForm = createStore<{ text: string; wanted: number }>()(() => ({
  text: '',
  wanted: 0,
}))

/** Applies one delta: the state of the search, and sessions to add to the others. */
export function applySessionSearch(state: Search, delta: Search): Search {
  return { ...delta, found: delta.found.length > 0 ? [...state.found, ...delta.found] : state.found }
}

/** A search of all sessions that runs while the component is mounted; null until the host has started it. */
export function useSessionSearch(text: string): Search | null {
  const state = useTopic('sessionSearch', { text }, applySessionSearch)
  return state.kind === 'here' ? state.data : null
}
