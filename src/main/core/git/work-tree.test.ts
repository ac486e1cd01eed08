import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findIgnoredIn, findUnchanged, readCommitted, readWorkTree } from './work-tree'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-tree-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' })
const at = (name: string) => join(folder, name)
const maxBytes = 1024 * 1024

async function repository(files: Record<string, string>): Promise<void> {
  git('init', '-q')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(at(name), '..'), { recursive: true })
    await writeFile(at(name), text)
  }
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
}

async function textAt(name: string, size?: number): Promise<string> {
  const tree = await readWorkTree(folder)
  if (!tree) throw new Error('no tree')
  const found = (await readCommitted(tree, [at(name)], () => size, maxBytes)).get(at(name))
  return found?.kind === 'file' ? found.bytes.toString('latin1') : (found?.kind ?? 'missing')
}

it('is null outside of a repository', async () => {
  expect(await readWorkTree(folder)).toBeNull()
  expect(await readWorkTree(folder, { git: '/nowhere/git' })).toBeNull()
})

it('lists what is not as the commit has it: changed, added, deleted, untracked, and what git was told to skip', async () => {
  await repository({
    'a b.txt': 'a\n',
    'ä/b': 'b',
    gone: 'x',
    kept: 'k',
    skipped: 's',
    '.gitignore': 'out\n',
  })
  await writeFile(at('a b.txt'), 'changed\n')
  await rm(at('gone'))
  await mkdir(at('new/deep'), { recursive: true })
  await writeFile(at('new/deep/\n"q"'), 'n')
  await writeFile(at('out'), 'ignored')
  git('update-index', '--skip-worktree', 'skipped')
  const tree = await readWorkTree(folder)
  expect(tree?.top).toBe(folder)
  expect(tree?.commit).toMatch(/^[0-9a-f]{40}$/)
  expect(tree?.unclean.sort()).toEqual(
    [at('a b.txt'), at('gone'), at('new/deep/\n"q"'), at('skipped')].sort(),
  )
})

it('speaks of the folder that it is asked about alone', async () => {
  await repository({ 'in/a': 'a', b: 'b' })
  await writeFile(at('b'), 'changed')
  await writeFile(at('in/new'), 'n')
  const tree = await readWorkTree(at('in'))
  expect(tree?.unclean).toEqual([at('in/new')])
  expect(tree?.top).toBe(folder)
})

it('knows no commit in a repository without one', async () => {
  git('init', '-q')
  await writeFile(at('a'), 'a')
  expect(await readWorkTree(folder)).toEqual({ folder, top: folder, commit: null, unclean: [at('a')] })
})

it('gives the text that a checkout would write, and the stored one where the file had that size', async () => {
  await repository({ 'a.txt': 'one\ntwo\n', 'b c.bin': '\0\x01', '.gitattributes': '*.txt text eol=crlf\n' })
  expect(await textAt('a.txt')).toBe('one\r\ntwo\r\n')
  expect(await textAt('a.txt', 10)).toBe('one\r\ntwo\r\n')
  expect(await textAt('a.txt', 8)).toBe('one\ntwo\n')
  expect(await textAt('a.txt', 9)).toBe('unknown')
  expect(await textAt('b c.bin')).toBe('\0\x01')
  expect(await textAt('never.txt')).toBe('absent')
})

it('reads many files at once, empty ones and odd names too; links and large ones are not known', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`f${index}`, 'x'.repeat(index % 7)]),
  )
  await repository({ ...many, '-x': 'dash', '*': 'star', ' lead': 'blank' })
  await symlink('f1', at('link'))
  await writeFile(at('large'), 'l'.repeat(maxBytes + 1))
  git('add', '-A')
  git('commit', '-q', '-m', 'second')
  const tree = await readWorkTree(folder)
  if (!tree) throw new Error('no tree')
  const names = [...Object.keys(many), '-x', '*', ' lead', 'link', 'large']
  const found = await readCommitted(tree, names.map(at), () => undefined, maxBytes)
  for (const name of Object.keys(many)) {
    expect(found.get(at(name))).toEqual({ kind: 'file', bytes: Buffer.from(many[name] ?? '') })
  }
  const texts = ['-x', '*', ' lead'].map((name) => found.get(at(name)))
  expect(texts.map((one) => one?.kind === 'file' && one.bytes.toString())).toEqual(['dash', 'star', 'blank'])
  expect([found.get(at('link'))?.kind, found.get(at('large'))?.kind]).toEqual(['unknown', 'unknown'])
})

it('keeps to the commit that it saw, whatever is committed later', async () => {
  await repository({ a: 'before' })
  const tree = await readWorkTree(folder)
  await writeFile(at('a'), 'after')
  git('commit', '-q', '-am', 'second')
  const found = tree && (await readCommitted(tree, [at('a')], () => undefined, maxBytes)).get(at('a'))
  expect(found).toEqual({ kind: 'file', bytes: Buffer.from('before') })
})

it('tells unchanged files from changed ones, line ends that git would take away left aside', async () => {
  await repository({ 'a.txt': 'one\n', b: 'b', c: 'c', '.gitattributes': '*.txt text\n' })
  await writeFile(at('a.txt'), 'one\r\n')
  await writeFile(at('b'), 'other')
  const tree = await readWorkTree(folder)
  const same = tree && (await findUnchanged(tree, ['a.txt', 'b', 'c', 'new'].map(at)))
  expect(same).toEqual(new Set([at('a.txt'), at('c')]))
})

it('knows what is ignored, but for what is tracked; null where git cannot be asked', async () => {
  await repository({ 'tracked.log': 'x', a: 'a' })
  await writeFile(at('.gitignore'), '*.log\nout/\n')
  await mkdir(at('out'))
  const paths = ['tracked.log', 'other.log', 'out', 'out/deep/file', 'a'].map(at)
  const ignored = await findIgnoredIn(folder, paths)
  expect(ignored).toEqual(new Set([at('other.log'), at('out'), at('out/deep/file')]))
  expect(await findIgnoredIn(folder, [])).toEqual(new Set())
  expect(await findIgnoredIn(folder, [at('a')], { git: '/nowhere/git' })).toBeNull()
})

it('takes names for names, also where they look like patterns', async () => {
  await repository({ ':x': 'colon', ':(top)y': 'magic', '[z]': 'brackets' })
  expect(await textAt(':x')).toBe('colon')
  expect(await textAt(':(top)y')).toBe('magic')
  expect(await textAt('[z]')).toBe('brackets')
  const tree = await readWorkTree(folder)
  const env = { ...process.env, GIT_ICASE_PATHSPECS: '1' }
  const found = await readCommitted(
    tree ?? { top: '', commit: null },
    [at(':x')],
    () => undefined,
    maxBytes,
    { env },
  )
  expect(found.get(at(':x'))).toMatchObject({ kind: 'file' })
})

it('is null where the folder has become a file', async () => {
  await writeFile(at('file'), '')
  expect(await readWorkTree(at('file'))).toBeNull()
})
