import { expect, test } from 'vitest'
import { programArguments } from './program-arguments'

const app = { path: '/opt/greenlight', packaged: false }

test.each([
  ['electron .', ['electron', '.', '/a', '--port', '1'], '/opt/greenlight', ['/a', '--port', '1']],
  [
    'switches before the app',
    ['electron', '--no-sandbox', '--inspect=0', '/opt/greenlight', '/a'],
    '/',
    ['/a'],
  ],
  [
    'the built file',
    ['electron', '/opt/greenlight/out/main/index.js', '--data-dir', '/d'],
    '/',
    ['--data-dir', '/d'],
  ],
  ['a folder named like the app further on', ['electron', '.', './sub'], '/opt/greenlight', ['./sub']],
  ['no app path at all', ['electron', '--remote-debugging-port=0', '/a'], '/', ['/a']],
])('%s', (_name, argv, cwd, words) => {
  expect(programArguments(argv, app, cwd)).toEqual(words)
})

test('packaged, every word is the person’s', () => {
  expect(
    programArguments(['/usr/bin/greenlight', '/a', '--port', '1'], { path: '/x', packaged: true }, '/'),
  ).toEqual(['/a', '--port', '1'])
})
