import type { SessionSearchState } from '../../../shared/contract/sessions'
import { countOf, formatNumber } from '../../ui/wording/number-format'

/** How far a search is. */
export function progressOf({ searched, of, found }: SessionSearchState): string {
  const hits = hitsIn(found)
  const far = of === 0 ? 'Searching …' : `${formatNumber(searched)} of ${countOf(of, 'session')} searched`
  return hits === 0 ? far : `${far} · ${countOf(hits, 'result')}`
}

/** The result of a search, in one sentence. */
export function sessionSearchOutcome({ phase, found, of }: SessionSearchState): string {
  const hits = hitsIn(found)
  switch (phase) {
    case 'running':
      return 'Searching …'
    case 'failed':
      return 'The search stopped. Search again.'
    case 'no-program':
      return 'Searching needs ripgrep, which is missing here or doesn’t start. Install it with your system’s package manager, then search again.'
    case 'cut':
      return `More than ${countOf(hits, 'result')} in ${countOf(found.length, 'session')}`
    case 'done':
      if (hits === 0) return `Nothing found in ${countOf(of, 'session')}`
      return `${countOf(hits, 'result')} in ${countOf(found.length, 'session')}`
  }
}

function hitsIn(found: SessionSearchState['found']): number {
  return found.reduce((sum, { hits }) => sum + hits.length, 0)
}
