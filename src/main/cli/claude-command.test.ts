import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Disposable } from '../../shared/lifetime'
import { type Result, fail, succeed } from '../../shared/result'
import { type OutsideRequest, type OutsideStart, listenForHandOver } from '../core/platform/hand-over-server'
import { runClaude } from './claude-command'

let base: string
let owner: Disposable | null
let said: string[]
const heard: OutsideRequest[] = []
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'greenlight-claude-'))
  owner = null
  said = []
  heard.length = 0
})
afterEach(() => {
  owner?.dispose()
  rmSync(base, { recursive: true })
})

const unasked = () => Promise.resolve(fail('none', 'None.'))

async function own(answer: Result<OutsideStart>): Promise<void> {
  owner = await listenForHandOver(base, {
    ...{ open: unasked, edit: unasked, compare: unasked, run: () => Promise.resolve(1) },
    outside: (request) => {
      heard.push(request)
      return Promise.resolve(answer)
    },
  })
}

const run = (words: string[], env: Record<string, string> = {}) =>
  runClaude(
    { kind: 'outside', words, folder: '/project', dataDir: base },
    {
      env: { PATH: process.env['PATH'], GREENLIGHT_DATA_DIR: base, GREENLIGHT_WINDOW: 'w', ...env },
      say: (sentence) => void said.push(sentence),
    },
  )

it('gives every word, what the window gives, and hooks of its own, for as long as it runs', async (context) => {
  context.skip(process.platform === 'win32', 'not on Windows')
  const program = join(base, 'claude')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${base}/words\nenv > ${base}/env\nls "\${CLAUDE_CODE_PLUGIN_DIRS%%:*}/hooks" > ${base}/hooks\nexit 5\n`,
  )
  chmodSync(program, 0o755)
  const variables = { TOKEN: 't', CLAUDE_CODE_PLUGIN_DIRS: '/data/claude-hooks/1/plugin' }
  await own(succeed({ program, address: join(base, 'relays.json'), variables }))
  const code = await run(['-p', 'a b', ''], {
    ELECTRON_RUN_AS_NODE: '1',
    GREENLIGHT_START: '[]',
    GREENLIGHT_CLAUDE_SETTINGS: '/gone',
    NO_PROXY: 'a.example',
    CLAUDE_CODE_PLUGIN_DIRS: ['/theirs', '/other/claude-hooks/12345/plugin'].join(delimiter),
  })
  expect([code, said]).toEqual([5, []])
  expect(heard).toEqual([{ command: 'claude', folder: '/project', window: 'w' }])
  expect(readFileSync(join(base, 'words'), 'utf8')).toBe('-p\na b\n\n')
  expect(readFileSync(join(base, 'hooks'), 'utf8')).toBe('hooks.json\n')
  const lines = readFileSync(join(base, 'env'), 'utf8').split('\n')
  expect(lines).toContain('TOKEN=t')
  expect(lines).toContain('NO_PROXY=a.example,127.0.0.1,localhost')
  expect(lines.filter((line) => /^(ELECTRON_|GREENLIGHT_(START|CLAUDE))/.test(line))).toEqual([])
  const plugins = lines
    .find((line) => line.startsWith('CLAUDE_CODE_PLUGIN_DIRS='))
    ?.split(/[=:]/)
    .slice(1)
  expect(plugins).toEqual([expect.stringMatching(/claude-hooks\/\d+\/plugin$/), '/theirs'])
  expect(existsSync(plugins?.[0] ?? '')).toBe(false)
})

it('starts nothing with what leaves hooks out, and asks no window', async () => {
  await own(fail('unasked', 'Never asked.'))
  expect(await run(['--model', 'x', '--bare'])).toBe(1)
  expect(await run([], { CLAUDE_CODE_SAFE_MODE: '1' })).toBe(1)
  expect(said).toEqual([
    '--bare leaves Greenlight’s hooks out, so nothing could be reviewed. Start it without, or start claude itself.',
    expect.stringContaining('CLAUDE_CODE_SAFE_MODE leaves'),
  ])
  expect(heard).toEqual([])
  await run(['-p', '--', '--bare'])
  expect(said.at(-1)).toBe('Never asked.')
})

it('starts nothing where nothing could be reviewed, and says why', async () => {
  expect(await run([])).toBe(1)
  await own(fail('no-window', 'No window of Greenlight has /project open. Open it, then try again.'))
  expect(await run([])).toBe(1)
  expect(said).toEqual([
    expect.stringContaining('Greenlight isn’t running'),
    'No window of Greenlight has /project open. Open it, then try again.',
  ])
})
