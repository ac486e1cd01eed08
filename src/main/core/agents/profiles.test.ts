import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type StartSettings, versionIn } from './agent'
import { claude } from './claude'
import { gemini } from './gemini'
import { Profiles } from './profiles'

/** The option as 2.1.330 describes it, and as versions before `manual` did. */
const helpNow = `Options:
  --permission-mode <mode>   Permission mode to use for the session
                             (choices: "acceptEdits", "auto",
                             "bypassPermissions", "manual", "plan")
  --manual                   something else
`
const helpThen = helpNow.replace('"manual", ', '"default", ')

let folder: string
let settings: StartSettings
let profiles: Profiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'profiles-'))
  mkdirSync(join(folder, 'bin'))
  settings = { terminalShell: '', terminalProfiles: [], claudePermissionMode: 'manual' }
  profiles = new Profiles([claude, gemini], {
    settings: () => settings,
    environment: async () => ({
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
      SHELL: '/bin/sh',
      HOME: folder,
    }),
  })
})
afterEach(() => {
  profiles.dispose()
  rmSync(folder, { recursive: true, force: true })
})

function install(name: string, script: string): string {
  const path = join(folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "$@" >> ${folder}/asked\n${script}`)
  chmodSync(path, 0o755)
  return path
}

function installClaude(help: string, version = '2.1.330'): string {
  writeFileSync(join(folder, 'help'), help)
  return install(
    'claude',
    `case "$1" in --version) echo "${version} (Claude Code)";; --help) cat ${folder}/help;; esac`,
  )
}

const argsOf = async (id: string) => {
  const launch = await profiles.launch(id)
  return launch.ok ? launch.value.args : launch.failure.code
}

test('the list is there at once, and tells what is installed when that is known', async () => {
  expect(profiles.snapshot().map(({ id, title, kind }) => [id, title, kind])).toEqual([
    ['shell', 'Shell', 'shell'],
    ['claude', 'Claude Code', 'agent'],
    ['gemini', 'Gemini CLI', 'agent'],
  ])
  const program = installClaude(helpNow)
  const heard: unknown[] = []
  profiles.onChange((list) => heard.push(list))
  await profiles.refresh()
  expect(heard).toEqual([profiles.snapshot()])
  expect(profiles.snapshot()).toMatchObject([
    { id: 'shell', program: '/bin/sh', install: null },
    { id: 'claude', program, version: '2.1.330', install: null },
    { id: 'gemini', program: null, version: null, install: { command: 'npm install -g @google/gemini-cli' } },
  ])
  await profiles.refresh()
  expect(heard).toHaveLength(1)
})

test('an agent that is missing answers how to install it, and is found as soon as it is there', async () => {
  expect(await profiles.launch('claude')).toMatchObject({
    ok: false,
    failure: { code: 'missing', message: expect.stringContaining('Claude Code isn’t installed') },
  })
  installClaude(helpNow)
  expect(await argsOf('claude')).toEqual(['--permission-mode', 'manual'])
})

test('Claude asks before each change unless the person chose otherwise', async () => {
  installClaude(helpNow)
  settings = { ...settings, claudePermissionMode: 'plan' }
  expect(await argsOf('claude')).toEqual(['--permission-mode', 'plan'])
  settings = { ...settings, claudePermissionMode: '' }
  expect(await argsOf('claude')).toEqual([])
})

test('a version that does not know manual gets default, and one without help the current name', async () => {
  installClaude(helpThen, '2.1.39')
  expect(await argsOf('claude')).toEqual(['--permission-mode', 'default'])
  rmSync(join(folder, 'bin/claude'))
  installClaude('')
  expect(await argsOf('claude')).toEqual(['--permission-mode', 'manual'])
})

test('a program is asked once, until it changes', async () => {
  installClaude(helpNow)
  await profiles.launch('claude')
  await profiles.launch('claude')
  await profiles.refresh()
  const asked = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n').sort()
  expect(asked()).toEqual(['--help', '--version'])
  installClaude(`${helpNow}more\n`, '2.1.331')
  writeFileSync(join(folder, 'bin/claude'), `${readFileSync(join(folder, 'bin/claude'), 'utf8')}\n# newer\n`)
  await profiles.refresh()
  expect(profiles.snapshot()[1]?.version).toBe('2.1.331')
})

test('a program that says nothing is found all the same', async () => {
  const program = install('gemini', 'exit 1')
  expect(await profiles.launch('gemini')).toEqual({
    ok: true,
    value: { title: 'Gemini CLI', program, args: [] },
  })
  await profiles.refresh()
  expect(profiles.snapshot()[2]).toMatchObject({ program, version: null, install: null })
})

test('own profiles are started as written, and told when they are missing or gone', async () => {
  const program = install('own', '')
  settings = {
    ...settings,
    terminalProfiles: [
      { id: 'mine', title: 'Mine', command: 'own', args: ['a b', '$HOME'] },
      { id: 'lost', title: 'Lost', command: 'not-there', args: [] },
    ],
  }
  await profiles.refresh()
  expect(profiles.snapshot().slice(3)).toMatchObject([
    { id: 'mine', title: 'Mine', kind: 'own', program, install: null },
    { id: 'lost', program: null, install: { command: 'not-there' } },
  ])
  expect(await profiles.launch('mine')).toEqual({
    ok: true,
    value: { title: 'Mine', program, args: ['a b', '$HOME'] },
  })
  expect(await argsOf('lost')).toBe('missing')
  expect(await argsOf('never')).toBe('unknown')
})

test('the shell is the one that the settings name, when it can be run', async () => {
  settings = { ...settings, terminalShell: '/bin/bash' }
  expect(await profiles.launch('shell')).toMatchObject({ value: { title: 'Shell', program: '/bin/bash' } })
  settings = { ...settings, terminalShell: '/gone' }
  expect(await profiles.launch('shell')).toMatchObject({ value: { program: '/bin/sh' } })
})

test('versions are read from what programs say', () => {
  expect(versionIn('2.1.330 (Claude Code)')).toBe('2.1.330')
  expect(versionIn('v0.61.0-nightly.1\n')).toBe('0.61.0-nightly.1')
  expect(versionIn('no version')).toBeNull()
})
