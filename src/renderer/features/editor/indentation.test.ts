import { Text } from '@codemirror/state'
import { expect, it } from 'vitest'
import { indentationOf } from './indentation'

it.each([
  ['a\n\tb\n\t\tc', '\t'],
  ['a\n  b\n    c\n  d', '  '],
  ['def a():\n    if b:\n        c\n', '    '],
  ['/**\n * words\n */\na {\n    b\n}\nc {\n    d\n}', '    '],
  ['', '  '],
  ['plain\nwords', '  '],
])('learns the level of %j', (text, level) => {
  expect(indentationOf(Text.of(text.split('\n')))).toBe(level)
})
