import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findIgnored } from './ignored'
import { readStatus } from './status'
import { findIgnoredIn, findUnchanged, readCommitted, readWorkTree } from './work-tree'

let base: string
let top: string
let env: Record<string, string | undefined>
const at = (name: string) => join(top, name)
/** Each program of the repository leaves a file here that bears its name. */
const ran = () => readdirSync(join(base, 'ran')).sort()

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')))
  top = join(base, 'repository')
  mkdirSync(top)
  mkdirSync(join(base, 'ran'))
  mkdirSync(join(base, 'home'))
  env = { PATH: process.env['PATH'], HOME: join(base, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
})
afterEach(() => rmSync(base, { recursive: true }))

/** git as a person has it, with all that the repository configures. */
function git(...args: string[]): string {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'commit.gpgSign=false']
  const options = { cwd: top, env: env as NodeJS.ProcessEnv, stdio: 'pipe', timeout: 20_000 } as const
  return execFileSync('git', [...identity, ...args], options).toString()
}

function write(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

/** Makes a program that leaves its name, and hands on what it gets unless told otherwise. */
function program(name: string, end = 'exec cat'): string {
  const path = join(base, `${name}.sh`)
  writeFileSync(path, `#!/bin/sh\ntouch '${join(base, 'ran', name)}'\n${end}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Files of the same size and another time, so that git has to read them. */
function touchAll(...names: string[]): void {
  for (const name of names) utimesSync(at(name), 1_600_000_000, 1_600_000_000)
}

async function askEverything(): Promise<void> {
  const names = ['a.clean', 'b.process', 'c.dotted', 'd.included', 'e.global', 'plain.txt']
  const paths = names.map(at)
  await readStatus(top, { env })
  await readStatus(at('nested'), { env })
  const tree = await readWorkTree(top, { env })
  const known = tree ?? { top, commit: git('rev-parse', 'HEAD').trim() }
  await readCommitted(known, paths, (path) => statSync(path).size, 1 << 20, { env })
  await readCommitted(known, paths, () => undefined, 1 << 20, { env })
  await findUnchanged(known, paths, { env })
  await findIgnoredIn(top, paths, { env })
  await findIgnored(paths, { env })
}

function fill(): void {
  git('init', '-q', '-b', 'main')
  for (const name of ['a.clean', 'b.process', 'c.dotted', 'd.included', 'e.global', 'plain.txt']) {
    write(name, `text of ${name}\n`)
  }
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
}

/** A repository in which whatever git would run is a program of a stranger. */
function makeHostile(): void {
  fill()
  write('.gitattributes', '*.clean filter=plain diff=plain\n*.process filter=long\n*.global filter=own\n')
  write('.git/info/attributes', '*.dotted filter=with.dots\n*.included filter=included\n')
  write(
    '.git/more',
    `[filter "included"]\n clean = ${program('included')}\n smudge = ${program('included')}\n`,
  )
  writeFileSync(
    join(base, 'home', '.gitconfig'),
    `[filter "own"]\n clean = ${program('global')}\n smudge = ${program('global')}\n required = true\n`,
  )
  const configured: [string, string][] = [
    ['filter.plain.clean', program('clean')],
    ['filter.plain.smudge', program('smudge')],
    ['filter.plain.required', 'true'],
    ['filter.long.process', program('process')],
    ['filter.with.dots.clean', program('dotted')],
    ['filter.with.dots.smudge', program('dotted')],
    ['includeIf.gitdir:**.path', at('.git/more')],
    ['core.fsmonitor', program('fsmonitor')],
    ['core.hooksPath', join(base, 'hooks')],
    ['core.pager', program('pager')],
    ['pager.status', program('pager')],
    ['core.editor', program('editor')],
    ['core.sshCommand', program('ssh')],
    ['core.gitProxy', program('proxy')],
    ['core.askPass', program('askpass')],
    ['core.alternateRefsCommand', program('alternates')],
    ['credential.helper', program('credentials')],
    ['gpg.program', program('gpg')],
    ['diff.external', program('diff')],
    ['diff.plain.command', program('diff')],
    ['diff.plain.textconv', program('textconv')],
    ['alias.status', `!${program('alias')}`],
    ['alias.rev-parse', `!${program('alias')}`],
    ['status.submoduleSummary', 'true'],
    ['submodule.recurse', 'true'],
  ]
  for (const [name, value] of configured) git('config', name, value)
  mkdirSync(join(base, 'hooks'))
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-checkout']) {
    writeFileSync(join(base, 'hooks', hook), readFileSync(program(hook)), { mode: 0o755 })
  }
  // A repository within, of which the outer one knows.
  execFileSync('git', ['init', '-q', at('nested')])
  for (const [name, value] of configured) execFileSync('git', ['-C', at('nested'), 'config', name, value])
  writeFileSync(at('nested/f.clean'), 'text\n')
  writeFileSync(at('nested/.gitattributes'), '*.clean filter=plain\n')
  rmSync(join(base, 'ran'), { recursive: true })
  mkdirSync(join(base, 'ran'))
  touchAll('a.clean', 'c.dotted', 'd.included', 'e.global')
}

it.skipIf(process.platform === 'win32')('runs nothing that a repository configures', async () => {
  makeHostile()
  await askEverything()
  expect(ran()).toEqual([])
  // It would all have run.
  for (const args of [['status'], ['cat-file', '--filters', 'HEAD:c.dotted']]) {
    try {
      git(...args)
    } catch {
      // Programs that say nothing are bad filters.
    }
  }
  expect(ran()).toEqual(expect.arrayContaining(['clean', 'dotted', 'fsmonitor', 'global', 'included']))
})

it.skipIf(process.platform === 'win32')('fetches nothing that a partial clone lacks', async () => {
  fill()
  const blob = git('rev-parse', 'HEAD:plain.txt').trim()
  rmSync(at(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`))
  const configured = {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.url': join(base, 'elsewhere'),
    'remote.origin.promisor': 'true',
    'remote.origin.uploadpack': program('uploadpack', 'exit 1'),
    'protocol.allow': 'always',
  }
  for (const [name, value] of Object.entries(configured)) git('config', name, value)
  touchAll('plain.txt')
  await askEverything()
  expect(ran()).toEqual([])
  expect(() => git('cat-file', 'blob', blob)).toThrow()
  expect(ran()).toEqual(['uploadpack'])
})

it('does not ask git where a filter has a name that cannot be turned off', async () => {
  fill()
  git('config', 'filter.a=b.clean', program('clean'))
  write('.gitattributes', '*.clean filter=a=b\n')
  touchAll('a.clean')
  expect(await readStatus(top, { env })).toBeNull()
  await askEverything()
  expect(ran()).toEqual([])
})

it('leaves another repository aside that the surroundings name', async () => {
  fill()
  const other = { ...env, GIT_DIR: join(base, 'none'), GIT_WORK_TREE: base }
  expect((await readStatus(top, { env: other }))?.head.branch).toBe('main')
})

it.skipIf(process.platform === 'win32')('tells sensibly of files that go through a filter', async () => {
  fill()
  // As Git LFS does: a pointer is committed, and the file holds something else.
  git('config', 'filter.large.clean', "sed 's/^/pointer /'")
  git('config', 'filter.large.smudge', "sed 's/^pointer //'")
  git('config', 'filter.large.required', 'true')
  write('.gitattributes', '*.large filter=large\n')
  for (const name of ['same', 'racy', 'changed', 'gone']) write(`${name}.large`, `content ${name}\n`)
  git('add', '-A')
  git('commit', '-q', '-m', 'large files')
  write('changed.large', 'content of somebody\n')
  rmSync(at('gone.large'))
  const status = await readStatus(top, { env })
  expect([...(status?.marks ?? [])]).toEqual([
    [at('changed.large'), 'modified'],
    [at('gone.large'), 'deleted'],
  ])
  const tree = await readWorkTree(top, { env })
  if (!tree) throw new Error('no tree')
  expect(tree.unclean).toEqual(expect.arrayContaining([at('changed.large'), at('gone.large')]))
  const paths = [at('gone.large'), at('plain.txt')]
  const committed = await readCommitted(tree, paths, () => undefined, 1 << 20, { env })
  // A pointer is not what was there.
  expect(committed.get(at('gone.large'))).toEqual({ kind: 'unknown' })
  expect(committed.get(at('plain.txt'))).toMatchObject({ kind: 'file' })
  expect(await findUnchanged(tree, [at('plain.txt')], { env })).toEqual(new Set([at('plain.txt')]))
})
