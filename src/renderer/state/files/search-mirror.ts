import { createStore } from 'zustand/vanilla'
import type { Topics } from '../../../shared/contract/contract'
import type { SearchQuery, SearchState } from '../../../shared/contract/search'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, replaceByDelta, useMirror } from '../host/mirror'

/** The search of this window, as the host has it. */
export const searchMirror = mirrorTopic(client, 'search', {}, applySearch)

/** The list of files behind "Go to file". */
export const fileListMirror = mirrorTopic(client, 'fileList', {}, replaceByDelta)

/** Applies one delta: of another search it is the whole state; of this one its files are added to the others. */
export function applySearch(state: SearchState, delta: Topics['search']['delta']): SearchState {
  const next = mergeDelta(state, delta)
  if (next.run !== state.run) return next
  return { ...next, files: delta.files?.length ? [...state.files, ...delta.files] : state.files }
}

/** The search, followed; null until the host has told it. */
export function useSearch(): SearchState | null {
  return useMirror(searchMirror, (state) => state)
}

/** The contents of the search's fields. */
export interface SearchForm extends SearchQuery {
  isReplacing: boolean
  replacement: string
  /** The fields for files to include and exclude are shown. */
  hasScope: boolean
  /** Incremented to focus the search field. */
  wanted: number
}

/** The fields last as long as the page; the last query comes back with the host's results. */
export const searchForm = createStore<SearchForm>()(() => ({
  text: '',
  isRegex: false,
  isCaseSensitive: false,
  isWholeWord: false,
  include: '',
  exclude: '',
  withIgnored: false,
  isReplacing: false,
  replacement: '',
  hasScope: false,
  wanted: 0,
}))

searchMirror.store.subscribe((now, before) => {
  if (before.kind === 'here' || now.kind !== 'here' || now.data.query === null) return
  if (searchForm.getState().text !== '') return
  const { query } = now.data
  searchForm.setState({ ...query, hasScope: query.include + query.exclude !== '' || query.withIgnored })
})
