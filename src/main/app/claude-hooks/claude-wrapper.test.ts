import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLaunchers } from '../../core/platform/launchers'
import { claudeWrapper, mergeOption } from './claude-wrapper'

const shells = ['/bin/dash', '/bin/bash', '/bin/sh'].filter((shell) => existsSync(shell))
const ours = '/data/ours.json'

let base: string
let front: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-wrapper-')))
  front = wrappersIn(join(base, 'data'))
  fakeClaude(join(base, 'bin'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** The folder of wrappers in a data directory. Its merging script prints what it is given, and fails for `bad`. */
function wrappersIn(directory: string): string {
  mkdirSync(directory)
  const script = join(directory, "it's $merging.mjs")
  writeFileSync(
    script,
    `const [option, ours, theirs, pid] = process.argv.slice(2)
if (theirs === 'bad') process.exit(1)
process.stdout.write([process.env.ELECTRON_RUN_AS_NODE, option, ours, theirs, process.ppid === Number(pid)].join('|'))`,
  )
  const written = writeLaunchers(directory, { node: process.execPath, script }, [claudeWrapper])
  if (!written.ok || written.value.front === null) throw new Error('nothing was written')
  return written.value.front
}

/** A claude that prints its process and its words, a line each, and ends with 7. */
function fakeClaude(folder: string, name = 'claude', lines = ''): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\n${lines}printf '%s\\n' "$0" "$$" "settings:\${GREENLIGHT_CLAUDE_SETTINGS-none}" "$@"\nexit 7\n`,
  )
  chmodSync(join(folder, name), 0o755)
}

interface Asked {
  path?: string
  settings?: string
  cwd?: string
  shell?: string
}

/** What the claude behind the wrapper was run as, and with which words. */
function run(words: readonly string[], { path, settings, cwd, shell }: Asked = {}) {
  const done = spawnSync(
    shell ?? join(front, 'claude'),
    shell ? [join(front, 'claude'), ...words] : [...words],
    {
      encoding: 'utf8',
      cwd: cwd ?? base,
      env: {
        PATH: path ?? `${front}:${join(base, 'bin')}:/usr/bin:/bin`,
        ...(settings === undefined ? {} : { GREENLIGHT_CLAUDE_SETTINGS: settings }),
      },
    },
  )
  const [program = '', pid, , ...given] = done.stdout.split('\n').slice(0, -1)
  return {
    program: resolve(cwd ?? base, program),
    words: given,
    code: done.status,
    complaints: done.stderr,
    isItself: pid === `${done.pid}`,
  }
}

describe.skipIf(process.platform === 'win32').each(shells)('the wrapper in %s', (shell) => {
  it('becomes the person’s own claude, with every word as it was', () => {
    const words = ['-p', 'a b', '', "it's", '$HOME', '--settings', 'x', '*', '--', 'line\\n']
    const done = run(words, { shell })
    expect(done).toEqual({
      program: join(base, 'bin', 'claude'),
      words,
      code: 7,
      complaints: '',
      isItself: true,
    })
    expect(run([], { shell, settings: '' }).words).toEqual([])
  })

  it('puts our settings in front, where a subcommand can follow', () => {
    expect(run([], { shell, settings: ours }).words).toEqual(['--settings', ours])
    for (const words of [['mcp', 'list'], ['--version'], ['-p', 'a b'], ['--', '--settings', 'x']])
      expect(run(words, { shell, settings: ours }).words).toEqual(['--settings', ours, ...words])
  })

  it.each<[string, string[], string, string[]]>([
    ['a path', ['-p', '--settings', 'their file.json', 'x'], 'their file.json', ['-p', 'x']],
    ['JSON', ['--settings', '{"a": 1}'], '{"a": 1}', []],
    ['after an equals sign', ['--settings={"a":"="}', 'x'], '{"a":"="}', ['x']],
    ['several times', ['--settings', 'a', '-p', '--settings=b', 'x'], 'b', ['-p', 'x']],
    [
      'before the end of options',
      ['--settings', 'a', '--', '--settings', 'b'],
      'a',
      ['--', '--settings', 'b'],
    ],
  ])('merges the person’s settings: %s', (_, words, theirs, rest) => {
    const done = run(words, { shell, settings: ours })
    expect(done.words).toEqual(['--settings', `1|${mergeOption}|${ours}|${theirs}|true`, ...rest])
    expect(done.isItself).toBe(true)
  })

  it('leaves what can’t be merged to Claude Code, which says what is wrong', () => {
    for (const words of [
      ['--settings', 'bad', 'x'],
      ['--settings=bad'],
      ['-p', '--settings'],
      ['--settings', 'a', '--settings'],
    ])
      expect(run(words, { shell, settings: ours }).words).toEqual(words)
  })

  it('never runs itself or the wrapper of another Greenlight', () => {
    const other = wrappersIn(join(base, 'other'))
    const path = `${other}:${front}:${front}:${join(base, 'bin')}:/usr/bin:/bin`
    expect(run(['x'], { shell, path, settings: ours })).toMatchObject({
      program: join(base, 'bin', 'claude'),
      words: ['--settings', ours, 'x'],
    })
    // A claude of the person that starts the next one: the settings are there once, or merged with themselves.
    fakeClaude(join(base, 'own'), 'claude', `PATH=${path}\nexec claude --own "$@"\n`)
    expect(run(['x'], { shell, path: `${front}:${join(base, 'own')}:${path}` }).words).toEqual(['--own', 'x'])
  })

  it('takes only a program, also from relative and empty places of PATH', () => {
    mkdirSync(join(base, 'folder', 'claude'), { recursive: true })
    mkdirSync(join(base, 'text'))
    writeFileSync(join(base, 'text', 'claude'), '')
    const before = `${front}:${join(base, 'folder')}:${join(base, 'text')}:${join(base, 'missing')}`
    expect(run([], { shell, path: `${before}:${join(base, 'bin')}` }).program).toBe(
      join(base, 'bin', 'claude'),
    )
    expect(run([], { shell, path: `${before}:bin` }).program).toBe(join(base, 'bin', 'claude'))
    expect(run([], { shell, path: `${before}::/bin`, cwd: join(base, 'bin') }).program).toBe(
      join(base, 'bin', 'claude'),
    )
  })

  it('says how to get one where there is none', () => {
    for (const path of [`${front}:/nowhere`, '']) {
      const done = run(['x'], { shell, path })
      expect(done.code).toBe(127)
      expect(done.complaints).toContain('npm install -g @anthropic-ai/claude-code')
    }
  })
})

describe.skipIf(process.platform === 'win32')('a wrapped claude', () => {
  it('gets signals and input as if it were alone', async () => {
    writeFileSync(join(base, 'bin', 'claude'), '#!/bin/sh\nread line; echo "got $line"; exec sleep 600\n')
    const child = spawn(join(front, 'claude'), [], { env: { PATH: `${front}:${base}/bin:/usr/bin:/bin` } })
    child.stdin.write('words\n')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    expect(said.toString()).toBe('got words\n')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
  })

  it('is written so that only its owner can change or run it', () => {
    for (const path of [front, join(front, 'claude')]) expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(front, 'claude'), 'utf8')).toContain('# Written by Greenlight')
  })
})
