import { expect, test } from 'vitest'
import { type ShellQuestion, chooseShell } from './shells'

function ask(changes: Partial<ShellQuestion> & { present: readonly string[] }) {
  const { present, ...rest } = changes
  return chooseShell({
    setting: '',
    platform: 'linux',
    env: {},
    userShell: null,
    exists: (program) => present.includes(program),
    ...rest,
  })
}

test('the setting comes before everything else', () => {
  const shell = ask({
    setting: '/opt/fish',
    env: { SHELL: '/bin/zsh' },
    present: ['/opt/fish', '/bin/zsh', '/bin/bash'],
  })
  expect(shell).toEqual({ program: '/opt/fish', args: [] })
})

test('what cannot be run is passed over, down to the usual shells', () => {
  const env = { SHELL: '/gone/zsh' }
  expect(ask({ setting: '/gone/fish', env, userShell: '/bin/dash', present: ['/bin/dash'] }).program).toBe(
    '/bin/dash',
  )
  expect(ask({ env, present: ['/bin/bash', '/bin/sh'] }).program).toBe('/bin/bash')
  expect(ask({ env, present: [] }).program).toBe('/bin/sh')
})

test('accounts without a login get a usable shell', () => {
  const present = ['/usr/sbin/nologin', '/bin/bash']
  expect(ask({ env: { SHELL: '/usr/sbin/nologin' }, userShell: '/usr/sbin/nologin', present }).program).toBe(
    '/bin/bash',
  )
})

test('macOS starts login shells', () => {
  expect(ask({ platform: 'darwin', env: { SHELL: '/bin/zsh' }, present: ['/bin/zsh'] })).toEqual({
    program: '/bin/zsh',
    args: ['-l'],
  })
  expect(ask({ platform: 'darwin', setting: '/opt/nu', present: ['/opt/nu'] }).args).toEqual([])
})

test('Windows prefers PowerShell and ends at the command interpreter', () => {
  const env = { ComSpec: 'C:\\Windows\\system32\\cmd.exe' }
  expect(ask({ platform: 'win32', env, present: ['powershell.exe', env.ComSpec] }).program).toBe(
    'powershell.exe',
  )
  expect(ask({ platform: 'win32', env, present: [env.ComSpec] }).program).toBe(env.ComSpec)
  expect(ask({ platform: 'win32', env: {}, present: [] }).program).toBe('cmd.exe')
})
