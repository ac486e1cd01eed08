import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findHead, readBranch } from './branch'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-git-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('reads the branch of a repository from any folder below it', async () => {
  await mkdir(join(folder, '.git'))
  await mkdir(join(folder, 'a', 'b'), { recursive: true })
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/feature/x\n')
  const head = await findHead(join(folder, 'a', 'b'))
  expect(head).toBe(join(folder, '.git', 'HEAD'))
  expect(await readBranch(head ?? '')).toBe('feature/x')
})

it('reads a worktree and a detached head', async () => {
  await mkdir(join(folder, 'real'))
  await mkdir(join(folder, 'tree'))
  await writeFile(join(folder, 'tree', '.git'), 'gitdir: ../real\n')
  await writeFile(join(folder, 'real', 'HEAD'), `${'0a'.repeat(20)}\n`)
  const head = await findHead(join(folder, 'tree'))
  expect(await readBranch(head ?? '')).toBe('0a0a0a0a')
})

it('knows no branch where there is none', async () => {
  await writeFile(join(folder, 'HEAD'), 'nonsense')
  expect(await readBranch(join(folder, 'HEAD'))).toBeNull()
  expect(await readBranch(join(folder, 'missing'))).toBeNull()
})
