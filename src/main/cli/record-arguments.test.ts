import { expect, test } from 'vitest'
import { parseArguments } from './arguments'

const parse = (...words: string[]) => parseArguments(words, '/home/ada')
const whole = { kind: 'record', path: null, output: { kind: 'table' }, dataDir: null }

test('the record of everything, of a file, and as JSON lines', () => {
  expect(parse('record')).toEqual(whole)
  expect(parse('record', 'src')).toEqual({ ...whole, path: '/home/ada/src' })
  expect(parse('--data-dir=d', 'record')).toEqual({ ...whole, dataDir: '/home/ada/d' })
  expect(parse('record', '--data-dir', 'd', '--json')).toEqual({
    ...whole,
    output: { kind: 'json', texts: false },
    dataDir: '/home/ada/d',
  })
  expect(parse('record', '--json', '--texts', '--', '--odd')).toEqual({
    ...whole,
    path: '/home/ada/--odd',
    output: { kind: 'json', texts: true },
  })
  expect(parse('record', '--help')).toEqual({ kind: 'help' })
})

test.each([
  ['two paths', ['a', 'b'], 'one file'],
  ['texts in a table', ['--texts'], '--json'],
  ['an unknown option', ['--all'], '--all'],
  ['a value that nobody asked for', ['--json=yes'], '--json'],
  ['no data directory', ['--data-dir'], '--data-dir'],
])('%s is wrong, in one line that names it', (_name, words, named) => {
  expect(parse('record', ...words)).toMatchObject({
    kind: 'wrong',
    sentence: expect.stringContaining(named),
  })
})
