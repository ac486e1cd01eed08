import { describe, expect, it } from 'vitest'
import type { DirectoryState, FileEntry } from '../../../shared/contract/files'
import { type Directories, findByTyping, foldersAbove, layOutTree, moveInTree } from './tree-rows'

const file = (path: string): FileEntry => ({
  name: path.split('/').at(-1) ?? '',
  path,
  kind: 'file',
  symlink: false,
})
const folder = (path: string): FileEntry => ({ ...file(path), kind: 'folder' })
const entries = (...list: FileEntry[]) => ({
  kind: 'here' as const,
  data: { kind: 'entries', entries: list, total: list.length, truncated: false } satisfies DirectoryState,
})

const directories: Directories = new Map([
  ['/p', entries(folder('/p/lib'), folder('/p/src'), file('/p/a.md'))],
  ['/p/src', entries(file('/p/src/one.ts'), file('/p/src/two.ts'))],
  ['/p/lib', entries()],
])
const root = { path: '/p', name: 'p' }
const names = (expanded: string[]) =>
  layOutTree([root], new Set(expanded), directories).rows.map((row) =>
    row.kind === 'entry'
      ? `${row.level} ${row.entry.name}`
      : `${row.level} (${row.kind === 'draft' ? row.what : row.text})`,
  )

describe('layOutTree', () => {
  it('shows one root by its content', () => {
    expect(names([])).toEqual(['1 lib', '1 src', '1 a.md'])
  })

  it('has the field for a new name on top of its folder, also of an empty one', () => {
    const { rows } = layOutTree([root], new Set(['/p/lib']), directories, { folder: '/p/lib', what: 'file' })
    expect(rows.map((row) => (row.kind === 'entry' ? row.entry.name : row.kind))).toEqual([
      'lib',
      'draft',
      'src',
      'a.md',
    ])
  })

  it('says how many of a large folder are still on their way', () => {
    const data: DirectoryState = { kind: 'entries', entries: [file('/q/a')], total: 3, truncated: true }
    const { rows } = layOutTree(
      [{ path: '/q', name: 'q' }],
      new Set(),
      new Map([['/q', { kind: 'here', data }]]),
    )
    expect(rows.at(-1)).toMatchObject({ kind: 'sentence', text: 'Reading 2 more …' })
    expect(rows[0]).toMatchObject({ siblings: 3 })
  })

  it('opens folders in place and says when one is empty', () => {
    expect(names(['/p/src', '/p/lib'])).toEqual([
      '1 lib',
      '2 (Empty)',
      '1 src',
      '2 one.ts',
      '2 two.ts',
      '1 a.md',
    ])
  })

  it('wants only folders that can be seen', () => {
    const { wanted } = layOutTree([root], new Set(['/p/src/deep', '/p/src']), directories)
    expect([...wanted]).toEqual(['/p', '/p/src'])
  })

  it('gives several roots a line each', () => {
    const { rows, wanted } = layOutTree([root, { path: '/q', name: 'q' }], new Set(['/p']), directories)
    expect(rows.map((row) => (row.kind === 'entry' ? row.entry.name : ''))).toEqual([
      'p',
      'lib',
      'src',
      'a.md',
      'q',
    ])
    expect([...wanted]).toEqual(['/p'])
  })

  it('shows why a folder cannot be read', () => {
    const failed: Directories = new Map([
      [
        '/p',
        {
          kind: 'here',
          data: { kind: 'failed', failure: { code: 'denied', message: 'You may not read it.' } },
        },
      ],
    ])
    expect(layOutTree([root], new Set(), failed).rows).toMatchObject([
      { kind: 'sentence', tone: 'error', text: 'You may not read it.' },
    ])
  })
})

describe('moving', () => {
  const { rows } = layOutTree([root], new Set(['/p/src']), directories)

  it('walks and stops at the ends', () => {
    expect(moveInTree('ArrowDown', rows, 0, 10)).toEqual({ kind: 'go', row: 1 })
    expect(moveInTree('ArrowUp', rows, 0, 10)).toEqual({ kind: 'go', row: 0 })
    expect(moveInTree('End', rows, 0, 10)).toEqual({ kind: 'go', row: 4 })
    expect(moveInTree('PageDown', rows, 0, 3)).toEqual({ kind: 'go', row: 3 })
  })

  it('opens to the right, and goes in', () => {
    expect(moveInTree('ArrowRight', rows, 0, 10)).toEqual({ kind: 'expand', path: '/p/lib' })
    expect(moveInTree('ArrowRight', rows, 1, 10)).toEqual({ kind: 'go', row: 2 })
    expect(moveInTree('ArrowRight', rows, 2, 10)).toBeNull()
  })

  it('shuts to the left, and goes out', () => {
    expect(moveInTree('ArrowLeft', rows, 1, 10)).toEqual({ kind: 'collapse', path: '/p/src' })
    expect(moveInTree('ArrowLeft', rows, 3, 10)).toEqual({ kind: 'go', row: 1 })
    expect(moveInTree('ArrowLeft', rows, 0, 10)).toBeNull()
  })

  it('does nothing in an empty tree', () => {
    expect(moveInTree('ArrowDown', [], -1, 10)).toBeNull()
  })

  it('finds names by their first letters, round the end', () => {
    expect(findByTyping(rows, 0, 's')).toBe(1)
    expect(findByTyping(rows, 2, 'tw')).toBe(3)
    expect(findByTyping(rows, 4, 'l')).toBe(0)
    expect(findByTyping(rows, 0, 'zz')).toBeNull()
    // One letter again goes on to the next such name.
    expect(findByTyping(rows, 2, 'o')).toBe(2)
  })
})

describe('foldersAbove', () => {
  it('lists the way down to a file', () => {
    expect(foldersAbove('/p/src/deep/x.ts', [root], '/')).toEqual(['/p', '/p/src', '/p/src/deep'])
    expect(foldersAbove('/p/x.ts', [root], '/')).toEqual(['/p'])
    expect(foldersAbove('/other/x.ts', [root], '/')).toBeNull()
    expect(foldersAbove('/pp/x.ts', [root], '/')).toBeNull()
  })

  it('takes the innermost root, and the file system’s top', () => {
    expect(foldersAbove('/p/src/x.ts', [root, { path: '/p/src', name: 'src' }], '/')).toEqual(['/p/src'])
    expect(foldersAbove('/etc/hosts', [{ path: '/', name: '/' }], '/')).toEqual(['/', '/etc'])
    expect(foldersAbove('C:\\p\\src\\x', [{ path: 'C:\\p', name: 'p' }], '\\')).toEqual([
      'C:\\p',
      'C:\\p\\src',
    ])
  })
})
