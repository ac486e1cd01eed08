import { describe, expect, it } from 'vitest'
import type { GitMark, GitRepository } from '../../shared/contract/git'
import { applyGit, headFor, indexMarks } from './git'

const head = (branch: string) => ({ branch, commit: '12345678', upstream: null })
const repository = (folder: string, ...marks: [string, GitMark][]): GitRepository => ({
  folder,
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
      { folder: '/p', head: head('new'), marks: [['/p/b', 'added']], isPartial: true },
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
