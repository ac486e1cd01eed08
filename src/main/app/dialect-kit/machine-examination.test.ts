import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dialects } from '../dialects'
import { examineMachine } from './machine-examination'

let home: string
let variables: Record<string, string>
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'machine-'))
  mkdirSync(join(home, 'bin'))
  variables = { HOME: home, TMPDIR: join(home, 'tmp'), PATH: join(home, 'bin') }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const noProcess = 2 ** 22 + 1
function lock(port: number, content: object, mode = 0o600): string {
  const folder = join(home, '.claude', 'ide')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${port}.lock`)
  writeFileSync(path, JSON.stringify(content))
  chmodSync(path, mode)
  return path
}
async function findings(title: string) {
  const part = (await examineMachine({ home, dataDir: join(home, 'data'), variables }, dialects)).find(
    (one) => one.title === title,
  )
  // Command lines of this machine are none of this test's.
  return (part?.findings ?? []).filter(({ words }) => !words.includes('(process '))
}

test('an empty machine is told how to get each agent, and nothing is bad', async () => {
  const claude = await findings('Claude Code')
  expect(claude.map(({ state }) => state)).toEqual(['note', 'note'])
  expect(claude[0]?.words).toContain('npm install -g @anthropic-ai/claude-code')
  expect((await findings('Gemini CLI'))[0]?.words).toContain('npm install -g @google/gemini-cli')
})

test('discovery files are told apart: ours that listens, left ones, those of other editors, open ones', async () => {
  lock(1111, {
    pid: process.pid,
    workspaceFolders: ['/work/here'],
    ideName: 'Greenlight',
    authToken: 'hidden-1',
  })
  const left = lock(2222, {
    pid: noProcess,
    workspaceFolders: [],
    ideName: 'Greenlight',
    authToken: 'hidden-2',
  })
  const other = lock(3333, {
    pid: process.pid,
    workspaceFolders: [],
    ideName: 'Some Editor',
    authToken: 'hidden-3',
  })
  const open = lock(4444, { pid: process.pid, ideName: 'Greenlight', authToken: 'hidden-4' }, 0o644)
  const found = await findings('Claude Code')
  const text = found.map(({ state, words }) => `${state} ${words}`).join('\n')
  expect(text).toContain('good Greenlight listens on 127.0.0.1:1111 for /work/here.')
  expect(text).toContain(`note ${left} was left behind by a Greenlight that has ended`)
  expect(text).toContain(`note Some Editor also offers itself as its editor (${other})`)
  expect(text).toContain(`bad ${open} can be read by other users`)
  expect(text).not.toContain('hidden')
})

test('Gemini’s files, version and switch are looked at', async () => {
  writeFileSync(join(home, 'bin', 'gemini'), '#!/bin/sh\necho 0.1.2\n')
  chmodSync(join(home, 'bin', 'gemini'), 0o755)
  variables['PATH'] = `${join(home, 'bin')}:/usr/bin:/bin`
  const folder = join(home, 'tmp', 'gemini', 'ide')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `gemini-ide-server-${process.pid}-5555.json`),
    JSON.stringify({
      port: 5555,
      workspacePath: '/work/a',
      ideInfo: { name: 'greenlight', displayName: 'Greenlight' },
    }),
    { mode: 0o600 },
  )
  const words = (await findings('Gemini CLI')).map(({ state, words: text }) => `${state} ${text}`)
  expect(words[0]).toMatch(/^bad Gemini CLI 0\.1\.2 is too old/)
  expect(words[1]).toMatch(/^bad Gemini CLI won’t look for an editor/)
  expect(words).toContain('good Greenlight listens on 127.0.0.1:5555 for /work/a.')
})

test('a proxy that swallows loopback is said', async () => {
  variables['https_proxy'] = 'http://proxy'
  expect((await findings('Claude Code')).at(-1)?.words).toContain('https_proxy is set')
})

test('the server for programs with --sdk-url: whether it listens, and who can read its address', async () => {
  const title = 'Programs with --sdk-url'
  expect(await findings(title)).toEqual([])
  const listening = createServer().listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const file = (name: number, mode: number) => {
    const path = join(home, 'data', 'sdk-servers', `${name}.token`)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, 'ws://127.0.0.1/hidden\n')
    chmodSync(path, mode)
    return path
  }
  const path = file(port, 0o600)
  // Nothing may listen on this one but its owner.
  const left = file(1, 0o600)
  expect(await findings(title)).toEqual([
    { state: 'good', words: `Greenlight listens on 127.0.0.1:${port}.` },
    {
      state: 'note',
      words: expect.stringContaining(`${left} was left behind by a Greenlight that has ended`),
    },
  ])
  chmodSync(path, 0o644)
  expect(await findings(title)).toContainEqual({
    state: 'bad',
    words: `${path} can be read by other users. Run chmod 600 ${path}`,
  })
  listening.close()
})
