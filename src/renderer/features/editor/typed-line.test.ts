import { Text } from '@codemirror/state'
import { expect, it } from 'vitest'
import { readTypedLine } from './typed-line'

const text = Text.of(['one', 'two', '', 'four'])
const at = (typed: string, cursor = 4) => {
  const place = readTypedLine(typed, text, cursor)
  if (place === null) return null
  const line = text.lineAt(place)
  return [line.number, place - line.from + 1]
}

it('reads lines and columns, and stays inside the text', () => {
  expect(at('1')).toEqual([1, 1])
  expect(at(' 4:3 ')).toEqual([4, 3])
  expect(at('4:')).toEqual([4, 1])
  expect(at(':2')).toEqual([2, 2])
  expect(at('4:99')).toEqual([4, 5])
  expect(at('0')).toEqual([1, 1])
  expect(at('99')).toEqual([4, 1])
})

it('counts from the cursor', () => {
  expect(at('+2')).toEqual([4, 1])
  expect(at('-1')).toEqual([1, 1])
  expect(at('-9')).toEqual([1, 1])
})

it('takes nothing else', () => {
  for (const typed of ['', ':', 'a', '1a', '+', '1:2:3']) expect(at(typed), typed).toBeNull()
})
