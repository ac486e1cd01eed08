import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NestedRepositories } from './nested-repositories'

let folder: string
let nested: NestedRepositories
let told: string[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-nested-')))
  told = []
  nested = new NestedRepositories({
    tell: (path, isRepository) => told.push(`${isRepository ? '+' : '-'}${path.slice(folder.length + 1)}`),
    every: 20,
  })
})
afterEach(() => {
  nested.dispose()
  rmSync(folder, { recursive: true })
})

function init(name: string): void {
  mkdirSync(join(folder, name), { recursive: true })
  execFileSync('git', ['init', '-q', name], { cwd: folder })
}

test('finds repositories, also where .git is a file, and no others', async () => {
  init('own')
  // A submodule's .git names a folder elsewhere.
  init('elsewhere')
  for (const name of ['module', 'broken', 'plain']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'module', '.git'), 'gitdir: ../elsewhere/.git\n')
  writeFileSync(join(folder, 'broken', '.git'), 'nothing\n')
  nested.look(['plain', 'own', 'broken', 'module', 'gone'].map((name) => join(folder, name)))
  await expect.poll(() => told).toEqual(['+own', '+module'])
})

test('one that comes or goes later is told too', async () => {
  mkdirSync(join(folder, 'late'))
  init('first')
  nested.look([join(folder, 'late'), join(folder, 'first')])
  await expect.poll(() => told).toEqual(['+first'])
  init('late')
  await expect.poll(() => told).toEqual(['+first', '+late'])
  rmSync(join(folder, 'first', '.git'), { recursive: true })
  await expect.poll(() => told).toEqual(['+first', '+late', '-first'])
})

test('however many there are, thirty are told', async () => {
  const names = Array.from({ length: 33 }, (_, index) => `r${index}`)
  for (const name of names) {
    mkdirSync(join(folder, name, '.git'), { recursive: true })
    writeFileSync(join(folder, name, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  }
  nested.look(names.map((name) => join(folder, name)))
  await expect.poll(() => told.length).toBe(30)
  rmSync(join(folder, 'r0', '.git'), { recursive: true })
  // Its place goes to another.
  await expect.poll(() => told.slice(30)).toEqual(['-r0', '+r30'])
})
