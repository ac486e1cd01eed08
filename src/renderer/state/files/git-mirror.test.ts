import { describe, expect, it } from 'vitest'
import type { GitMark, GitRepository } from '../../../shared/contract/git'
import { applyGit, foldersOver, headFor, indexMarks } from './git-mirror'

const head = (branch: string) => ({ branch, commit: '12345678', upstream: null })
const repository = (folder: string, ...marks: [string, GitMark][]): GitRepository => ({
  folder,
  nested: false,
  head: head(folder),
  marks,
  isPartial: false,
})

describe('applyGit', () => {
  it('puts, changes and removes repositories', () => {
    const first = applyGit(
      { repositories: [] },
      { kind: 'put', repository: repository('/p', ['/p/a', 'modified']) },
    )
    const change = {
      kind: 'change',
      folder: '/p',
      head: head('new'),
      put: [['/p/b', 'added']],
      gone: ['/p/a'],
      isPartial: true,
    } as const
    const second = applyGit(first, { ...change, put: [['/p/b', 'added']], gone: ['/p/a'] })
    expect(second.repositories).toEqual([
      { folder: '/p', nested: false, head: head('new'), marks: [['/p/b', 'added']], isPartial: true },
    ])
    expect(applyGit(second, { kind: 'remove', folder: '/p' }).repositories).toEqual([])
  })
})

describe('indexMarks', () => {
  const marks = indexMarks([
    repository(
      '/p',
      ['/p/lib/deep/a.ts', 'untracked'],
      ['/p/lib/b.ts', 'modified'],
      ['/p/docs/c.md', 'added'],
      ['/p/docs/gone.md', 'deleted'],
      ['/p/fresh', 'untracked'],
      ['/p/node_modules', 'ignored'],
      ['/p/out/x.log', 'ignored'],
    ),
    repository('/q', ['/q/d', 'conflict']),
  ])

  it('marks files, and folders by the strongest of what is in them', () => {
    expect(marks.of('/p/lib/b.ts')).toEqual({ mark: 'modified', inside: false })
    expect(marks.of('/p/lib')).toEqual({ mark: 'modified', inside: true })
    expect(marks.of('/p/lib/deep')).toEqual({ mark: 'untracked', inside: true })
    expect(marks.of('/p/docs')).toEqual({ mark: 'deleted', inside: true })
    expect(marks.of('/p')).toEqual({ mark: 'modified', inside: true })
    expect(marks.of('/q')).toEqual({ mark: 'conflict', inside: true })
    expect(marks.of('/p/clean.ts')).toBeNull()
  })

  it('marks all that lies in a folder that git does not know or ignores, and no folder for what is ignored', () => {
    expect(marks.of('/p/fresh/x/y.ts')).toEqual({ mark: 'untracked', inside: false })
    expect(marks.of('/p/node_modules/a/b.js')).toEqual({ mark: 'ignored', inside: false })
    expect(marks.of('/p/out')).toBeNull()
    expect(marks.of('/p/node_modules2')).toBeNull()
  })
})

describe('headFor', () => {
  it('is of the nearest repository, else of the first', () => {
    const all = [repository('/p'), repository('/p/inner'), repository('/q')]
    expect(headFor(all, '/p/inner/a')?.branch).toBe('/p/inner')
    expect(headFor(all, '/elsewhere')?.branch).toBe('/p')
    expect(headFor(all, null)?.branch).toBe('/p')
    expect(headFor([], null)).toBeNull()
  })
})

describe('a repository in another', () => {
  const inner = (folder: string, ...marks: [string, GitMark][]) => ({
    ...repository(folder, ...marks),
    nested: true,
  })
  const all = [
    repository('/p', ['/p/own', 'untracked'], ['/p/module', 'modified'], ['/p/vendor', 'ignored']),
    inner('/p/own', ['/p/own/lib/a.ts', 'modified']),
    inner('/p/module'),
    inner('/p/vendor/dep', ['/p/vendor/dep/fresh', 'untracked']),
  ]

  it('has marks of its own, and those around it do not reach into it', () => {
    const marks = indexMarks(all)
    expect(marks.of('/p/own/lib/a.ts')).toEqual({ mark: 'modified', inside: false })
    expect(marks.of('/p/own')).toEqual({ mark: 'modified', inside: true })
    expect(marks.of('/p/own/clean.ts')).toBeNull()
    // A submodule at another commit than the one that is recorded.
    expect(marks.of('/p/module')).toEqual({ mark: 'modified', inside: false })
    expect(marks.of('/p/module/clean.ts')).toBeNull()
    expect(marks.of('/p/vendor/other')).toEqual({ mark: 'ignored', inside: false })
    expect(marks.of('/p/vendor/dep/clean.ts')).toBeNull()
    expect(marks.of('/p/vendor/dep/fresh/new.ts')).toEqual({ mark: 'untracked', inside: false })
    expect(marks.of('/p')).toEqual({ mark: 'modified', inside: true })
    expect(marks.ownAt('/p/own')).toEqual(head('/p/own'))
    expect([marks.ownAt('/p'), marks.ownAt('/p/own/lib')]).toEqual([null, null])
  })

  it('tells its branch for its own files, and none for what only begins like it', () => {
    expect(headFor(all, '/p/own/lib/a.ts')?.branch).toBe('/p/own')
    expect(headFor(all, '/p/own.md')?.branch).toBe('/p')
    expect(headFor(all.toReversed(), null)?.branch).toBe('/p')
    expect(foldersOver('/p/own/a.ts')).toEqual(['/p/own', '/p'])
  })
})
