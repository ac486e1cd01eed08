import { mkdirSync, mkdtempSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DirectoryEntry } from './list-directory'
import { type DirectoryEvent, WatchedDirectory, compareLevels } from './watched-directory'
import { FileWatcher } from './watcher'

let folder: string
let watcher: FileWatcher
let watched: WatchedDirectory | undefined
let events: DirectoryEvent[]
let looks: number

const touch = (name: string) => writeFileSync(join(folder, name), '')
const shown = () => {
  let names: string[] = []
  for (const event of events) {
    if (event.kind === 'level') names = event.entries.map(({ name }) => name)
    else if (event.kind === 'more') names.push(...event.entries.map(({ name }) => name))
    else if (event.kind === 'failed') names = ['failed']
    else {
      names = names.filter((name) => !event.gone.includes(name))
      for (const { at, entry } of event.come) names.splice(at, 0, entry.name)
    }
  }
  return names
}
const follow = (keep: (entry: DirectoryEntry) => boolean = () => true) => {
  watched = new WatchedDirectory(folder, {
    watcher,
    keep: (entry) => {
      if (entry.name === 'first') looks += 1
      return keep(entry)
    },
    tell: (event) => events.push(event),
  })
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'greenlight-level-')))
  watcher = new FileWatcher()
  events = []
  looks = 0
})
afterEach(() => {
  watched?.dispose()
  watcher.dispose()
  rmSync(folder, { recursive: true, force: true })
})

describe('WatchedDirectory', () => {
  it('tells what comes and goes, and leaves out what does not count', async () => {
    touch('b')
    touch('hidden')
    follow(({ name }) => name !== 'hidden')
    await vi.waitFor(() => expect(shown()).toEqual(['b']))
    touch('a')
    mkdirSync(join(folder, 'lib'))
    await vi.waitFor(() => expect(shown()).toEqual(['lib', 'a', 'b']))
    unlinkSync(join(folder, 'b'))
    await vi.waitFor(() => expect(shown()).toEqual(['lib', 'a']))
    expect(events.filter(({ kind }) => kind === 'level')).toHaveLength(1)
  })

  it('says that a folder is gone, and shows it again when it is back', async () => {
    touch('a')
    follow()
    await vi.waitFor(() => expect(shown()).toEqual(['a']))
    rmSync(folder, { recursive: true })
    await vi.waitFor(() => expect(shown()).toEqual(['failed']))
    mkdirSync(folder)
    touch('b')
    await vi.waitFor(() => expect(shown()).toEqual(['b']))
  })

  it('tells a large folder in pieces', async () => {
    for (let index = 0; index < 6000; index++) touch(`f${index}`)
    follow()
    await vi.waitFor(() => expect(shown()).toHaveLength(6000), { timeout: 10_000 })
    expect(shown()).toEqual(Array.from({ length: 6000 }, (_, index) => `f${index}`))
    expect(events.map((event) => ('entries' in event ? event.entries.length : 0))).toEqual([500, 5000, 500])
    expect(events[0]).toMatchObject({ total: 6000, truncated: false })
  })

  it('looks seldom however much happens', async () => {
    touch('first')
    follow()
    await vi.waitFor(() => expect(shown()).toEqual(['first']))
    const begun = performance.now()
    for (let index = 0; index < 10_000; index++) {
      touch(`x${index % 50}`)
      if (index % 2 === 1) unlinkSync(join(folder, `x${index % 50}`))
      if (index % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    touch('last')
    await vi.waitFor(() => expect(shown()).toContain('last'), { timeout: 10_000 })
    // Told together every 50 ms at the most.
    expect(looks).toBeLessThan(5 + (performance.now() - begun) / 50)
  })
})

describe('compareLevels', () => {
  const entries = (names: readonly string[]): DirectoryEntry[] =>
    [...names].sort().map((name) => ({ name, path: `/${name}`, kind: 'file', symlink: false }))

  it('leads from any content to any other', () => {
    const some = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 30 })
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [before, after] = [entries(one), entries(other)]
        const change = compareLevels(before, after)
        const left = before.filter(({ name }) => !change?.gone.includes(name))
        for (const { at, entry } of change?.come ?? []) left.splice(at, 0, entry)
        expect(left).toEqual(after)
      }),
    )
  })

  it('knows what became something else, and when the whole is shorter', () => {
    const [a] = entries(['a'])
    const folder: DirectoryEntry = { name: 'a', path: '/a', kind: 'folder', symlink: false }
    expect(compareLevels(a ? [a] : [], [folder])).toEqual({ gone: ['a'], come: [{ at: 0, entry: folder }] })
    expect(compareLevels([], entries(Array.from({ length: 1001 }, (_, index) => `${index}`)))).toBeNull()
  })
})
