import { expect, test } from 'vitest'
import { type Environment, terminalEnvironment, withLoopback } from './environment'

function environment(
  base: Environment,
  additions: Environment = {},
  { programs = null, front = null }: { programs?: string | null; front?: string | null } = {},
) {
  return terminalEnvironment({ base, version: '1.2.3', platform: 'linux', additions, programs, front })
}

test('the terminal describes itself, and never as another editor', () => {
  const env = environment({
    TERM: 'dumb',
    TERM_PROGRAM: 'vscode',
    VSCODE_IPC_HOOK: 'x',
    TMUX: 'y',
    HOME: '/home/x',
  })
  expect(env).toMatchObject({
    HOME: '/home/x',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'Greenlight',
    TERM_PROGRAM_VERSION: '1.2.3',
  })
  expect(env).not.toHaveProperty('VSCODE_IPC_HOOK')
  expect(env).not.toHaveProperty('TMUX')
})

test("Electron's and the app's own variables stay inside", () => {
  const env = environment({ ELECTRON_RUN_AS_NODE: '1', GREENLIGHT_TOKEN: 'x', NO_COLOR: '1', PATH: '/bin' })
  expect(Object.keys(env).filter((name) => /ELECTRON|GREENLIGHT/.test(name))).toEqual([])
  expect(env).toMatchObject({ NO_COLOR: '1', PATH: '/bin' })
})

test('what an AppImage adds to its program is taken off again', () => {
  const of = '/tmp/.mount_GreenlX'
  const env = environment({
    APPIMAGE: '/home/x/Greenlight.AppImage',
    APPDIR: of,
    ARGV0: './Greenlight.AppImage',
    OWD: '/home/x',
    PATH: `${of}:${of}/usr/sbin:/usr/bin:/home/x/bin`,
    LD_LIBRARY_PATH: `${of}/usr/lib:`,
    XDG_DATA_DIRS: `./share/:/usr/share:${of}/usr/share`,
    GSETTINGS_SCHEMA_DIR: `${of}/usr/share/glib-2.0/schemas:`,
    HOME: '/home/x',
  })
  expect(Object.keys(env).filter((name) => /APP|ARGV0|OWD|LD_|GSETTINGS/.test(name))).toEqual([])
  expect(env).toMatchObject({
    HOME: '/home/x',
    PATH: '/usr/bin:/home/x/bin',
    XDG_DATA_DIRS: './share/:/usr/share',
  })
  // Somebody else's variable of that name stays.
  expect(environment({ ARGV0: 'x' })).toMatchObject({ ARGV0: 'x' })
})

test('what npm adds to a script is taken off again', () => {
  const npm = {
    npm_lifecycle_event: 'start',
    npm_config_prefix: '/usr',
    npm_config_registry: 'https://example.org',
    npm_package_name: 'x',
    INIT_CWD: '/x',
    PATH: '/x/node_modules/.bin:/node_modules/.bin:/npm/node-gyp-bin:/usr/bin:/own/node_modules/.bin',
  }
  const env = environment(npm)
  expect(env).toMatchObject({
    PATH: '/usr/bin:/own/node_modules/.bin',
    npm_config_registry: 'https://example.org',
  })
  for (const name of ['npm_lifecycle_event', 'npm_config_prefix', 'npm_package_name', 'INIT_CWD']) {
    expect(env).not.toHaveProperty(name)
  }
  expect(environment({ PATH: '/x/node_modules/.bin:/usr/bin' }).PATH).toBe('/x/node_modules/.bin:/usr/bin')
})

test('loopback does not go through a proxy', () => {
  expect(withLoopback(undefined)).toBe('127.0.0.1,localhost')
  expect(withLoopback('a.example, localhost')).toBe('a.example,localhost,127.0.0.1')
  expect(withLoopback('*')).toBe('*')
  const env = environment({ no_proxy: 'a.example' })
  expect(env.NO_PROXY).toBe('a.example,127.0.0.1,localhost')
  expect(env.no_proxy).toBe(env.NO_PROXY)
})

test('our own programs come last in PATH', () => {
  expect(environment({ PATH: '/usr/bin:/bin' }, {}, { programs: '/data/bin' }).PATH).toBe(
    '/usr/bin:/bin:/data/bin',
  )
  expect(environment({ PATH: '/data/bin:/bin' }, {}, { programs: '/data/bin' }).PATH).toBe('/data/bin:/bin')
  expect(environment({}, {}, { programs: '/data/bin' }).PATH).toBe('/data/bin')
})

test('wrappers come first in PATH, wherever an outer terminal has left them', () => {
  const front = '/data/agent-bin'
  expect(environment({ PATH: '/usr/bin:/data/agent-bin:/bin' }, {}, { front }).PATH).toBe(
    '/data/agent-bin:/usr/bin:/bin',
  )
  expect(environment({ PATH: '/bin' }, {}, { front, programs: '/data/bin' }).PATH).toBe(
    '/data/agent-bin:/bin:/data/bin',
  )
})

test('additions come last and can take a variable away', () => {
  const env = environment({ OUTER_PORT: '1', OUTER_TOKEN: 'x' }, { OUTER_PORT: '2', OUTER_TOKEN: undefined })
  expect(env.OUTER_PORT).toBe('2')
  expect(env).not.toHaveProperty('OUTER_TOKEN')
})
