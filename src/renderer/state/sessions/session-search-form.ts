import { createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import { useTopic } from '../host/mirror'

type Search = Topics['sessionSearch']['snapshot']

/** What stands in the field; it lives as long as the page. `wanted` rises when the search is asked for once more. */
export const sessionSearchForm = createStore<{ text: string; wanted: number }>()(() => ({
  text: '',
  wanted: 0,
}))

/** A delta says how the search stands, and brings sessions that come to those that are there. */
export function applySessionSearch(state: Search, delta: Search): Search {
  return { ...delta, found: delta.found.length > 0 ? [...state.found, ...delta.found] : state.found }
}

/** A search through all sessions, which goes on while the component stands; null until the host has begun it. */
export function useSessionSearch(text: string): Search | null {
  const state = useTopic('sessionSearch', { text }, applySessionSearch)
  return state.kind === 'here' ? state.data : null
}
