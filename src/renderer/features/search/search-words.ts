import type { SearchState, SkippedFiles } from '../../../shared/contract/search'
import { countOf } from '../../ui/wording/number-format'

/** A search's progress or result, in one sentence. */
export function searchOutcome({ phase, hits, files, problem, isCut }: SearchState): string {
  const found = `${countOf(hits, 'hit')} in ${countOf(files.length, 'file')}`
  switch (phase) {
    case 'none':
      return ''
    case 'running':
      return hits === 0 ? 'Searching …' : `Searching … ${found}`
    case 'done':
      if (hits === 0) return 'No results'
      return isCut ? `More than ${found}` : found
    case 'cancelled':
      return hits === 0 ? 'Cancelled.' : `Cancelled after ${found}`
    case 'failed':
      return problem ?? 'The search failed. Try again.'
  }
}

/** What could not be searched, in one line; empty if everything could. */
export function skippedWords({ binary, unreadable, vanished, longLines }: SkippedFiles): string {
  const parts = [
    binary > 0 ? `${countOf(binary, 'binary file')}` : '',
    longLines > 0 ? `lines too long to show in ${countOf(longLines, 'file')}` : '',
    unreadable > 0 ? `${countOf(unreadable, 'file or folder', 'files or folders')} without permission` : '',
    vanished > 0 ? `${countOf(vanished, 'file')} deleted meanwhile` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Skipped: ${parts.join(', ')}.`
}
