import { SearchQuery } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { countMatches, describeMatches } from './match-count'

const state = EditorState.create({ doc: 'one two one\nOne onetime', selection: { anchor: 8, head: 11 } })

it.each([
  [{ search: 'one' }, '2 of 4'],
  [{ search: 'one', caseSensitive: true }, '2 of 3'],
  [{ search: 'one', wholeWord: true }, '2 of 3'],
  [{ search: 'o.e', regexp: true, caseSensitive: true }, '2 of 3'],
  [{ search: 'two' }, '1 found'],
  [{ search: 'three' }, 'Nothing found'],
  [{ search: '(', regexp: true }, 'Nothing found'],
])('counts %j', (query, words) => {
  expect(describeMatches(countMatches(state, new SearchQuery(query), 1000))).toBe(words)
})

it('stops at its limit and says so', () => {
  const many = EditorState.create({ doc: 'a'.repeat(20_000) })
  const count = countMatches(many, new SearchQuery({ search: 'a' }), 10_000)
  expect(count.isPartial).toBe(true)
  expect(describeMatches(count)).toMatch(/\+ found$/)
})
