import { describe, expect, it } from 'vitest'
import type { DirectoryState, FileEntry } from '../../../shared/contract/files'
import { applyDirectory } from './directory-mirrors'

const entry = (name: string): FileEntry => ({ name, path: `/p/${name}`, kind: 'file', symlink: false })
const level = (...names: string[]): DirectoryState => ({
  kind: 'entries',
  entries: names.map(entry),
  total: names.length,
  truncated: false,
})
const names = (state: DirectoryState) =>
  state.kind === 'entries' ? state.entries.map(({ name }) => name) : null

describe('applyDirectory', () => {
  it('takes up what follows of a large folder', () => {
    expect(names(applyDirectory(level('a'), { kind: 'more', entries: [entry('b'), entry('c')] }))).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  it('takes names out and puts others at their places', () => {
    const come = [
      { at: 0, entry: entry('0') },
      { at: 2, entry: entry('b') },
      { at: 4, entry: entry('z') },
    ]
    const next = applyDirectory(level('a', 'gone', 'm'), {
      kind: 'change',
      gone: ['gone'],
      come,
      truncated: false,
    })
    expect(names(next)).toEqual(['0', 'a', 'b', 'm', 'z'])
    expect(next).toMatchObject({ total: 5 })
  })

  it('takes the whole anew, and leaves a folder failed that it knows nothing of', () => {
    const failed: DirectoryState = { kind: 'failed', failure: { code: 'absent', message: 'Gone.' } }
    expect(applyDirectory(level('a'), { kind: 'state', state: failed })).toBe(failed)
    expect(applyDirectory(failed, { kind: 'more', entries: [entry('a')] })).toBe(failed)
    expect(names(applyDirectory(failed, { kind: 'state', state: level('a') }))).toEqual(['a'])
  })
})
