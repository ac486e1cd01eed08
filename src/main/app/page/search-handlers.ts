import { fail, succeed } from '../../../shared/result'
import type { WindowSearch } from '../wiring/search-of-window'
import { type PageHandlers, sendChanges, sendWhole } from './page-handlers'
import type { Replacement, proposeReplacement } from '../wiring/replace-to-desk'

/** Search and replace in the window's folders, and the list of their files. */
export function searchHandlers({
  searching,
  replace,
}: {
  searching: WindowSearch
  /** Proposes what the person wants replaced. */
  replace(replacement: Replacement): ReturnType<typeof proposeReplacement>
}): PageHandlers<'search', 'search' | 'fileList'> {
  const { search, files, replacer } = searching
  return {
    calls: {
      'search.start': (query) => ({ run: search.start(query) }),
      'search.cancel': () => search.cancel(),
      'search.expand': async ({ run, replacement, hits }) => {
        const { state } = search
        if (state.run !== run || state.query === null) return outOfDate
        const wanted = new Set(hits)
        const all = state.files.flatMap((file) => file.hits.filter(({ id }) => wanted.has(id)))
        const known = new Map(all.map((hit) => [hit.id, hit]))
        const shown = hits.flatMap((id) => known.get(id) ?? [])
        if (shown.length < hits.length) return outOfDate
        const previewed = await replacer.preview(shown, state.query, replacement)
        return previewed.ok ? succeed({ texts: previewed.value }) : previewed
      },
      'search.replace': (replacement) => replace(replacement),
      'search.files': ({ typed, withIgnored, refresh }) =>
        files.find({ typed, withIgnored, refresh, recent: searching.recentFiles() }),
    },
    topics: {
      search: sendChanges(() => search.state, search.onDelta),
      fileList: sendWhole(
        () => ({ generation: files.generation, isListing: files.isListing }),
        files.onChange,
      ),
    },
  }
}

const outOfDate = fail('stale', 'These results are out of date. Search again.')
