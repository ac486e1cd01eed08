import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { definitionsIn } from './definitions'
import { findLanguage } from './code-language'

async function definitions(file: string, text: string) {
  const found = await findLanguage({ file })
  if (!found) throw new Error(`no language for ${file}`)
  const doc = Text.of(text.split('\n'))
  return definitionsIn(found.support.language.parser.parse(text), doc).map(({ name, line }) => [name, line])
}

test('functions, classes, members and variables are told with their lines; what is only used is not', async () => {
  expect(
    await definitions(
      'a.ts',
      'export function heat() {\n  cool()\n}\nclass Pump {\n  flow = 1\n}\ntype Slack = number',
    ),
  ).toEqual([
    ['heat', 0],
    ['Pump', 3],
    ['flow', 4],
    ['Slack', 6],
  ])
  expect(await definitions('a.py', 'def heat():\n    cool()\n\nclass Pump:\n    pass')).toEqual([
    ['heat', 0],
    ['Pump', 3],
  ])
})
