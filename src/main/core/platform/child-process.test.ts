import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import crowdedProcess from '../../../../test/crowded-process?modulePath'
import { outputOf, startProgram } from './child-process'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'child-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('gives what a program puts out, and whether it has failed', async () => {
  expect(await outputOf(process.execPath, ['-e', 'console.log(1); console.error(2)'], {})).toEqual({
    output: '1\n',
    complaints: '2\n',
    hasFailed: false,
  })
  expect(await outputOf(process.execPath, ['-e', 'process.exit(3)'], {})).toMatchObject({ hasFailed: true })
})

test('what the system cannot start is no error', async () => {
  const file = join(folder, 'a.txt')
  writeFileSync(file, 'no program')
  const nowhere = join(folder, 'none')
  const tooMuch = ['x'.repeat(8_000_000)]
  const impossible: [string, string[], object][] = [
    [nowhere, [], {}],
    [file, [], {}],
    [process.execPath, [], { cwd: nowhere }],
    [process.execPath, [], { cwd: file }],
    [process.execPath, tooMuch, {}],
    [process.execPath, ['a\0b'], {}],
  ]
  for (const [program, args, options] of impossible) {
    expect(startProgram(program, args, options)).toBeNull()
    expect(await outputOf(program, args, options)).toEqual({ output: '', complaints: '', hasFailed: true })
  }
})

test.skipIf(process.platform === 'win32')('nor is a process that has no descriptors left', async () => {
  const limit = 'ulimit -n 60; exec "$0" "$@"'
  const child = spawn('/bin/sh', ['-c', limit, process.execPath, crowdedProcess], { cwd: folder })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  let complained = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  const [code] = (await once(child, 'close')) as [number]
  expect([code, complained]).toEqual([0, ''])
  expect(JSON.parse(said)).toEqual({ before: true, started: false, git: null, ripgrep: false, after: true })
  expect(execFileSync(process.execPath, ['-e', 'console.log(1)']).toString()).toBe('1\n')
})
