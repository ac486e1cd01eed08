import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PathLists } from './path-lists'
import { findRipgrep } from '../platform/ripgrep'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'greenlight-paths-'))
  for (const name of [
    'one/src/app.ts',
    'one/.gitignore',
    'one/made/app.js',
    'two/app.md',
    'one/in/deep.ts',
  ]) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), name.endsWith('.gitignore') ? 'made\n' : '')
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('files of a window', () => {
  it('are found in all folders, without ignored ones, recent ones first, and looked for anew', async () => {
    const one = join(root, 'one')
    let folders = [
      { path: one, name: 'one' },
      { path: join(one, 'in'), name: 'in' },
      { path: join(root, 'two'), name: 'two' },
    ]
    const lists = new PathLists({
      folders: () => folders,
      ripgrep: () => Promise.resolve(findRipgrep(process.env)),
      leftOut: () => [],
    })
    const ask = async (typed: string, change: object = {}) => {
      const found = await lists.find({ typed, withIgnored: false, refresh: false, recent: [], ...change })
      return found.ok ? found.value.files.map(({ text }) => text) : []
    }
    expect(await ask('app')).toEqual(['two/app.md', 'one/src/app.ts'])
    expect(await ask('deep')).toEqual(['in/deep.ts'])
    expect(await ask('app', { recent: [join(one, 'src/app.ts')] })).toEqual(['one/src/app.ts', 'two/app.md'])
    expect(await ask('', { recent: [join(root, 'two/app.md'), join(root, 'gone')] })).toContain('two/app.md')
    expect(await ask('app', { withIgnored: true })).toContain('one/made/app.js')
    const added = join(root, 'two', 'added.txt')
    await writeFile(added, '')
    const renewed = new Promise<void>((resolve) => {
      lists.onChange(() => !lists.isListing && resolve())
    })
    await ask('app', { refresh: true })
    await renewed
    expect(await ask('txt')).toContain('two/added.txt')
    folders = folders.slice(0, 1)
    expect(await ask('app')).toEqual(['src/app.ts'])
    expect(await ask('deep')).toEqual(['in/deep.ts'])
    lists.dispose()
  })

  it('say what is to be done where there is no ripgrep, and are there as soon as there is', async () => {
    const programs = [null, join(root, 'no-such-program'), findRipgrep(process.env)]
    let at = 0
    const lists = new PathLists({
      folders: () => [{ path: join(root, 'one/src'), name: 'src' }],
      ripgrep: () => Promise.resolve(programs[at++] ?? null),
      leftOut: () => [],
    })
    const ask = () => lists.find({ typed: 'app', withIgnored: false, refresh: true, recent: [] })
    const failure = { code: 'no-program', message: expect.stringMatching(/Install it .*, then try again\.$/) }
    expect(await ask()).toMatchObject({ failure })
    expect(await ask()).toMatchObject({ failure })
    // A page asks again with each generation: without a list there is none.
    expect([lists.generation, lists.isListing]).toEqual([0, false])
    expect(await ask()).toMatchObject({ value: { count: 1 } })
    expect(lists.generation).toBe(1)
    lists.dispose()
  })
})
