import { expect, test } from 'vitest'
import {
  type CliFacts,
  type ServerFacts,
  checkServer,
  connectingTime,
  isOlder,
  proxyInTheWay,
} from './server-checks'

const now = 1_000_000_000
const cli: CliFacts = {
  pid: 77,
  agent: 'Gemini CLI',
  isConnected: false,
  terminal: null,
  cwd: '/work/project/src',
  started: now - 60_000,
  variables: {},
}
const facts: ServerFacts = {
  dialect: 'claude-ide',
  isOwn: true,
  fileNoun: 'lock file',
  agents: 'Gemini CLI',
  on: true,
  problem: null,
  port: 4242,
  started: now - 120_000,
  now,
  folders: ['/work/project'],
  files: [{ path: '/tmp/file.json', state: 'fine' }],
  refusals: [],
  clis: [],
  versions: [{ agent: 'Gemini CLI', version: '0.61.0', needs: '0.5.0' }],
  clientSwitch: { path: '/home/ada/.gemini/settings.json', enabled: true },
  portVariable: 'GEMINI_CLI_IDE_SERVER_PORT',
  anywhereByVariable: false,
  isContainer: false,
  containerVariable: 'REMOTE_CONTAINERS',
  connectCommand: '/ide enable',
}
const bad = (more: Partial<ServerFacts>) =>
  checkServer({ ...facts, ...more }).filter((check) => check.state !== 'good')
const badCli = (more: Partial<CliFacts>, server: Partial<ServerFacts> = {}) =>
  bad({ ...server, clis: [{ ...cli, ...more }] })

test('when all is well it says so, and nothing else', () => {
  const checks = checkServer(facts)
  expect(checks.map(({ state }) => state)).toEqual(['good', 'good', 'good'])
  expect(checks[0]?.words).toContain('127.0.0.1:4242')
  expect(badCli({ isConnected: true, cwd: '/elsewhere' })).toEqual([])
})

test('a server that is off can be switched on, and its own problem is said', () => {
  expect(checkServer({ ...facts, on: false })).toMatchObject([
    { state: 'bad', mend: { id: 'switch-on claude-ide', asks: null } },
  ])
  expect(checkServer({ ...facts, on: false, problem: 'No port is free.' })[0]?.words).toBe('No port is free.')
})

test.each(['missing', 'wrong', 'open-to-others'] as const)(
  'a file that is %s is named and written again',
  (state) => {
    const [check] = bad({
      files: [
        { path: '/a', state: 'fine' },
        { path: '/tmp/x.lock', state },
      ],
    })
    expect(check).toMatchObject({ state: 'bad', mend: { id: 'rewrite-files claude-ide' } })
    expect(check?.words).toContain('/tmp/x.lock')
  },
)

test('no file at all is bad', () => expect(bad({ files: [] })).toMatchObject([{ state: 'bad' }]))

test('the client’s own switch is mended only after it was said what will be written', () => {
  for (const enabled of [false, null]) {
    const [check] = bad({ clientSwitch: { path: '/home/ada/.gemini/settings.json', enabled } })
    expect(check?.mend?.asks).toContain('/home/ada/.gemini/settings.json')
  }
  expect(bad({ clientSwitch: { path: '/x', problem: 'Not readable.' } })).toMatchObject([
    { state: 'unsure', words: 'Not readable.', mend: null },
  ])
  expect(checkServer({ ...facts, clientSwitch: null }).map(({ id }) => id)).not.toContain(
    'claude-ide client switch',
  )
})

test('an old version is said, an unknown one is not', () => {
  expect(bad({ versions: [{ agent: 'Gemini CLI', version: '0.4.9', needs: '0.5.0' }] })[0]?.words).toContain(
    '0.4.9',
  )
  expect(bad({ versions: [{ agent: 'Gemini CLI', version: null, needs: '0.5.0' }] })).toEqual([])
})

test('versions are compared by their numbers', () => {
  expect(isOlder('1.0.9', '1.0.44')).toBe(true)
  expect(isOlder('1.0.44', '1.0.44')).toBe(false)
  expect(isOlder('0.61.0-nightly.3', '0.61.0')).toBe(false)
  expect(isOlder('2', '1.9.9')).toBe(false)
  expect(isOlder('unknown', '1.0.0')).toBe(false)
})

test('refusals of the last ten minutes are counted and explained', () => {
  const refusal = (status: number, age: number) => ({ at: now - age, status, message: 'It was refused so.' })
  expect(bad({ refusals: [refusal(401, 700_000)] })).toEqual([])
  expect(bad({ refusals: [refusal(403, 500_000), refusal(401, 1_000)] })[0]?.words).toMatch(/2 times.*token/)
  expect(bad({ refusals: [refusal(403, 1_000)] })[0]?.words).toContain('web page')
  expect(bad({ refusals: [refusal(400, 1_000)] })[0]?.words).toContain('It was refused so.')
})

test('a command line that has just started is given time', () => {
  expect(badCli({ started: now - connectingTime + 1 })).toEqual([])
})

test.each<[string, Partial<CliFacts>, Partial<ServerFacts>, string]>([
  ['another editor’s', { variables: { GEMINI_CLI_IDE_SERVER_PORT: '1' } }, {}, 'another editor'],
  ['outside', { cwd: '/work/project2' }, {}, '/work/project2, which is outside'],
  ['behind a proxy', { variables: { HTTPS_PROXY: 'http://p' } }, {}, 'HTTPS_PROXY'],
  ['in a container', {}, { isContainer: true }, 'REMOTE_CONTAINERS=1'],
  ['older than the server', { started: now - 130_000 }, {}, 'before this server'],
  ['for no reason we know', { started: null, cwd: null, variables: null }, {}, 'Type /ide enable in it'],
  ['that only a new start connects', {}, { connectCommand: null }, 'Restart it.'],
])('a command line %s is told why it isn’t connected', (_name, more, server, words) => {
  const checks = badCli(more, server)
  expect(checks).toHaveLength(1)
  expect(checks[0]?.words).toContain(words)
  expect(checks[0]?.words).toContain('77')
})

test('led by the variable, Claude may run anywhere; in a terminal of ours it is typed for', () => {
  const variables = { GEMINI_CLI_IDE_SERVER_PORT: '4242' }
  const [check] = badCli(
    { cwd: '/elsewhere', variables, terminal: { id: 't1', title: 'Gemini CLI 2' } },
    { anywhereByVariable: true },
  )
  expect(check?.words).toContain('“Gemini CLI 2”')
  expect(check?.mend?.id).toBe('type-connect claude-ide t1')
})

test('a proxy is in the way unless loopback is kept from it', () => {
  expect(proxyInTheWay({ http_proxy: 'x', no_proxy: 'a, 127.0.0.1' })).toBeNull()
  expect(proxyInTheWay({ http_proxy: 'x', NO_PROXY: '*' })).toBeNull()
  expect(proxyInTheWay({ http_proxy: 'x', NO_PROXY: 'localhost' })).toBe('http_proxy')
  expect(proxyInTheWay({ HTTP_PROXY: '' })).toBeNull()
})
