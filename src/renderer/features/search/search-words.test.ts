import { describe, expect, it } from 'vitest'
import type { SearchState } from '../../../shared/contract/search'
import { searchOutcome, skippedWords } from './search-words'

const nothing = { binary: 0, unreadable: 0, vanished: 0, longLines: 0 }
const state: SearchState = {
  run: 1,
  query: null,
  phase: 'done',
  problem: null,
  hits: 0,
  isCut: false,
  skipped: nothing,
  files: [],
}

describe('words of a search', () => {
  it('tell how far it is and what came of it', () => {
    expect(searchOutcome({ ...state, phase: 'running' })).toBe('Searching …')
    expect(searchOutcome({ ...state, phase: 'running', hits: 1 })).toBe('Searching … 1 hit in 0 files')
    expect(searchOutcome(state)).toBe('No results')
    expect(searchOutcome({ ...state, hits: 3, isCut: true })).toBe('More than 3 hits in 0 files')
    expect(searchOutcome({ ...state, phase: 'failed', problem: 'No. Try again.' })).toBe('No. Try again.')
  })

  it('tell what was left out in one line', () => {
    expect(skippedWords(nothing)).toBe('')
    expect(skippedWords({ ...nothing, binary: 1, unreadable: 2 })).toBe(
      'Skipped: 1 binary file, 2 files or folders without permission.',
    )
  })
})
