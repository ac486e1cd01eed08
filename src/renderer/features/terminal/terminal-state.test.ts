import { expect, test } from 'vitest'
import type { Terminal } from '../../../shared/contract/terminals'
import { chosenOf, pairOf } from './terminal-state'

function terminal(id: string, splitOf: string | null = null): Terminal {
  return {
    id,
    splitOf,
    profile: 'shell',
    title: id,
    programTitle: '',
    pid: 1,
    cwd: '/',
    state: { kind: 'running' },
    bell: false,
    note: '',
  }
}

const all = [terminal('a'), terminal('b', 'a'), terminal('c')]
const idsOf = (chosen: string | null) => pairOf(all, chosenOf(all, chosen)).map(({ id }) => id)

test('both of a pair are shown whichever is chosen, the others alone', () => {
  expect(idsOf('a')).toEqual(['a', 'b'])
  expect(idsOf('b')).toEqual(['a', 'b'])
  expect(idsOf('c')).toEqual(['c'])
})

test('a choice that is gone falls to the last, and none to nothing', () => {
  expect(idsOf('gone')).toEqual(['c'])
  expect(idsOf(null)).toEqual(['c'])
  expect(pairOf([], chosenOf([], 'a'))).toEqual([])
})
