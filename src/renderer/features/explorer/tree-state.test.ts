import { beforeEach, describe, expect, it } from 'vitest'
import type { TreeRow } from './tree-rows'
import { chooseAlso, chooseOnly, chooseUpTo, chosenEntries, shownTree, treeState } from './tree-state'

const row = (name: string): TreeRow => ({
  kind: 'entry',
  entry: { name, path: `/p/${name}`, kind: 'file', symlink: false },
  level: 1,
  expanded: null,
  position: 1,
  siblings: 4,
})
const chosen = () => chosenEntries().map(({ entry }) => entry.name)

beforeEach(() => {
  shownTree.rows = [
    row('a'),
    row('b'),
    { kind: 'sentence', folder: '/p/x', level: 2, text: 'Empty', tone: 'plain' },
    row('c'),
    row('d'),
  ]
  chooseOnly(null)
})

describe('choosing lines', () => {
  it('is one line, more of them, or a stretch, in the order of the tree', () => {
    expect(chosen()).toEqual([])
    chooseOnly('/p/c')
    expect(chosen()).toEqual(['c'])
    chooseAlso('/p/a')
    expect(chosen()).toEqual(['a', 'c'])
    chooseAlso('/p/c')
    expect(treeState.getState().cursor).toBe('/p/c')
    chooseOnly('/p/d')
    chooseUpTo('/p/b')
    expect(chosen()).toEqual(['b', 'c', 'd'])
    chooseUpTo('/p/c')
    expect(chosen()).toEqual(['c', 'd'])
  })

  it('is the line where the person is when that is none of the chosen', () => {
    chooseOnly('/p/a')
    chooseUpTo('/p/b')
    treeState.setState({ cursor: '/p/d' })
    expect(chosen()).toEqual(['d'])
  })
})
