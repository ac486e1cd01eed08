import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkName, copyName } from './entry-name'

describe('checkName', () => {
  it('refuses what cannot be a name, anywhere', () => {
    for (const name of ['', '  ', '.', '..', 'a/b', 'a\0b', 'x'.repeat(256), 'ü'.repeat(128)]) {
      expect(checkName(name, 'linux').ok, JSON.stringify(name)).toBe(false)
      expect(checkName(name, 'win32').ok, JSON.stringify(name)).toBe(false)
    }
    for (const name of ['a', '.env', '...', 'a b', 'ü'.repeat(127), 'a\nb', 'a:b', 'con']) {
      expect(checkName(name, 'linux').ok, JSON.stringify(name)).toBe(true)
    }
  })

  it('knows the rules of Windows', () => {
    for (const name of ['a:b', 'a\\b', 'a?', 'con', 'COM1.txt', 'a.', 'a ', 'a\nb', 'nul.tar.gz']) {
      expect(checkName(name, 'win32').ok, JSON.stringify(name)).toBe(false)
    }
    for (const name of ['console', 'com10', '.env', 'a b.txt']) {
      expect(checkName(name, 'win32').ok, JSON.stringify(name)).toBe(true)
    }
  })
})

describe('copyName', () => {
  it('keeps the ending of files, and counts', () => {
    expect(copyName('a.txt', false, 1)).toBe('a copy.txt')
    expect(copyName('a.txt', false, 3)).toBe('a copy 3.txt')
    expect(copyName('a copy.txt', false, 2)).toBe('a copy 2.txt')
    expect(copyName('.env', false, 1)).toBe('.env copy')
    expect(copyName('v1.2', true, 1)).toBe('v1.2 copy')
  })

  it('gives another name for each attempt', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (name, isFolder) => {
        const names = [1, 2, 3, 4].map((attempt) => copyName(name, isFolder, attempt))
        expect(new Set(names).size).toBe(4)
      }),
    )
  })
})
