import { describe, expect, it } from 'vitest'
import { Exclusions } from './exclusions'

describe('Exclusions', () => {
  const exclusions = new Exclusions(['.git', '*.pyc', 'build/', '/only-here', '!keep.pyc'])

  it('takes names anywhere below the folder', () => {
    expect(exclusions.excludes('.git', true)).toBe(true)
    expect(exclusions.excludes('lib/.git', false)).toBe(true)
    expect(exclusions.excludes('lib/x.pyc', false)).toBe(true)
    expect(exclusions.excludes('.gitignore', false)).toBe(false)
  })

  it('tells folders from files, and the folder itself from those below', () => {
    expect(exclusions.excludes('build', true)).toBe(true)
    expect(exclusions.excludes('build', false)).toBe(false)
    expect(exclusions.excludes('only-here', false)).toBe(true)
    expect(exclusions.excludes('lib/only-here', false)).toBe(false)
  })

  it('knows exceptions, and what lies in an excluded folder', () => {
    expect(exclusions.excludes('keep.pyc', false)).toBe(false)
    expect(exclusions.excludes('.git/HEAD', false)).toBe(true)
  })

  it('gives the same answer for plain names with and without other patterns', () => {
    const plain = new Exclusions(['.git', 'Thumbs.db'])
    const mixed = new Exclusions(['.git', 'Thumbs.db', '!never'])
    for (const path of [
      '.git',
      'a/.git',
      '.git/x',
      'a/thumbs.DB',
      'git',
      'thumbs.db2',
      '.gitignore',
      'a/b',
    ]) {
      expect(plain.excludes(path, false), path).toBe(mixed.excludes(path, false))
    }
  })

  it('takes strange names as they are', () => {
    expect(exclusions.excludes('..odd', false)).toBe(false)
    expect(exclusions.excludes('a\nb.pyc', false)).toBe(true)
    expect(new Exclusions([]).excludes('.git', true)).toBe(false)
  })
})
