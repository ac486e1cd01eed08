import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderStates } from './folder-state'

let directory: string
let clock = 0
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'greenlight-folders-'))
  clock = 0
})
afterEach(() => rmSync(directory, { recursive: true }))

const open = () => new FolderStates(directory, () => ++clock)

test('nothing kept gives the defaults, and writes nothing', () => {
  expect(open().read(['/a'])).toMatchObject({
    folders: ['/a'],
    usedAt: 0,
    servers: {},
    layout: null,
    bounds: null,
  })
  expect(readdirSync(directory)).toEqual([])
})

test('what is kept is read by the next start, in whatever order the folders are named', () => {
  open().updateServer(['/a', '/b'], 'claude-ide', { port: 41_000, token: 'secret' })
  open().update(['/b', '/a'], { layout: { sideBar: 200 } })
  expect(open().read(['/a', '/b'])).toMatchObject({
    servers: { 'claude-ide': { on: true, port: 41_000, token: 'secret' } },
    layout: { sideBar: 200 },
  })
  expect(open().read(['/a']).layout).toBeNull()
})

test('its files are readable by their owner only', () => {
  open().update(['/a'], {})
  const [name = ''] = readdirSync(join(directory, 'folders'))
  expect(statSync(join(directory, 'folders', name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(directory, 'folders')).mode & 0o777).toBe(0o700)
})

test('a file that cannot be read counts as not there', () => {
  open().update(['/a'], { layout: { x: 1 } })
  const [name = ''] = readdirSync(join(directory, 'folders'))
  writeFileSync(join(directory, 'folders', name), '{"folders":')
  expect(open().read(['/a']).layout).toBeNull()
})

test('recent folders come latest first, each once', () => {
  const states = open()
  states.update(['/a'], {})
  states.update(['/b', '/a'], {})
  states.update(['/c'], {})
  expect(states.recentFolders(10)).toEqual(['/c', '/b', '/a'])
  expect(states.recentFolders(1)).toEqual(['/c'])
})

test('the folders that were open at the end are known until they are forgotten, the latest first', () => {
  const states = open()
  states.update(['/a'], { open: true })
  states.update(['/b', '/c'], { open: true, layout: { x: 1 } })
  states.update(['/d'], { open: true })
  states.update(['/d'], { open: false })
  expect(open().openFolders()).toEqual([['/b', '/c'], ['/a']])
  open().forgetOpen(['/c', '/b'])
  expect(open().openFolders()).toEqual([['/a']])
  expect(open().read(['/b', '/c']).layout).toEqual({ x: 1 })
})

test('what the disk refuses holds all the same, is told once, and is written when there is room', () => {
  writeFileSync(join(directory, 'folders'), 'no folder')
  const states = open()
  const told: string[] = []
  states.onProblem((sentence) => told.push(sentence))
  states.update(['/a'], { layout: { sideBar: 200 } })
  states.updateServer(['/b'], 'claude-ide', { port: 41_000 })
  expect(states.read(['/a']).layout).toEqual({ sideBar: 200 })
  expect(told).toEqual([expect.stringContaining('won’t be restored on the next start')])
  rmSync(join(directory, 'folders'))
  states.update(['/c'], {})
  expect(open().read(['/a']).layout).toEqual({ sideBar: 200 })
  expect(open().read(['/b']).servers['claude-ide']?.port).toBe(41_000)
})
