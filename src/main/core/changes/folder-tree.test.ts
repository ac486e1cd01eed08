import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FolderTree, type FolderTreeOptions, drainAtOnce, mostNotices } from './folder-tree'

let folder: string
let tree: FolderTree<number>
let hints: Map<string, number>
let gone: string[]
let lost: number
let moment: number

function makeTree(more: Partial<FolderTreeOptions<number>> = {}): FolderTree<number> {
  return new FolderTree<number>({
    folder,
    leaveOut: (folders) => Promise.resolve(new Set(folders.filter((path) => basename(path) === 'out'))),
    mark: () => moment,
    onHint: (path, mark) => hints.set(path, mark),
    onUnsure: (path) => gone.push(path),
    onLost: () => lost++,
    ...more,
  })
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-tree-')))
  hints = new Map()
  gone = []
  lost = 0
  moment = 1
  for (const name of [
    'a',
    'src/b',
    'src/deep/c',
    'out/d',
    '.git/e',
    'node_modules/f',
    'other/.git/g',
    'other/h',
  ]) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), name)
  }
  symlinkSync('a', join(folder, 'link'))
  tree = makeTree()
})
afterEach(async () => {
  tree.dispose()
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const heard = (name: string) => expect.poll(() => hints.has(at(name))).toBe(true)

it('knows every file but what is left out, other repositories and links', async () => {
  await tree.start()
  expect([...tree.files()].sort()).toEqual([at('a'), at('src/b'), at('src/deep/c')])
  expect([tree.sizeOf(at('src/b')), tree.sizeOf(at('link')), tree.isPartial]).toEqual([5, undefined, false])
})

it('tells of writes, renames over, new folders with all in them, and folders that are gone', async () => {
  await tree.start()
  writeFileSync(at('src/deep/c'), 'more')
  await heard('src/deep/c')
  writeFileSync(at('fresh'), 'x')
  renameSync(at('fresh'), at('a'))
  await heard('a')
  moment = 2
  mkdirSync(at('new/one/two'), { recursive: true })
  writeFileSync(at('new/one/two/file'), 'x')
  await heard('new/one/two/file')
  expect(hints.get(at('new/one/two/file'))).toBe(2)
  // And from then on what happens there.
  hints.clear()
  writeFileSync(at('new/one/later'), 'x')
  await heard('new/one/later')
  rmSync(at('src'), { recursive: true })
  await heard('src/b')
  await heard('src/deep/c')
  await expect.poll(() => gone).toContain(at('src'))
})

it('says nothing of what is left out', async () => {
  await tree.start()
  for (const name of ['out/d', '.git/e', 'node_modules/f', 'other/h', 'a']) writeFileSync(at(name), 'new')
  mkdirSync(at('src/out'))
  await heard('a')
  writeFileSync(at('src/out/x'), 'x')
  hints.clear()
  writeFileSync(at('src/b'), 'x')
  await heard('src/b')
  expect([...hints.keys()]).toEqual([at('src/b')])
})

it('says when it cannot see everything', async () => {
  tree = makeTree({ mostFolders: 2 })
  await tree.start()
  expect(tree.isPartial).toBe(true)
  tree.dispose()
  tree = makeTree({ mostFiles: 1 })
  await tree.start()
  expect(tree.isPartial).toBe(true)
})

it('keeps a flood bounded, and says that hints were lost', async () => {
  tree = makeTree({ mostHints: 100 })
  await tree.start()
  for (let index = 0; index < 2000; index++) writeFileSync(at(`src/many-${index}`), 'x')
  await expect.poll(() => lost).toBeGreaterThan(0)
  expect(hints.size).toBeLessThan(2000)
  await expect.poll(() => hints.size).toBeGreaterThan(0)
})

/** Counts calls between two turns of the event loop; gives the most there were. */
function countTurns(): { call: () => void; most: () => number } {
  let most = 0
  let now = 0
  return {
    most: () => most,
    call() {
      if (now === 0) setImmediate(() => (now = 0))
      now += 1
      most = Math.max(most, now)
    },
  }
}

it('takes no more than so much of a flood at once, and misses nothing of it', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `src/many-${index}`)
  for (const name of names) writeFileSync(at(name), 'x')
  const notices = countTurns()
  const handed = countTurns()
  const unsure: string[] = []
  tree = makeTree({
    mark: () => {
      notices.call()
      return moment
    },
    onHint: (path, mark) => {
      handed.call()
      hints.set(path, mark)
    },
    onUnsure: (path) => unsure.push(path),
  })
  await tree.start()
  // All of it waits for us when the loop goes on: about four notices for each file.
  for (const name of names) writeFileSync(at(name), 'xy')
  for (const name of names.slice(0, 100)) rmSync(at(name))
  writeFileSync(at('src/made'), 'x')
  mkdirSync(at('src/fresh'))
  writeFileSync(at('src/fresh/inside'), 'x')
  const all = [...names, 'src/made', 'src/fresh/inside']
  await expect.poll(() => all.filter((name) => !hints.has(at(name))), { timeout: 20_000 }).toEqual([])
  expect(unsure).toEqual([at('src')])
  // One more says that the folder is not heard any more, and two are marks of other folders.
  expect(notices.most()).toBeLessThanOrEqual(mostNotices + 3)
  expect(handed.most()).toBeLessThanOrEqual(drainAtOnce)
  // And it is watched again.
  await vi.waitFor(() => {
    hints.clear()
    writeFileSync(at('src/b'), `${Math.random()}`)
    return expect.poll(() => hints.has(at('src/b')), { timeout: 500 }).toBe(true)
  }, 10_000)
}, 60_000)
