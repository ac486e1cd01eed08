import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endProcessTree } from '../platform/process-tree'
import { findProgram } from '../platform/programs'
import { Pty } from './pty'
import { integrateShell, writeShellFiles } from './shell-integration'

let base: string
const running: Pty[] = []
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-shells-')))
  for (const folder of ['front', 'own', 'later'])
    put(join(base, folder, 'tool'), `#!/bin/sh\necho "${folder} $*" >> ${base}/said\n`)
  mkdirSync(join(base, 'home'))
  const written = writeShellFiles(join(base, 'files'))
  expect(written.ok).toBe(true)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((pty) => endProcessTree(pty.pid, 500)))
  rmSync(base, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** A file of the person's; `own` of PATH comes before all else in it, and the prompt is READY. */
const profile = (name: string, text: string) => put(join(base, 'home', name), text)

/** Types lines into a shell once it prompts, and gives what `tool` and the lines have said by the time it has ended. */
async function type(
  name: 'bash' | 'zsh' | 'fish',
  lines: readonly string[],
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<string[]> {
  const program = findProgram(name, { platform: process.platform, env: process.env }) ?? ''
  const usual = {
    HOME: join(base, 'home'),
    PATH: `${join(base, 'front')}:/usr/local/bin:/usr/bin:/bin`,
    TERM: 'xterm-256color',
    LC_ALL: 'C.UTF-8',
    ...env,
  }
  const places = { front: join(base, 'front'), files: join(base, 'files') }
  const pty = new Pty({
    ...{ program, cwd: base, columns: 200, rows: 24 },
    ...integrateShell(program, { args, env: usual }, places),
  })
  running.push(pty)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    let typed = false
    pty.onOutput((text) => {
      output += text
      if (typed || !output.includes('READY')) return
      typed = true
      pty.write([...lines, 'exit', ''].join('\r'))
    })
    pty.onEnd(() => (typed ? resolve() : reject(new Error(`it has ended: ${output}`))))
  })
  return existsSync(join(base, 'said')) ? readFileSync(join(base, 'said'), 'utf8').trimEnd().split('\n') : []
}

const isThere = (name: string) => findProgram(name, { platform: process.platform, env: process.env }) !== null
const said = (words: string) => `echo "${words}" >> ${'$HOME'}/../said`

describe.skipIf(process.platform === 'win32')('bash', () => {
  const own = (more = '') =>
    `export PATH=${join(base, 'own')}:$PATH\nalias tool='tool --aliased'\nPS1='READY> '\n${more}`
  const lines = () => [
    'tool a',
    `export PATH=${join(base, 'later')}:$PATH`,
    'tool b',
    '(exit 3)',
    said('status $?'),
    said('$PATH'),
  ]

  it.each(['', "PROMPT_COMMAND='true;'", 'PROMPT_COMMAND=(true true)', 'set -u', 'unset PROMPT_COMMAND'])(
    'finds it first after a profile that puts others before it: %s',
    async (more) => {
      profile('.bashrc', own(more))
      const [first, second, status, path] = await type('bash', lines())
      expect([first, second, status]).toEqual(['front --aliased a', 'front --aliased b', 'status 3'])
      expect(path?.split(':').slice(0, 3)).toEqual(['front', 'later', 'own'].map((name) => join(base, name)))
      expect(path?.split(':').filter((one) => one === join(base, 'front'))).toHaveLength(1)
    },
  )

  it('reads what a login shell reads, and the rest not', async () => {
    profile('.bashrc', 'READ_RC=1')
    profile('.profile', 'READ_PROFILE=1')
    profile('.bash_profile', own('READ_LOGIN=1'))
    const heard = await type(
      'bash',
      ['tool a', said('$READ_LOGIN-$READ_RC-$READ_PROFILE-$GREENLIGHT_LOGIN_SHELL')],
      {
        args: ['-l'],
      },
    )
    expect(heard).toEqual(['front --aliased a', '1---'])
  })

  it('goes past an alias with a path, and is silent without a file of the person’s', async () => {
    profile('.bashrc', own(`alias tool=${join(base, 'own', 'tool')}`))
    expect(await type('bash', ['tool a'])).toEqual(['own a'])
  })

  it('leaves the status of a command to what a person lets follow it', async () => {
    profile('.bashrc', own())
    const follow = "PROMPT_COMMAND+=$'\\nseen=$?'"
    expect(await type('bash', [follow, '(exit 3)', said('status $seen')])).toEqual(['status 3'])
  })

  it('puts nothing first once nothing is named', async () => {
    profile('.bashrc', own())
    expect(
      await type('bash', ['unset GREENLIGHT_WRAPPERS', `PATH=${join(base, 'later')}:$PATH`, 'tool a']),
    ).toEqual(['later --aliased a'])
  })
})

describe('zsh', () => {
  beforeEach((context) => context.skip(!isThere('zsh'), 'zsh isn’t installed'))

  const own = (more = '') =>
    `export PATH=${join(base, 'own')}:$PATH\nalias tool='tool --aliased'\nPROMPT='READY> '\nprecmd() { : }\n${more}`
  const lines = () => [
    'tool a',
    `export PATH=${join(base, 'later')}:$PATH`,
    'tool b',
    '(exit 3)',
    said('status $?'),
    said('${ZDOTDIR-unset} ${GREENLIGHT_ZDOTDIR-unset}'),
  ]

  it.each<[string, () => Record<string, string>, () => string]>([
    ['at home', () => (profile('.zshrc', own()), {}), () => 'unset'],
    [
      'where ZDOTDIR says',
      () => (profile('zd/.zshrc', own()), { ZDOTDIR: join(base, 'home', 'zd') }),
      () => join(base, 'home', 'zd'),
    ],
    [
      'where .zshenv says',
      () => (
        profile('.zshenv', 'export ZDOTDIR=$HOME/zd'),
        profile('zd/.zshrc', own('setopt ksh_arrays no_unset')),
        {}
      ),
      () => join(base, 'home', 'zd'),
    ],
  ])('finds it first with the person’s files %s', async (_, prepare, zdotdir) => {
    const heard = await type('zsh', lines(), { env: prepare() })
    expect(heard.slice(0, 3)).toEqual(['front --aliased a', 'front --aliased b', 'status 3'])
    expect(heard[3]).toBe(`${zdotdir()} unset`)
  })

  it('reads a login shell’s files once each', async () => {
    for (const name of ['.zshenv', '.zprofile', '.zshrc', '.zlogin'])
      profile(name, `READ="\${READ-} ${name}"\n`)
    profile('.zshrc', own('READ="${READ-} .zshrc"'))
    expect(await type('zsh', ['tool a', said('$READ')], { args: ['-l'] })).toEqual([
      'front --aliased a',
      ' .zshenv .zprofile .zshrc .zlogin',
    ])
  })
})

describe('fish', () => {
  beforeEach((context) => context.skip(!isThere('fish'), 'fish isn’t installed'))

  it.each([undefined, '/usr/share:/opt/my share'])(
    'finds it first, and the variable that brought it there is as before: %s',
    async (folders) => {
      profile(
        '.config/fish/config.fish',
        `set -gx PATH ${join(base, 'own')} $PATH\nalias tool 'command tool --aliased'\nfunction fish_prompt; echo 'READY> '; end\n`,
      )
      const heard = await type(
        'fish',
        [
          'tool a',
          `set -gx PATH ${join(base, 'later')} $PATH`,
          'tool b',
          "sh -c 'exit 3'",
          said('status $status'),
          `sh -c 'echo "$XDG_DATA_DIRS-$GREENLIGHT_XDG_DATA_DIRS" >> ${join(base, 'said')}'`,
        ],
        { env: folders === undefined ? {} : { XDG_DATA_DIRS: folders } },
      )
      expect(heard).toEqual(['front --aliased a', 'front --aliased b', 'status 3', `${folders ?? ''}-`])
    },
  )
})

it('starts a shell that isn’t known, or whose files are missing, as it was', () => {
  const start = { args: ['-l'], env: { HOME: '/h', ZDOTDIR: '/z' } }
  const places = { front: join(base, 'front'), files: join(base, 'files') }
  expect(integrateShell('/bin/dash', start, places)).toEqual(start)
  expect(integrateShell('/bin/constructor', start, places)).toEqual(start)
  expect(integrateShell('/bin/zsh', start, { ...places, files: join(base, 'gone') })).toEqual(start)
})

it('says so where the files can’t be written', () => {
  writeFileSync(join(base, 'text'), '')
  expect(writeShellFiles(join(base, 'text'))).toMatchObject({
    ok: false,
    failure: { code: 'no-shell-files' },
  })
})
