import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findIgnored } from './ignored'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-ignored-')))
})
afterEach(() => rmSync(root, { recursive: true }))

test('each repository answers for its own files; what is tracked or in none is not ignored', async () => {
  const write = (name: string, text = '') => {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), text)
    return join(root, name)
  }
  for (const name of ['one', 'one/inner']) execFileSync('git', ['init', '-q', join(root, name)])
  write('one/.gitignore', '*.log\nbuild/\n')
  const tracked = write('one/kept.log')
  execFileSync('git', ['-C', join(root, 'one'), 'add', '-f', 'kept.log'])
  const ignored = [write('one/a.log'), write('one/build/x/y.js'), write('one/نص.log')]
  const others = [tracked, write('one/a.ts'), write('one/inner/b.log'), write('outside.log')]
  expect(await findIgnored([...ignored, ...others])).toEqual(new Set(ignored))
})

test('git that cannot be run is not taken for a no, and nothing is asked outside of repositories', async () => {
  execFileSync('git', ['init', '-q', join(root, 'one')])
  const missing = { git: join(root, 'no-git') }
  expect(await findIgnored([join(root, 'one', 'a.log')], missing)).toBeNull()
  expect(await findIgnored([join(root, 'a.log')], missing)).toEqual(new Set())
})
