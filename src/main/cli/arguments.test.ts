import { describe, expect, test } from 'vitest'
import { helpText, parseArguments } from './arguments'

const parse = (...words: string[]) => parseArguments(words, '/home/ada')
const start = { kind: 'start', folders: [], mode: 'window', port: null, dataDir: null }

describe('arguments', () => {
  test('none open an empty window', () => expect(parse()).toEqual(start))

  test('folders become absolute, each once', () => {
    expect(parse('a', '/b', './a', '../c')).toEqual({ ...start, folders: ['/home/ada/a', '/b', '/home/c'] })
  })

  test('all words behind claude are Claude Code’s own', () => {
    const words = ['-p', '--data-dir', 'x', '--help', '--', 'claude']
    const asked = { kind: 'outside', folder: '/home/ada' }
    expect(parse('claude', ...words)).toEqual({ ...asked, words, dataDir: null })
    expect(parse('--data-dir', 'd', 'claude')).toEqual({ ...asked, words: [], dataDir: '/home/ada/d' })
    for (const folder of ['./claude', '/home/ada/claude'])
      expect(parse(folder)).toEqual({ ...start, folders: ['/home/ada/claude'] })
    expect(parse('a', 'claude')).toMatchObject({ kind: 'start' })
    expect(parse('--', 'claude')).toMatchObject({ kind: 'start' })
    expect(parse('--headless', 'claude')).toMatchObject({ kind: 'wrong' })
  })

  test('options may stand anywhere, with a value after a space or an equals sign', () => {
    const whole = { ...start, folders: ['/home/ada/a'], mode: 'headless', port: 4000, dataDir: '/home/ada/d' }
    expect(parse('--headless', '--port', '4000', '--data-dir', 'd', 'a')).toEqual(whole)
    expect(parse('a', '--port=4000', '--data-dir=d', '--headless')).toEqual(whole)
    expect(parse('--browser')).toEqual({ ...start, mode: 'browser' })
  })

  test('after -- everything is a folder', () => {
    expect(parse('--', '--headless', 'run')).toEqual({
      ...start,
      folders: ['/home/ada/--headless', '/home/ada/run'],
    })
  })

  test('help and version win over what follows', () => {
    expect(parse('--help', '--nonsense')).toEqual({ kind: 'help' })
    expect(parse('--version')).toEqual({ kind: 'version' })
  })

  test.each([
    ['an unknown option', ['--frobnicate'], '--frobnicate'],
    ['a short option', ['-h'], '-h'],
    ['a port that is no number', ['--port', 'http'], 'http'],
    ['a port that is none', ['--port', '0'], '0'],
    ['a port out of range', ['--port', '65536'], '65536'],
    ['a port without its number', ['--port'], '--port'],
    ['a data directory without its name', ['--data-dir='], '--data-dir'],
    ['a value that nobody asked for', ['--headless=yes'], '--headless'],
    ['two ways to show it', ['--headless', '--browser'], '--browser'],
    ['an empty folder', [''], 'name'],
    ['nothing to wait for', ['--wait'], '--wait'],
    ['a value for --wait', ['--wait=a.txt'], '--wait'],
    ['one file to compare', ['--diff', 'a'], '--diff'],
    ['three files to compare', ['--diff', 'a', 'b', 'c'], '--diff'],
    ['waiting and comparing', ['--wait', '--diff', 'a', 'b'], '--diff'],
    ['waiting in an app of its own', ['--wait', 'a', '--headless'], '--wait'],
    ['a command of npm start', ['doctor'], './doctor'],
  ])('%s is wrong, in one line that names it', (_name, words, named) => {
    const parsed = parse(...words)
    expect(parsed).toMatchObject({ kind: 'wrong', sentence: expect.stringContaining(named) })
    expect((parsed as { sentence: string }).sentence).not.toContain('\n')
  })

  test('files are waited for as they were typed, and compared by their whole paths', () => {
    expect(parse('--wait', 'run', 'a.txt:3', '--data-dir=d')).toEqual({
      kind: 'edit',
      files: ['run', 'a.txt:3'],
      dataDir: '/home/ada/d',
    })
    expect(parse('--wait', '--', '--odd')).toEqual({ kind: 'edit', files: ['--odd'], dataDir: null })
    expect(parse('a', '/b', '--diff')).toEqual({
      kind: 'compare',
      left: '/home/ada/a',
      right: '/b',
      dataDir: null,
    })
  })

  test('a folder named like a command is written with its path', () => {
    expect(parse('./run')).toEqual({ ...start, folders: ['/home/ada/run'] })
  })
})

test('help names every option and nothing that is not there', () => {
  for (const option of [
    '--headless',
    '--browser',
    '--port',
    '--data-dir',
    '--wait',
    '--diff',
    '--help',
    '--version',
    'greenlight claude',
    'greenlight record',
  ]) {
    expect(helpText).toContain(option)
  }
})
