import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { describeMention, mentionedLines } from './mention'

const doc = 'zero\none\ntwo\nthree\n'
const at = (anchor: number, head: number) =>
  mentionedLines(EditorState.create({ doc, selection: { anchor, head } }))

it('mentions the lines that are selected, whichever way', () => {
  expect(at(6, 10)).toEqual({ first: 1, last: 2 })
  expect(at(10, 6)).toEqual({ first: 1, last: 2 })
  expect(at(5, 7)).toEqual({ first: 1, last: 1 })
})

it('leaves out a line of which nothing is selected', () => {
  expect(at(5, 13)).toEqual({ first: 1, last: 2 })
  expect(at(0, doc.length)).toEqual({ first: 0, last: 3 })
})

it('mentions the whole file where nothing is selected', () => {
  expect(at(6, 6)).toBeNull()
})

it('says what was mentioned, and to whom', () => {
  expect(describeMention('app.ts', { first: 2, last: 6 }, ['Claude'])).toBe(
    'Mentioned app.ts lines 3–7 to Claude',
  )
  expect(describeMention('app.ts', { first: 2, last: 2 }, ['Claude', 'Claude'])).toBe(
    'Mentioned app.ts line 3 to Claude',
  )
  expect(describeMention('app.ts', null, ['Claude', 'Gemini'])).toBe('Mentioned app.ts to Claude and Gemini')
  expect(describeMention('app.ts', null, [])).toMatch(/No agent is connected/)
})
