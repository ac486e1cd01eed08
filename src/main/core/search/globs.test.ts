import { describe, expect, it } from 'vitest'
import { readGlobs } from './globs'

describe('readGlobs', () => {
  it('takes commas and braces apart, and a mark of exclusion as such', () => {
    const { includes, excludes } = readGlobs('*.{ts,tsx}, src , !a{b,c}', 'x,!y,', ['.git'])
    expect(includes).toEqual(['*.ts', '*.tsx', 'src'])
    expect(excludes).toEqual(['.git', 'x', 'y', 'ab', 'ac'])
  })

  it('knows what is in a folder that is named, at any depth, unless it is anchored', () => {
    const anywhere = readGlobs('lib', '')
    expect(['lib/a', 'x/lib/b/c', 'lib'].map((path) => anywhere.has(path))).toEqual([true, true, true])
    expect(anywhere.has('library/a')).toBe(false)
    const anchored = readGlobs('./lib', '')
    expect([anchored.has('lib/a'), anchored.has('x/lib/a')]).toEqual([true, false])
    expect(readGlobs('src\\ui', '').has('src/ui/a')).toBe(true)
  })

  it('takes nothing for everything, and does not go on spreading without end', () => {
    expect(readGlobs(' , ', '').has('anything')).toBe(true)
    expect(readGlobs('#a', '').has('#a')).toBe(true)
    const huge = '{a,b}'.repeat(20)
    expect(readGlobs(huge, '').includes.length).toBeLessThanOrEqual(200)
  })
})
