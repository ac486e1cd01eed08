import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Conf from 'conf'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setAsideWhenBroken } from './broken-file'
import { createSettingsStore } from './settings-store'
import { keepComments } from './settings-text'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-settings-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const path = () => join(directory, 'settings.json')
const open = () =>
  createSettingsStore(
    new Conf<Record<string, unknown>>({
      cwd: directory,
      configName: 'settings',
      accessPropertiesByDotNotation: false,
      configFileMode: 0o600,
      ...keepComments(),
    }),
  )

describe('settings in a file', () => {
  test('are the defaults at first', () => {
    expect(open().get()).toMatchObject({
      theme: 'system',
      editorFontSize: 13,
      claudePermissionMode: 'manual',
    })
  })

  test('are kept, told as what changed, and read again by the next start', () => {
    const store = open()
    const heard: unknown[] = []
    store.onChange((change) => heard.push(change))
    store.set({ theme: 'dark', editorFontSize: 13 })
    store.set({ theme: 'dark' })
    expect(heard).toEqual([{ theme: 'dark' }])
    expect(open().get().theme).toBe('dark')
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('keep keys that this version does not know', () => {
    writeFileSync(path(), JSON.stringify({ fromTheFuture: [1], theme: 'light' }))
    const store = open()
    store.set({ reviewWrap: true })
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
      fromTheFuture: [1],
      theme: 'light',
      reviewWrap: true,
    })
  })

  test('with a value that is not valid fall back for that one and say so', () => {
    writeFileSync(path(), JSON.stringify({ theme: 'pink', editorFontSize: 20 }))
    const store = open()
    expect(store.get()).toMatchObject({ theme: 'system', editorFontSize: 20 })
    expect(store.problems).toEqual([expect.stringContaining('theme')])
  })
})

describe('a file that somebody else writes', () => {
  test('holds whole or not at all, and is told', () => {
    writeFileSync(path(), '{ "theme": "light", "editorFontSize": 20 }')
    const store = open()
    const problems: (string | null)[] = []
    store.onProblem((problem) => problems.push(problem))
    writeFileSync(path(), '{ "theme": "dark", "editorFontSize": 99 }')
    store.reload()
    expect(store.get()).toMatchObject({ theme: 'light', editorFontSize: 20 })
    writeFileSync(path(), '{ "theme": "dark", "editorFontSize": 9')
    store.reload()
    expect(store.get().theme).toBe('light')
    expect(store.set({ reviewWrap: true })).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    expect(readFileSync(path(), 'utf8')).toBe('{ "theme": "dark", "editorFontSize": 9')
    writeFileSync(path(), '{ "theme": "dark" }')
    store.reload()
    expect(store.get()).toMatchObject({ theme: 'dark', editorFontSize: 13 })
    expect(problems).toEqual([
      'Line 1, column 38: editorFontSize is a whole number from 8 to 32.',
      expect.stringContaining('A } is missing'),
      null,
    ])
  })

  test('that cannot be read any more leaves what holds as it is', () => {
    writeFileSync(path(), '{ "theme": "light" }')
    const store = open()
    rmSync(path())
    mkdirSync(path())
    store.reload()
    expect(store.get().theme).toBe('light')
    expect(store.problem).toContain('isn’t a regular file')
    expect(store.set({ reviewWrap: true })).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    rmSync(path(), { recursive: true })
    store.reload()
    expect(store.get().theme).toBe('system')
    expect(store.problem).toBeNull()
  })

  test('keeps its comments when a setting changes in Greenlight, and when one is reset', () => {
    writeFileSync(path(), '{\n  // at night\n  "theme": "dark", // mine\n  "reviewWrap": true\n}\n')
    const store = open()
    store.set({ theme: 'light' }, ['reviewWrap'])
    expect(readFileSync(path(), 'utf8')).toBe('{\n  // at night\n  "theme": "light", // mine\n}\n')
    expect(store.stored()).toEqual({ theme: 'light' })
  })
})

describe('a broken file', () => {
  const now = () => new Date('2026-11-21T10:11:12.000Z')
  test.each(['{"theme":', '[]', 'null', 'theme: dark'])('%j is set aside and told', (text) => {
    writeFileSync(path(), text)
    expect(setAsideWhenBroken(path(), now)).toContain('moved to')
    expect(readdirSync(directory)).toEqual(['settings.json.broken-2026-11-21T10-11-12.000Z'])
    expect(readFileSync(join(directory, 'settings.json.broken-2026-11-21T10-11-12.000Z'), 'utf8')).toBe(text)
  })
  test('is set aside beside one of the same moment', () => {
    for (const text of ['[1]', '[2]']) {
      writeFileSync(path(), text)
      expect(setAsideWhenBroken(path(), now)).toContain('moved to')
    }
    expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))).toEqual([
      '[1]',
      '[2]',
    ])
  })
  test('that is in order, or not there, is left alone', () => {
    expect(setAsideWhenBroken(path())).toBeNull()
    writeFileSync(path(), '{"a":1}')
    expect(setAsideWhenBroken(path())).toBeNull()
    expect(readdirSync(directory)).toEqual(['settings.json'])
  })
})

test('a disk that refuses changes nothing, and says so', () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  const store = createSettingsStore({
    path: path(),
    get store() {
      return {}
    },
    set store(_values) {
      throw full
    },
  })
  expect(store.set({ theme: 'dark' })).toMatchObject({ ok: false, failure: { code: 'unwritable' } })
  expect(store.get().theme).toBe('system')
})
