import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defaultDataDirectory, prepareDataDirectory } from './directories'

describe('the default', () => {
  const home = '/home/ada'
  test('on Linux is under XDG_CONFIG_HOME, or .config', () => {
    expect(defaultDataDirectory({ platform: 'linux', env: {}, home })).toBe('/home/ada/.config/greenlight')
    const env = { XDG_CONFIG_HOME: '/data/config' }
    expect(defaultDataDirectory({ platform: 'linux', env, home })).toBe('/data/config/greenlight')
  })
  test('ignores a relative XDG_CONFIG_HOME', () => {
    const env = { XDG_CONFIG_HOME: 'config' }
    expect(defaultDataDirectory({ platform: 'linux', env, home })).toBe('/home/ada/.config/greenlight')
  })
  test('on macOS is Application Support', () => {
    expect(defaultDataDirectory({ platform: 'darwin', env: {}, home })).toBe(
      '/home/ada/Library/Application Support/Greenlight',
    )
  })
  test('on Windows is APPDATA', () => {
    const env = { APPDATA: '/roaming' }
    expect(defaultDataDirectory({ platform: 'win32', env, home })).toBe('/roaming/Greenlight')
  })
})

describe('preparing', () => {
  let base: string
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'greenlight-directories-'))
  })
  afterEach(() => rmSync(base, { recursive: true }))

  test('makes it for its owner only', () => {
    const made = prepareDataDirectory(join(base, 'a', 'b'))
    expect(made).toEqual({ ok: true, value: join(base, 'a', 'b') })
    expect(statSync(join(base, 'a', 'b')).mode & 0o777).toBe(0o700)
  })
  test('closes one that was open to others', () => {
    mkdirSync(join(base, 'open'), { mode: 0o755 })
    prepareDataDirectory(join(base, 'open'))
    expect(statSync(join(base, 'open')).mode & 0o777).toBe(0o700)
  })
  test('fails with a next step where a file stands in the way', () => {
    writeFileSync(join(base, 'file'), '')
    expect(prepareDataDirectory(join(base, 'file', 'x'))).toMatchObject({
      ok: false,
      failure: { code: 'no-data-directory', message: expect.stringContaining('--data-dir') },
    })
  })
})
