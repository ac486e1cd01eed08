import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findNeededPrograms } from './needed-programs'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-needed-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

const find = async (platform?: NodeJS.Platform) =>
  new Map((await findNeededPrograms({ PATH: folder }, platform)).map((program) => [program.id, program]))

test('tells what is there, in which version, and asks for nothing else', async () => {
  put('claude', `echo "$@" >> ${folder}/asked; echo "2.1.330 (Claude Code)"`)
  put('python3', 'echo "Python 3.11.2" >&2')
  put('codex', 'exit 1')
  const found = await find()
  expect(found.get('claude')).toMatchObject({ path: join(folder, 'claude'), version: '2.1.330' })
  expect(found.get('python')).toMatchObject({ version: '3.11.2' })
  expect(found.get('codex')).toMatchObject({ path: join(folder, 'codex'), version: null })
  expect(found.get('opencode')).toMatchObject({ path: null, version: null })
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('--version\n')
})

test('says how to get what is missing, for the system and its package manager', async () => {
  expect((await find('linux')).get('gemini')?.install).toBe('npm install -g @google/gemini-cli')
  put('dnf', '')
  expect((await find('linux')).get('git')?.install).toBe('sudo dnf install git')
  rmSync(join(folder, 'dnf'))
  put('pacman', '')
  expect((await find('linux')).get('python')?.install).toBe('sudo pacman -S python')
  expect((await find('darwin')).get('node')?.install).toBe('brew install node')
  expect((await find('win32')).get('git')?.install).toBe('winget install --exact --id Git.Git')
})
