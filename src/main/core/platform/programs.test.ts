import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findProgram,
  isStartedFromDesktop,
  joinSearchPaths,
  programCandidates,
  searchPathIn,
  searchPathOfLoginShell,
  startable,
} from './programs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, mode = 0o755): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, mode)
  return path
}

test('the first folder of PATH with an executable file wins', () => {
  program('a/tool', 0o644)
  mkdirSync(join(folder, 'b/tool'), { recursive: true })
  const found = program('c/tool')
  program('d/tool')
  const PATH = ['a', 'b', 'c', 'd'].map((name) => join(folder, name)).join(':')
  expect(findProgram('tool', { platform: 'linux', env: { PATH } })).toBe(found)
  expect(findProgram('other', { platform: 'linux', env: { PATH } })).toBeNull()
  expect(findProgram('', { platform: 'linux', env: { PATH } })).toBeNull()
})

test('a relative folder in PATH is never searched', () => {
  expect(programCandidates('tool', { platform: 'linux', env: { PATH: '.:bin:/usr/bin:' } })).toEqual([
    '/usr/bin/tool',
  ])
})

test('a path is taken as it is, with ~ for the home folder', () => {
  const path = program('bin/tool')
  expect(findProgram(path, { platform: 'linux', env: { PATH: '' } })).toBe(path)
  expect(findProgram('~/bin/tool', { platform: 'linux', env: { HOME: folder } })).toBe(path)
})

test('Windows tries each ending, and reads the variable however it is spelled', () => {
  const env = { Path: 'C:\\npm;D:\\tools', PATHEXT: '.EXE;.CMD' }
  expect(programCandidates('claude', { platform: 'win32', env })).toEqual([
    'C:\\npm\\claude.exe',
    'C:\\npm\\claude.cmd',
    'D:\\tools\\claude.exe',
    'D:\\tools\\claude.cmd',
  ])
  expect(programCandidates('C:\\x\\claude.CMD', { platform: 'win32', env })).toEqual(['C:\\x\\claude.CMD'])
})

test('a batch file runs in the command interpreter, a program by itself', () => {
  const place = { platform: 'win32' as const, env: { ComSpec: 'C:\\cmd.exe' } }
  expect(startable('C:\\npm\\claude.cmd', ['--x'], place)).toEqual({
    program: 'C:\\cmd.exe',
    args: ['/d', '/c', 'C:\\npm\\claude.cmd', '--x'],
  })
  expect(startable('C:\\claude.exe', ['--x'], place)).toEqual({ program: 'C:\\claude.exe', args: ['--x'] })
  expect(startable('/x.cmd', [], { platform: 'linux', env: {} }).program).toBe('/x.cmd')
})

test('the login shell tells its PATH whatever its profile prints', async () => {
  writeFileSync(
    join(folder, '.profile'),
    'echo "PATH=/wrong"\nexport PATH="/from/profile:$PATH"\necho --greenlight-environment--x\n',
  )
  const found = await searchPathOfLoginShell('/bin/sh', { HOME: folder, PATH: '/usr/bin:/bin' })
  expect(found).toContain('/from/profile:')
})

test('a login shell that says nothing gives no PATH', async () => {
  const silent = program('silent')
  expect(await searchPathOfLoginShell(silent, { PATH: '/usr/bin:/bin' })).toBeNull()
  expect(await searchPathOfLoginShell(join(folder, 'absent'), {})).toBeNull()
  expect(searchPathIn('m\nHOME=/\nm\n', 'm')).toBeNull()
})

test('search paths are joined without doubles', () => {
  expect(joinSearchPaths('/a:/b', '/b:/c', 'linux')).toBe('/a:/b:/c')
  expect(isStartedFromDesktop({ platform: 'linux', env: {} })).toBe(true)
  expect(isStartedFromDesktop({ platform: 'linux', env: { TERM: 'xterm' } })).toBe(false)
})
