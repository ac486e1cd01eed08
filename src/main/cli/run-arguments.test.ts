import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { helpText, parseArguments } from './arguments'
import { readPrompt } from './prompt'

const parse = (...words: string[]) => parseArguments(['run', ...words], '/home/ada')
const plain = {
  ...{
    prompt: 'fix it',
    folder: '/home/ada',
    model: null,
    permissionMode: null,
    resume: null,
    output: 'text',
  },
  allowed: { rules: [], edits: [] },
}

test('a prompt runs in this folder, and prints its text', () => {
  expect(parse('fix it')).toEqual({ kind: 'run', request: plain, dataDir: null })
  expect(parseArguments(['--data-dir=d', 'run', 'fix it'], '/home/ada')).toMatchObject({
    dataDir: '/home/ada/d',
  })
})

test('without a prompt, or with -, it comes on stdin; after -- anything is one', () => {
  for (const words of [[], ['-'], ['--output', 'json']]) {
    expect(parse(...words)).toMatchObject({ request: { prompt: null } })
  }
  expect(parse('--', '-')).toMatchObject({ request: { prompt: '-' } })
  expect(parse('--', '--model')).toMatchObject({ request: { prompt: '--model' } })
})

test('options may stand anywhere, with a value after a space or an equals sign', () => {
  const words = ['--folder', 'a', '--model=opus', 'fix it', '--permission-mode', 'plan', '--resume=1']
  expect(parse(...words, '--output=stream-json')).toMatchObject({
    request: {
      ...{ prompt: 'fix it', folder: '/home/ada/a', model: 'opus', permissionMode: 'plan', resume: '1' },
      output: 'stream-json',
    },
  })
})

test('rules are those of the app, for the folder', () => {
  const parsed = parse(
    'x',
    '--allow',
    'run:npm test*',
    '--allow=use:mcp__db__query:sql: *',
    '--allow',
    'edit:src/*',
  )
  const any = { answer: 'allow', agent: null, folder: '/home/ada' }
  expect(parsed).toMatchObject({
    request: {
      allowed: {
        rules: [
          { ...any, kind: 'run', tool: null, pattern: 'npm test*' },
          { ...any, kind: 'other', tool: 'mcp__db__query', pattern: 'sql: *' },
        ],
        edits: ['src/*'],
      },
    },
  })
})

test.each([
  ['two prompts', ['fix', 'it'], 'quotes'],
  ['an empty prompt', [' '], 'empty'],
  ['an unknown option', ['x', '--port=1'], '--port'],
  ['a start option', ['x', '--headless'], '--headless'],
  ['an option without its value', ['x', '--model'], '--model'],
  ['an option with an empty value', ['x', '--resume='], '--resume'],
  ['an option twice', ['x', '--model=a', '--model=b'], '--model'],
  ['an unknown output', ['x', '--output', 'xml'], 'xml'],
  ['a rule without its kind', ['x', '--allow', 'npm test'], 'npm test'],
  ['a rule of an unknown kind', ['x', '--allow', 'read:a'], 'read:a'],
  ['an empty rule', ['x', '--allow', 'run: '], '--allow'],
  ['an address that fits nothing', ['x', '--allow', 'fetch:example.com/*'], 'fetch:example.com/*'],
  ['a tool without what it is for', ['x', '--allow', 'use:Read'], 'use:Read'],
])('%s is wrong, in one line that names it', (_name, words, named) => {
  const parsed = parse(...words)
  expect(parsed).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(named) })
  expect((parsed as { sentence: string }).sentence).not.toContain('\n')
})

test('a folder called run is written with its path, and help says everything', () => {
  expect(parseArguments(['./run'], '/home/ada')).toMatchObject({ kind: 'start', folders: ['/home/ada/run'] })
  expect(parseArguments(['a', 'run'], '/home/ada')).toMatchObject({ kind: 'start' })
  expect(parse('--help')).toEqual({ kind: 'help' })
  const options = ['--folder', '--model', '--permission-mode', '--output', '--resume', '--allow']
  for (const option of options) expect(helpText).toContain(option)
})

test('a prompt is read to the end of the input, and refused where it is none', async () => {
  const input = (...pieces: string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)))
  expect(await readPrompt(null, input('fix ', 'it\n'))).toEqual({ ok: true, value: 'fix it\n' })
  expect(await readPrompt('given', input('other'))).toEqual({ ok: true, value: 'given' })
  const failed = [
    await readPrompt(null, Object.assign(input(), { isTTY: true })),
    await readPrompt(null, input(' \n')),
    await readPrompt('x'.repeat(1_000_001), input()),
    await readPrompt(null, input(...Array.from({ length: 5 }, () => 'x'.repeat(1_000_000)))),
  ]
  expect(failed.map((one) => (one.ok ? '' : one.failure.message))).toEqual([
    expect.stringContaining('pipe it in'),
    expect.stringContaining('empty'),
    expect.stringContaining('1000000'),
    expect.stringContaining('1000000'),
  ])
})
